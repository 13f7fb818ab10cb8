#include <stdlib.h>

#include <string>

#include "agent/options/options.h"
#include "gtest/gtest.h"

namespace {

constexpr uint64_t kStart = 1795174200123456789;  // 2026-11-20T11:30:00Z

std::string ExpandPrefix(const char *prefix, const char *folder = nullptr) {
  char path[256];
  EXPECT_TRUE(prefix_expand(prefix, 4711, kStart, folder, path, sizeof path));
  return path;
}

TEST(Prefix, StaysUnchangedWithoutPercent) {
  EXPECT_EQ(ExpandPrefix("out"), "out");
  EXPECT_EQ(ExpandPrefix("/a/b c,"), "/a/b c,");
  EXPECT_EQ(ExpandPrefix(""), "");
}

TEST(Prefix, ReplacesPidAndStartTime) {
  EXPECT_EQ(ExpandPrefix("orca-%p"), "orca-4711");
  EXPECT_EQ(ExpandPrefix("%p%p"), "47114711");
  EXPECT_EQ(ExpandPrefix("run-%t.%p"), "run-20261120T113000Z.4711");
}

TEST(Prefix, ReplacesTwoPercentsAndKeepsOtherLetters) {
  EXPECT_EQ(ExpandPrefix("100%%"), "100%");
  EXPECT_EQ(ExpandPrefix("%%p"), "%p");
  EXPECT_EQ(ExpandPrefix("%x%"), "%x%");
}

TEST(Prefix, PutsTheFolderBeforeARelativePrefix) {
  EXPECT_EQ(ExpandPrefix("out-%p", "/outputs"), "/outputs/out-4711");
  EXPECT_EQ(ExpandPrefix("/tmp/out", "/outputs"), "/tmp/out");
  EXPECT_EQ(ExpandPrefix("out", ""), "out");
}

TEST(Prefix, DoesNotExpandTheFolder) { EXPECT_EQ(ExpandPrefix("out", "/a%p"), "/a%p/out"); }

std::string VaryPrefix(const char *prefix, unsigned number) {
  char varied[64];
  EXPECT_TRUE(prefix_vary(prefix, number, varied, sizeof varied));
  return varied;
}

TEST(Prefix, IsVariedByThePidAndThenByANumber) {
  EXPECT_EQ(VaryPrefix("/tmp/shop", 0), "/tmp/shop");
  EXPECT_EQ(VaryPrefix("/tmp/shop", 1), "/tmp/shop-%p");
  EXPECT_EQ(VaryPrefix("/tmp/shop", 2), "/tmp/shop-%p-2");
  EXPECT_EQ(VaryPrefix("/tmp/shop", 63), "/tmp/shop-%p-63");
  EXPECT_EQ(VaryPrefix("orca-%p", 0), "orca-%p");
  EXPECT_EQ(VaryPrefix("orca-%p", 1), "orca-%p-2");
  EXPECT_EQ(VaryPrefix("orca-%p", 2), "orca-%p-3");
  EXPECT_EQ(VaryPrefix("100%%p", 1), "100%%p-%p");
  EXPECT_EQ(VaryPrefix("%t", 1), "%t-%p");
}

TEST(Prefix, IsNotVariedWhenTheResultDoesNotFit) {
  char varied[8];
  EXPECT_TRUE(prefix_vary("shop", 1, varied, sizeof varied));
  EXPECT_FALSE(prefix_vary("shops", 1, varied, sizeof varied));
}

TEST(Prefix, FailsWhenTheResultDoesNotFit) {
  char path[9];
  EXPECT_TRUE(prefix_expand("orca-%p", 471, kStart, nullptr, path, sizeof path));
  EXPECT_STREQ(path, "orca-471");
  EXPECT_FALSE(prefix_expand("orca-%p", 4711, kStart, nullptr, path, sizeof path));
}

// Returns the default with these variables of Bazel, which may be NULL. This test runs under Bazel,
// too.
std::string DefaultPrefix(const char *target, const char *outputs) {
  char out[PREFIX_DEFAULT_SIZE];
  if (target == nullptr) unsetenv("TEST_TARGET");
  if (target != nullptr) setenv("TEST_TARGET", target, 1);
  setenv("TEST_UNDECLARED_OUTPUTS_DIR", outputs, 1);
  prefix_default(kStart, out);
  return out;
}

TEST(PrefixDefault, NamesTimeShardAndRunOnlyInATestOfBazel) {
  EXPECT_EQ(DefaultPrefix(nullptr, "/b/run_2_of_3/test.outputs"), "orca-%p");
  EXPECT_EQ(DefaultPrefix("//a", "/b/test.outputs"), "orca-%p-20261120T113000123Z");
  EXPECT_EQ(DefaultPrefix("//a", "/b/shard_1_of_4_run_2_of_3/test.outputs"),
            "orca-%p-20261120T113000123Z-shard_1_of_4_run_2_of_3");
}

std::string Folder(const char *outputs, const char *here) {
  setenv("TEST_UNDECLARED_OUTPUTS_DIR", outputs, 1);
  setenv("BUILD_WORKING_DIRECTORY", here, 1);
  const char *folder = prefix_folder();
  std::string text = folder == nullptr ? "none" : folder;
  unsetenv("BUILD_WORKING_DIRECTORY");
  return text;
}

TEST(PrefixFolder, IsThatOfTheTestAndThenThatOfTheUser) {
  EXPECT_EQ(Folder("/outputs", "/home/a"), "/outputs");
  EXPECT_EQ(Folder("", "/home/a"), "/home/a");
  EXPECT_EQ(Folder("", ""), "none");
}

}  // namespace
