// Recordings that older versions made still read: the program prints the texts beside them.
// tests/data/README.md says how they were made.
#include <stdlib.h>
#include <sys/wait.h>

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tests/support/text.h"

namespace {

// A recording, and the commands whose texts are stored: that of "locks --format=json" is in
// NAME.locks.json.
struct Stored {
  const char *name;
  std::vector<std::string> commands;
};

class OldRecordings : public testing::TestWithParam<Stored> {};

TEST_P(OldRecordings, PrintTheStoredTexts) {
  const std::string name = GetParam().name, out = testing::TempDir() + "/out";
  for (const std::string &command : GetParam().commands) {
    int status = system(("root=$PWD; cd tests/data && TZ=UTC $root/tools/orca/orca " + command +
                         " " + name + " >" + out + " 2>&1")
                            .c_str());
    size_t space = command.find(' ');
    std::string suffix = space == std::string::npos ? ".txt" : ".json";
    EXPECT_EQ(WEXITSTATUS(status), 0) << command;
    EXPECT_EQ(ReadFile(out),
              ReadFile("tests/data/" + name + "." + command.substr(0, space) + suffix))
        << command;
  }
}

const std::vector<std::string> kCommands = {"report", "check", "locks", "hot", "threads"};

INSTANTIATE_TEST_SUITE_P(Versions, OldRecordings,
                         testing::Values(Stored{"locks-0.1-jdk17", kCommands},
                                         Stored{"deadlock-0.1-jdk25", kCommands}));

// A line names a thread as the owner before the line of its own acquisition.
INSTANTIATE_TEST_SUITE_P(Faults, OldRecordings,
                         testing::Values(Stored{
                             "self-holder-0.1-jdk17",
                             {"report", "check", "locks", "locks --format=json"}}));

}  // namespace
