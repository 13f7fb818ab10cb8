#include "tools/orca/run/launch.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <string>

#include "gtest/gtest.h"

namespace {

std::string Taken(struct builder *b) {
  std::string text = b->len == 0 ? "" : std::string(b->data, b->len);
  builder_free(b);
  return text;
}

std::string ToolOptions(const char *option, const char *present) {
  struct builder b = {};
  launch_tool_options(&b, option, present);
  return Taken(&b);
}

TEST(LaunchToolOptions, GoBeforeWhatStandsThere) {
  EXPECT_EQ(ToolOptions("-agentpath:/a.so=x", nullptr), "-agentpath:/a.so=x");
  EXPECT_EQ(ToolOptions("-agentpath:/a.so=x", ""), "-agentpath:/a.so=x");
  EXPECT_EQ(ToolOptions("-agentpath:/a.so=x", "-Xmx1g -ea"), "-agentpath:/a.so=x -Xmx1g -ea");
}

TEST(LaunchToolOptions, AreQuotedAsTheJvmReadsThem) {
  EXPECT_EQ(ToolOptions("/my dir/a.so", nullptr), "/my' 'dir/a.so");
  EXPECT_EQ(ToolOptions("it's\t\"x\"", nullptr), "it\"'\"s'\t''\"'x'\"'");
}

std::string Prefix(const char *options, const char *prefix, const char *folder) {
  struct builder b = {};
  launch_prefix(&b, options, prefix, folder);
  return Taken(&b);
}

TEST(LaunchPrefix, IsMadeAbsolute) {
  EXPECT_EQ(Prefix("out,interval=5ms", "out", "/w"), "/w/out,interval=5ms");
  EXPECT_EQ(Prefix("out", "out", "/w"), "/w/out");
  EXPECT_EQ(Prefix("/tmp/out", "/tmp/out", "/w"), "/tmp/out");
  EXPECT_EQ(Prefix("", "orca-%p", "/w"), "/w/orca-%p");
  EXPECT_EQ(Prefix("interval=5ms", "orca-%p", "/w"), "/w/orca-%p,interval=5ms");
  EXPECT_EQ(Prefix(",interval=5ms", "orca-%p", "/w"), "/w/orca-%p,interval=5ms");
}

TEST(LaunchPrefix, OddFolders) {
  EXPECT_EQ(Prefix("out", "out", "/100%p"), "/100%%p/out");
  EXPECT_EQ(Prefix("out", "out", "/a,b"), "out");
}

TEST(LaunchIsJava, ByItsName) {
  EXPECT_TRUE(launch_is_java("java"));
  EXPECT_TRUE(launch_is_java("/usr/lib/jvm/17/bin/java"));
  for (const char *other : {"javac", "/java/run", "myjava", ""})
    EXPECT_FALSE(launch_is_java(other));
}

TEST(LaunchArgv, PutsTheOptionBehindTheCommand) {
  char java[] = "java", a[] = "-jar", b[] = "x.jar", option[] = "-agentpath:y";
  char *command[] = {java, a, b, nullptr}, *alone[] = {java, nullptr};
  char **argv = launch_argv(command, option);
  ASSERT_NE(argv, nullptr);
  EXPECT_STREQ(argv[0], "java");
  EXPECT_STREQ(argv[1], "-agentpath:y");
  EXPECT_STREQ(argv[2], "-jar");
  EXPECT_STREQ(argv[3], "x.jar");
  EXPECT_EQ(argv[4], nullptr);
  free(argv);
  argv = launch_argv(alone, option);
  EXPECT_STREQ(argv[1], "-agentpath:y");
  EXPECT_EQ(argv[2], nullptr);
  free(argv);
}

class FindAgent : public testing::Test {
 protected:
  FindAgent() {
    std::string path = testing::TempDir() + "/launch_XXXXXX";
    root_ = mkdtemp(path.data());
    for (const char *folder : {"/tools", "/tools/orca", "/tools/lib", "/agent"})
      mkdir((root_ + folder).c_str(), 0755);
  }
  ~FindAgent() override {
    for (const char *folder : {"/agent", "/tools/lib", "/tools/orca", "/tools"}) {
      unlink((root_ + folder + "/liborca.so").c_str());
      rmdir((root_ + folder).c_str());
    }
    rmdir(root_.c_str());
  }

  void Put(const std::string &folder) { std::ofstream(root_ + folder + "/liborca.so") << "x"; }
  // Where it is, seen from tools/orca/orca; "" where it is nowhere.
  std::string Find() {
    struct builder b = {};
    bool found = launch_find_agent((root_ + "/tools/orca/orca").c_str(), &b);
    std::string path = found ? std::string(b.data + root_.size()) : "";
    builder_free(&b);
    return path;
  }

  std::string root_;
};

TEST_F(FindAgent, AsBazelBuildsItBesideOrInstalled) {
  EXPECT_EQ(Find(), "");
  Put("/tools/lib");
  EXPECT_EQ(Find(), "/tools/orca/../lib/liborca.so");
  Put("/tools/orca");
  EXPECT_EQ(Find(), "/tools/orca/liborca.so");
  Put("/agent");
  EXPECT_EQ(Find(), "/tools/orca/../../agent/liborca.so");
}

}  // namespace
