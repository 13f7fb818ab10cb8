#pragma once
// Calls a command of the orca program as main does, and returns its status and output.
#include <stdio.h>

#include <string>
#include <vector>

#include "gtest/gtest.h"

struct Outcome {
  int status;
  std::string out, err;
};

// `words` starts with the name of the command.
inline Outcome RunCommand(int (*command)(int, char **), std::vector<std::string> words) {
  std::vector<char *> argv;
  for (std::string &word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  Outcome o;
  o.status = command(static_cast<int>(words.size()), argv.data());
  fflush(stdout);
  o.out = testing::internal::GetCapturedStdout();
  o.err = testing::internal::GetCapturedStderr();
  return o;
}
