#pragma once
// Makes this process believe that it belongs to another user, so that its own files are those of a
// stranger. For tests that are linked with OTHER_USER (tests/cc.bzl).

class OtherUser {
 public:
  OtherUser();
  ~OtherUser();
  OtherUser(const OtherUser &) = delete;
  OtherUser &operator=(const OtherUser &) = delete;
};
