#pragma once
// Calls a command of the orca program as main does, and returns its status and output.
#include <stdio.h>

#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "tests/support/text.h"
#include "tools/orca/cmd/commands.h"

struct Outcome {
  int status;
  std::string out, err;
};

// `words` starts with the name of the command.
inline Outcome RunRow(const struct command_row &row, std::vector<std::string> words) {
  std::vector<char *> argv;
  for (std::string &word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  Outcome o;
  o.status = commands_run(&row, static_cast<int>(words.size()), argv.data());
  fflush(stdout);
  o.out = testing::internal::GetCapturedStdout();
  o.err = testing::internal::GetCapturedStderr();
  return o;
}

inline Outcome RunCommand(const struct command &command, std::vector<std::string> words) {
  for (const struct command_row &row : commands) {
    if (row.command == &command) return RunRow(row, std::move(words));
  }
  ADD_FAILURE() << "the command has no row";
  return {};
}

struct Misuse {
  std::vector<std::string> words;
  std::string says;
};

// Expects a message that points to the help. What all commands refuse is in commands_test.cc.
inline void ExpectMisuses(const struct command &command, const std::string &name,
                          const std::vector<Misuse> &misuses) {
  for (const Misuse &misuse : misuses) {
    std::vector<std::string> words = misuse.words;
    words.insert(words.begin(), name);
    Outcome o = RunCommand(command, words);
    EXPECT_EQ(o.status, 2) << misuse.says;
    EXPECT_EQ(o.out, "");
    EXPECT_EQ(o.err, "orca: " + name + ": " + misuse.says + "; see orca " + name + " --help\n");
  }
}
