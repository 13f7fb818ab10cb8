#include "tools/orca/attach/library.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>

#include "tests/tools/orca/attach/fake_jvm.h"

namespace {

std::string GetRealPath(const std::string &path) {
  char real[PATH_MAX];
  return realpath(path.c_str(), real) == nullptr ? "" : real;
}

std::string FindLoaded(const FakeJvm &jvm) {
  OpenTarget target(jvm.Pid());
  struct library library;
  return target.good && library_find_loaded(&target.t, &library) ? library.path : "none";
}

FakeJvmPlan MakePlanWithAgent(const std::string &name) {
  FakeJvmPlan plan;
  plan.agent = name;
  return plan;
}

TEST(LibraryLoaded, FindsTheAgentByItsFileName) {
  for (const char *name : {"liborca.so", "liborca-17.so"}) {
    FakeJvm jvm(MakePlanWithAgent(name));
    EXPECT_EQ(FindLoaded(jvm), GetRealPath(jvm.Folder()) + "/" + name);
  }
  for (const char *name : {"liborcas.so", "liborca.so.1", "orca.so", ""}) {
    FakeJvm jvm(MakePlanWithAgent(name));
    EXPECT_EQ(FindLoaded(jvm), "none") << name;
  }
}

TEST(LibraryLoaded, FindsTheAgentAfterItsFileWasRemoved) {
  FakeJvm jvm(MakePlanWithAgent("liborca.so"));
  std::string path = GetRealPath(jvm.Folder()) + "/liborca.so";
  ASSERT_EQ(unlink(path.c_str()), 0);
  EXPECT_EQ(FindLoaded(jvm), path);
}

struct AgentFile {
  AgentFile() : folder(GetRealPath(MakeFolder())), path(folder + "/liborca.so") {
    WriteFile(path, std::string(200000, 'o'));
    chmod(path.c_str(), 0755);
  }
  std::string folder, path;
};

TEST(LibraryProvide, ReturnsThePathOfAReadableAgent) {
  AgentFile agent;
  FakeJvm jvm;
  OpenTarget target(jvm.Pid());
  std::string link = agent.folder + "/link.so";
  ASSERT_EQ(symlink("liborca.so", link.c_str()), 0);
  struct library library;
  ASSERT_TRUE(library_provide(&target.t, link.c_str(), &library, &target.why)) << target.why.text;
  EXPECT_EQ(library.path, agent.path);
  EXPECT_FALSE(library.is_copy);
  library_remove_copy(&target.t, &library);
  EXPECT_TRUE(Exists(agent.path));
}

TEST(LibraryProvide, RefusesAMissingAgent) {
  FakeJvm jvm;
  OpenTarget target(jvm.Pid());
  struct library library;
  EXPECT_FALSE(library_provide(&target.t, "/none/liborca.so", &library, &target.why));
  EXPECT_STREQ(target.why.text,
               "cannot open the agent /none/liborca.so: No such file or directory");
}

void ExpectCopy(const FakeJvm &jvm, const std::string &root, const AgentFile &agent, uid_t owner) {
  OpenTarget target(jvm.Pid());
  ASSERT_TRUE(target.good) << target.why.text;
  struct library library;
  ASSERT_TRUE(library_provide(&target.t, agent.path.c_str(), &library, &target.why))
      << target.why.text;
  EXPECT_TRUE(library.is_copy);
  EXPECT_EQ(library.path, "/tmp/liborca-" + std::to_string(jvm.Pid()) + ".so");
  struct stat st;
  ASSERT_EQ(stat((root + library.path).c_str(), &st), 0);
  EXPECT_EQ(st.st_uid, owner);
  EXPECT_EQ(st.st_mode & 0777, 0700u);
  EXPECT_EQ(ReadFile(root + library.path), ReadFile(agent.path));
  library_remove_copy(&target.t, &library);
  EXPECT_FALSE(library.is_copy);
  EXPECT_FALSE(Exists(root + library.path));
}

FakeJvmPlan MakePlanWithRoot() {
  FakeJvmPlan plan;
  plan.root = GetRealPath(MakeFolder());
  EXPECT_EQ(mkdir((plan.root + "/tmp").c_str(), 0777), 0);
  return plan;
}

TEST(LibraryProvide, CopiesTheAgentIntoAnotherRoot) {
  if (!CanChangeUser()) GTEST_SKIP() << "for root only";
  FakeJvmPlan plan = MakePlanWithRoot();
  FakeJvm jvm(plan);
  ExpectCopy(jvm, plan.root, AgentFile(), 0);
}

TEST(LibraryProvide, ReplacesAnOldCopy) {
  if (!CanChangeUser()) GTEST_SKIP() << "for root only";
  FakeJvmPlan plan = MakePlanWithRoot();
  FakeJvm jvm(plan);
  std::string old = plan.root + "/tmp/liborca-" + std::to_string(jvm.Pid()) + ".so";
  WriteFile(plan.root + "/tmp/kept", "kept");
  ASSERT_EQ(symlink("kept", old.c_str()), 0);
  ExpectCopy(jvm, plan.root, AgentFile(), 0);
  EXPECT_EQ(ReadFile(plan.root + "/tmp/kept"), "kept");
}

TEST(LibraryProvide, CopiesTheAgentIfTheUserMayNotEnterItsFolder) {
  if (!CanChangeUser()) GTEST_SKIP() << "for root only";
  FakeJvmPlan plan;
  plan.uid = 65534;
  FakeJvm jvm(plan);
  AgentFile agent;
  chmod(agent.folder.c_str(), 0700);
  ExpectCopy(jvm, "", agent, 65534);
}

TEST(LibraryProvide, RefusesIfTheCopyCannotBeCreated) {
  if (!CanChangeUser()) GTEST_SKIP() << "for root only";
  FakeJvmPlan plan = MakePlanWithRoot();
  FakeJvm jvm(plan);
  std::string path = "/tmp/liborca-" + std::to_string(jvm.Pid()) + ".so";
  ASSERT_EQ(mkdir((plan.root + path).c_str(), 0700), 0);
  OpenTarget target(jvm.Pid());
  struct library library;
  AgentFile agent;
  EXPECT_FALSE(library_provide(&target.t, agent.path.c_str(), &library, &target.why));
  EXPECT_EQ(target.why.text, "cannot copy the agent to " + path + " of process " +
                                 std::to_string(jvm.Pid()) + ": File exists");
}

TEST(LibraryLoaded, ReturnsThePathInsideAnotherRoot) {
  if (!CanChangeUser()) GTEST_SKIP() << "for root only";
  FakeJvmPlan plan = MakePlanWithRoot();
  plan.agent = "liborca.so";
  plan.inside = true;
  FakeJvm jvm(plan);
  EXPECT_EQ(FindLoaded(jvm), "/tmp/liborca.so");
}

}  // namespace
