// Recordings that older versions made still read: the program prints the texts beside them.
// tests/data/README.md says how they were made.
#include <stdlib.h>
#include <sys/wait.h>

#include <fstream>
#include <sstream>
#include <string>

#include "gtest/gtest.h"

namespace {

std::string ReadFile(const std::string &path) {
  std::ifstream in(path);
  EXPECT_TRUE(in.good()) << path;
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

class OldRecordings : public testing::TestWithParam<const char *> {};

TEST_P(OldRecordings, PrintTheStoredTexts) {
  const std::string name = GetParam(), out = testing::TempDir() + "/out";
  for (const std::string command : {"report", "check", "locks", "hot", "threads"}) {
    int status = system(("root=$PWD; cd tests/data && TZ=UTC $root/tools/orca/orca " + command +
                         " " + name + " >" + out + " 2>&1")
                            .c_str());
    EXPECT_EQ(WEXITSTATUS(status), 0) << command;
    EXPECT_EQ(ReadFile(out), ReadFile("tests/data/" + name + "." + command + ".txt")) << command;
  }
}

INSTANTIATE_TEST_SUITE_P(Versions, OldRecordings,
                         testing::Values("locks-0.1-jdk17", "deadlock-0.1-jdk25"));

}  // namespace
