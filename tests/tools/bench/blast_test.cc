/* The whole way from threads to the files, without a JVM, at full blast: nothing is lost, the times
   ascend strictly, the files are right. $ORCA_BLAST_EVENTS says how many events: 1e9 take a minute
   or two. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>

#include <filesystem>
#include <string>

#include "gtest/gtest.h"
#include "tests/tools/orca/cmd/command.h"
#include "tools/orca/cmd/commands.h"

namespace {

std::string Events() {
  const char *events = getenv("ORCA_BLAST_EVENTS");
  return events != nullptr ? events : "2e5";
}

Outcome Blast(const std::string &options) {
  Outcome o;
  FILE *out = popen(("tools/bench/blast " + options + " 2>&1").c_str(), "r");
  char line[256];
  while (fgets(line, sizeof line, out) != nullptr) o.out += line;
  int status = pclose(out);
  o.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return o;
}

TEST(Blast, IntoASinkThatChecksNothingIsLostAndAllIsInOrder) {
  Outcome o = Blast("--sink --events " + Events());
  EXPECT_EQ(o.status, 0) << o.out;
  EXPECT_NE(o.out.find(" dropped 0, "), std::string::npos) << o.out;
  EXPECT_NE(o.out.find(" out of order 0\n"), std::string::npos) << o.out;
}

// What is missing was counted, and what is there is in order.
TEST(Blast, WhereAFullQueueDropsTheCountsAddUp) {
  Outcome o = Blast("--drop --sink --threads 8 --events " + Events());
  EXPECT_EQ(o.status, 0) << o.out;
  EXPECT_NE(o.out.find(" waited 0 times, out of order 0\n"), std::string::npos) << o.out;
}

TEST(Blast, IntoFilesThatAreRight) {
  std::string folder = testing::TempDir() + "/blast_XXXXXX";
  ASSERT_NE(mkdtemp(folder.data()), nullptr);
  Outcome o = Blast("--threads 6 --depth 3 --events 50001 --files " + folder);
  EXPECT_EQ(o.status, 0) << o.out;
  Outcome check = RunCommand(cmd_check, {"check", folder + "/blast"});
  EXPECT_EQ(check.status, 0) << check.err;
  EXPECT_NE(check.out.find(": 50013 events, 0 samples, 1 methods, 1 classes, 7 objects, all right"),
            std::string::npos)
      << check.out;
  std::filesystem::remove_all(folder);
}

TEST(Blast, WrongUseIsOneLine) {
  for (const char *options : {"", "--events 10", "--events x --sink", "--events 0 --sink",
                              "--events 10 --sink --files /tmp", "--events 10 --sink --depth 0"}) {
    Outcome o = Blast(options);
    EXPECT_EQ(o.status, 2) << options;
    EXPECT_EQ(o.out.find("bench: blast takes --events N"), 0u) << o.out;
    EXPECT_EQ(o.out.find('\n'), o.out.size() - 1) << o.out;
  }
}

TEST(Blast, AFolderThatIsNotThereIsSaid) {
  Outcome o = Blast("--events 10 --files /tmp/no/such/folder");
  EXPECT_EQ(o.status, 1);
  EXPECT_EQ(o.out.find("bench: cannot write /tmp/no/such/folder/blast"), 0u) << o.out;
}

}  // namespace
