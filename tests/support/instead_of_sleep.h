#pragma once
// Does something in place of the sleeps of the code under test, which waits for it: so it happens
// neither too early nor too late. Link the test with NO_SLEEP of tests/cc.bzl. For one thread.
#include <functional>

class InsteadOfSleep {
 public:
  // As long as this object exists, nanosleep calls `act` and returns at once.
  explicit InsteadOfSleep(std::function<void()> act);
  ~InsteadOfSleep();
  InsteadOfSleep(const InsteadOfSleep &) = delete;
  InsteadOfSleep &operator=(const InsteadOfSleep &) = delete;
};
