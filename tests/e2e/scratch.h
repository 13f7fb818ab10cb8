#pragma once
/* A folder for what a test writes. It goes when the test has passed; what a failed test leaves is
   among the undeclared outputs of `bazel test`. */
#include <string>

class Scratch {
 public:
  Scratch();
  ~Scratch();

  Scratch(const Scratch &) = delete;
  Scratch &operator=(const Scratch &) = delete;

  const std::string &dir() const { return dir_; }

 private:
  std::string dir_;
};
