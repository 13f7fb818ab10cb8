#pragma once
/* A temporary folder. The destructor deletes it, unless the test has failed: then the folder stays
   in the undeclared outputs of `bazel test`. */
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
