#include "tools/orca/run/launch.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <string>

#include "gtest/gtest.h"
#include "tests/support/bytes.h"

namespace {

std::string MakeToolOptions(const char *option, const char *present) {
  struct builder b = {};
  launch_tool_options(&b, option, present);
  return TakeText(&b);
}

TEST(LaunchToolOptions, ComeBeforeTheCurrentValue) {
  EXPECT_EQ(MakeToolOptions("-agentpath:/a.so=x", nullptr), "-agentpath:/a.so=x");
  EXPECT_EQ(MakeToolOptions("-agentpath:/a.so=x", ""), "-agentpath:/a.so=x");
  EXPECT_EQ(MakeToolOptions("-agentpath:/a.so=x", "-Xmx1g -ea"), "-agentpath:/a.so=x -Xmx1g -ea");
}

TEST(LaunchToolOptions, AreQuotedForTheJvm) {
  EXPECT_EQ(MakeToolOptions("/my dir/a.so", nullptr), "/my' 'dir/a.so");
  EXPECT_EQ(MakeToolOptions("it's\t\"x\"", nullptr), "it\"'\"s'\t''\"'x'\"'");
}

std::string MakePrefix(const char *options, const char *prefix, const char *folder) {
  struct builder b = {};
  launch_prefix(&b, options, prefix, folder);
  return TakeText(&b);
}

TEST(LaunchPrefix, IsMadeAbsolute) {
  EXPECT_EQ(MakePrefix("out,interval=5ms", "out", "/w"), "/w/out,interval=5ms");
  EXPECT_EQ(MakePrefix("out", "out", "/w"), "/w/out");
  EXPECT_EQ(MakePrefix("/tmp/out", "/tmp/out", "/w"), "/tmp/out");
  EXPECT_EQ(MakePrefix("", "orca-%p", "/w"), "/w/orca-%p");
  EXPECT_EQ(MakePrefix("interval=5ms", "orca-%p", "/w"), "/w/orca-%p,interval=5ms");
  EXPECT_EQ(MakePrefix(",interval=5ms", "orca-%p", "/w"), "/w/orca-%p,interval=5ms");
}

TEST(LaunchPrefix, EscapesPercentAndSkipsFoldersWithAComma) {
  EXPECT_EQ(MakePrefix("out", "out", "/100%p"), "/100%%p/out");
  EXPECT_EQ(MakePrefix("out", "out", "/a,b"), "out");
}

TEST(LaunchIsJava, DependsOnTheNameOfTheCommand) {
  EXPECT_TRUE(launch_is_java("java"));
  EXPECT_TRUE(launch_is_java("/usr/lib/jvm/17/bin/java"));
  for (const char *other : {"javac", "/java/run", "myjava", ""})
    EXPECT_FALSE(launch_is_java(other));
}

std::string ReadCommand(const char *command, const char *folder) {
  char text[16] = "";
  int fd = launch_open_command(command, folder);
  if (fd < 0) return "none";
  (void)!read(fd, text, sizeof text - 1);
  close(fd);
  return text;
}

TEST(LaunchOpenCommand, FindsTheFileThatWouldRun) {
  std::string path = testing::TempDir() + "/launch_XXXXXX", folder = mkdtemp(path.data());
  for (const char *name : {"a", "b", "c"}) mkdir((folder + "/" + name).c_str(), 0755);
  std::ofstream(folder + "/a/java") << "not executable";
  std::ofstream(folder + "/b/java") << "second";
  std::ofstream(folder + "/c/java") << "third";
  for (const char *name : {"b", "c"}) chmod((folder + "/" + name + "/java").c_str(), 0755);
  std::string before = getenv("PATH");
  setenv("PATH", (folder + "/a:" + folder + "/b:" + folder + "/c").c_str(), 1);
  EXPECT_EQ(ReadCommand("java", nullptr), "second");
  EXPECT_EQ(ReadCommand((folder + "/c/java").c_str(), nullptr), "third");
  EXPECT_EQ(ReadCommand("c/java", folder.c_str()), "third") << "relative to its working directory";
  EXPECT_EQ(ReadCommand("javac", nullptr), "none");
  setenv("PATH", ":/none", 1);
  EXPECT_EQ(ReadCommand("java", (folder + "/b").c_str()), "second");
  EXPECT_EQ(ReadCommand("java", (folder + "/none").c_str()), "none");
  setenv("PATH", before.c_str(), 1);
}

TEST(LaunchArgv, InsertsTheOptionAfterTheCommand) {
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

std::string ReadVariable(const char *name) {
  const char *value = getenv(name);
  return value == nullptr ? "(none)" : value;
}

TEST(LaunchSetEnvironment, PassesTheAgentToTheJvmsOfACommand) {
  setenv("JAVA_TOOL_OPTIONS", "-ea", 1);
  setenv("ORCA_RUN_TOOL_OPTIONS", "of a run around this one", 1);
  ASSERT_TRUE(launch_set_environment("7.1", "-agentpath:y", false, false));
  EXPECT_EQ(ReadVariable("ORCA_RUN"), "7.1");
  EXPECT_EQ(ReadVariable("JAVA_TOOL_OPTIONS"), "-agentpath:y -ea");
  EXPECT_EQ(ReadVariable("ORCA_RUN_TOOL_OPTIONS"), "(none)");
}

TEST(LaunchSetEnvironment, LeavesJavaToolOptionsToTheAgentIfTheCommandIsAJvm) {
  setenv("JAVA_TOOL_OPTIONS", "-ea", 1);
  ASSERT_TRUE(launch_set_environment("7.2", "-agentpath:y", true, false));
  EXPECT_EQ(ReadVariable("ORCA_RUN"), "7.2");
  EXPECT_EQ(ReadVariable("JAVA_TOOL_OPTIONS"), "-ea");
  EXPECT_EQ(ReadVariable("ORCA_RUN_TOOL_OPTIONS"), "-agentpath:y -ea");
}

TEST(LaunchSetEnvironment, TellsTheAgentThatTheUserChoseNoOptions) {
  ASSERT_TRUE(launch_set_environment("7.3", "-agentpath:y=/a=b", false, true));
  EXPECT_EQ(ReadVariable("ORCA_RUN_STANDARD"), "/a=b");
  ASSERT_TRUE(launch_set_environment("7.4", "-agentpath:y=/a=b", false, false));
  EXPECT_EQ(ReadVariable("ORCA_RUN_STANDARD"), "(none)");
}

std::string Quote(const char *word) {
  struct builder b = {};
  launch_quote(&b, word);
  return TakeText(&b);
}

TEST(LaunchQuote, QuotesOnlyWordsWithSpecialCharacters) {
  EXPECT_EQ(Quote("/tmp/shop-7.orca"), "/tmp/shop-7.orca");
  EXPECT_EQ(Quote(""), "''");
  EXPECT_EQ(Quote("my run"), "'my run'");
  EXPECT_EQ(Quote("it's $x"), "'it'\\''s $x'");
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

  void CreateAgent(const std::string &folder) {
    std::ofstream(root_ + folder + "/liborca.so") << "x";
  }
  // Returns the path that the program tools/orca/orca finds; "": none.
  std::string Find() {
    struct builder b = {};
    bool found = launch_find_agent((root_ + "/tools/orca/orca").c_str(), &b);
    std::string path = found ? std::string(b.data + root_.size()) : "";
    builder_free(&b);
    return path;
  }

  std::string root_;
};

TEST_F(FindAgent, FindsTheBuiltTheAdjacentAndTheInstalledAgent) {
  EXPECT_EQ(Find(), "");
  CreateAgent("/tools/lib");
  EXPECT_EQ(Find(), "/tools/orca/../lib/liborca.so");
  CreateAgent("/tools/orca");
  EXPECT_EQ(Find(), "/tools/orca/liborca.so");
  CreateAgent("/agent");
  EXPECT_EQ(Find(), "/tools/orca/../../agent/liborca.so");
}

TEST(LaunchIsStartedByUser, DependsOnTheRunfiles) {
  EXPECT_TRUE(launch_is_started_by_user("/b/orca", "/b/orca.runfiles/shop"));
  for (const char *here : {"/b/app.runfiles/shop", "/b/orca.runfilesx/shop", "/b/orca", "/b", ""}) {
    EXPECT_FALSE(launch_is_started_by_user("/b/orca", here)) << here;
  }
}

}  // namespace
