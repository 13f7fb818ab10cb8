#include "tools/orca/pack/tar.h"

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
  struct tar t;
  struct builder why = {};
  char text[4096];
  arguments.push_back(nullptr);
  int input = open("/dev/null", O_RDONLY);
  EXPECT_EQ(tar_start(&t, arguments.data(), input), 0);
  close(input);
  for (ssize_t len; (len = read(t.output, text, sizeof text)) > 0;) {
    o.out.append(text, static_cast<size_t>(len));
  }
  o.status = tar_end(&t, &why);
  o.why = std::string(why.data == nullptr ? "" : why.data, why.len);
  builder_free(&why);
  return o;
}

TEST(Tar, ReturnsTheOutput) {
  Outcome o = RunTar({"--version"});
  EXPECT_EQ(o.status, 0);
  EXPECT_EQ(o.out.find("tar (GNU tar)"), 0u) << o.out;
  EXPECT_EQ(o.why, "");
}

TEST(Tar, ReturnsTheFirstMessageOfAFailure) {
  Outcome o = RunTar({"--list", "--file=/no/such/file"});
  EXPECT_EQ(o.status, 2);
  EXPECT_EQ(o.why, "tar: /no/such/file: Cannot open: No such file or directory");
}

TEST(Tar, IgnoresOptionsInTheEnvironment) {
  setenv("TAR_OPTIONS", "--no-such-option", 1);
  EXPECT_EQ(RunTar({"--version"}).status, 0);
  unsetenv("TAR_OPTIONS");
}

TEST(Tar, EndsAProgramWhoseOutputNobodyReads) {
  const char *const arguments[] = {"--create", "--file=-", "/dev/null", "-C",
                                   "/etc",     "passwd",   nullptr};
  struct tar t;
  struct builder why = {};
  int input = open("/dev/null", O_RDONLY);
  ASSERT_EQ(tar_start(&t, arguments, input), 0);
  close(input);
  EXPECT_NE(tar_end(&t, &why), 0);
  builder_free(&why);
}

}  // namespace
