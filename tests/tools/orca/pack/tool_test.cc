#include "tools/orca/pack/tool.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace {

struct Outcome {
  int status;
  std::string out, why;
};

Outcome RunTar(std::vector<const char *> arguments) {
  Outcome o;
  struct tool t;
  struct builder why = {};
  char text[4096];
  arguments.push_back(nullptr);
  int input = open("/dev/null", O_RDONLY);
  EXPECT_EQ(tool_start(&t, TOOL_TAR, arguments.data(), input), 0);
  close(input);
  for (ssize_t len; (len = read(t.output, text, sizeof text)) > 0;) {
    o.out.append(text, static_cast<size_t>(len));
  }
  o.status = tool_end(&t, &why);
  o.why = std::string(why.data == nullptr ? "" : why.data, why.len);
  builder_free(&why);
  return o;
}

TEST(Tool, ReturnsTheOutput) {
  Outcome o = RunTar({"--version"});
  EXPECT_EQ(o.status, 0);
  EXPECT_EQ(o.out.find("tar (GNU tar)"), 0u) << o.out;
  EXPECT_EQ(o.why, "");
}

TEST(Tool, ReturnsTheFirstMessageOfAFailure) {
  Outcome o = RunTar({"--list", "--file=/no/such/file"});
  EXPECT_EQ(o.status, 2);
  EXPECT_EQ(o.why, "tar: /no/such/file: Cannot open: No such file or directory");
}

TEST(Tool, IgnoresOptionsInTheEnvironment) {
  setenv("TAR_OPTIONS", "--no-such-option", 1);
  EXPECT_EQ(RunTar({"--version"}).status, 0);
  unsetenv("TAR_OPTIONS");
}

TEST(Tool, RunsUnzipWithoutTheOptionsOfTheUser) {
  const char *const arguments[] = {"-Z", "-1", "/no/such.zip", nullptr};
  struct tool t;
  struct builder why = {};
  setenv("ZIPINFO", "-v", 1);
  setenv("UNZIP", "--no-such-option", 1);
  int input = open("/dev/null", O_RDONLY);
  ASSERT_EQ(tool_start(&t, TOOL_UNZIP, arguments, input), 0);
  close(input);
  EXPECT_EQ(tool_end(&t, &why), 9);
  EXPECT_EQ(std::string(why.data, why.len),
            "zipinfo:  cannot find or open /no/such.zip, /no/such.zip.zip or /no/such.zip.ZIP.");
  builder_free(&why);
  unsetenv("ZIPINFO");
  unsetenv("UNZIP");
}

/* The program of tar itself is larger than a pipe, so tar cannot end before the pipe is closed. */
TEST(Tool, EndsAProgramWhoseOutputNobodyReads) {
  const char *const arguments[] = {"--create",   "--file=-", "--dereference", "-C",
                                   "/proc/self", "exe",      nullptr};
  struct tool t;
  struct builder why = {};
  int input = open("/dev/null", O_RDONLY);
  ASSERT_EQ(tool_start(&t, TOOL_TAR, arguments, input), 0);
  close(input);
  EXPECT_NE(tool_end(&t, &why), 0);
  builder_free(&why);
}

}  // namespace
