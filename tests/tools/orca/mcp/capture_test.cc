#include "tools/orca/mcp/capture.h"

#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace {

struct Outcome {
  int status;
  std::string out;
};

Outcome RunShell(const std::string &script) {
  std::vector<std::string> words = {"sh", "-c", script};
  std::vector<char *> argv;
  for (std::string &word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  struct builder out = {};
  int status = capture_run("/bin/sh", argv.data(), nullptr, &out);
  Outcome outcome = {status, std::string(out.data == nullptr ? "" : out.data, out.len)};
  builder_free(&out);
  return outcome;
}

TEST(Capture, TakesTheErrorsFirst) {
  Outcome o = RunShell("echo one; echo two >&2; echo three");
  EXPECT_EQ(o.out, "two\none\nthree\n");
  EXPECT_EQ(o.status, 0);
}

TEST(Capture, ReturnsTheExitStatus) {
  EXPECT_EQ(RunShell("exit 3").status, 3);
  EXPECT_EQ(RunShell("kill -9 $$").status, 128 + 9);
}

// Otherwise a command could read the messages of the client.
TEST(Capture, GivesNoInput) { EXPECT_EQ(RunShell("cat; echo end").out, "end\n"); }

TEST(Capture, EndsAProgramThatPrintsForEver) {
  Outcome o = RunShell("yes");
  EXPECT_GE(o.out.size(), CAPTURE_MAX);
  EXPECT_LT(o.out.size(), CAPTURE_MAX + 100000);
  EXPECT_EQ(o.status, 0) << "what it printed is good";
}

TEST(Capture, SaysWhyAProgramCannotBeStarted) {
  char name[] = "orca", *argv[] = {name, nullptr};
  struct builder out = {};
  EXPECT_EQ(capture_run("/none/orca", argv, nullptr, &out), -1);
  EXPECT_EQ(std::string(out.data, out.len), "orca cannot be started: No such file or directory\n");
  builder_free(&out);
}

TEST(Capture, EndsAProgramThatHasToStop) {
  char sh[] = "sh", c[] = "-c", script[] = "echo begun; exec sleep 1000";
  char *argv[] = {sh, c, script, nullptr};
  struct builder out = {};
  int asked = 0;
  struct capture_stop stop = {[](void *arg) { return ++*static_cast<int *>(arg) == 3; }, &asked};
  EXPECT_EQ(capture_run("/bin/sh", argv, &stop, &out), CAPTURE_STOPPED);
  EXPECT_EQ(asked, 3);
  EXPECT_EQ(std::string(out.data, out.len), "begun\n");
  builder_free(&out);
}

}  // namespace
