#include "tools/orca/attach/library.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>

#include "tests/tools/orca/attach/fake_jvm.h"

namespace {

std::string Real(const std::string &path) {
  char real[PATH_MAX];
  return realpath(path.c_str(), real) == nullptr ? "" : real;
}

std::string Loaded(const FakeJvm &jvm) {
  OpenTarget target(jvm.Pid());
  struct library library;
  return target.good && library_loaded(&target.t, &library) ? library.path : "none";
}

FakeJvmPlan WithAgent(const std::string &name) {
  FakeJvmPlan plan;
  plan.agent = name;
  return plan;
}

TEST(LibraryLoaded, ByItsName) {
  for (const char *name : {"liborca.so", "liborca-17.so"}) {
    FakeJvm jvm(WithAgent(name));
    EXPECT_EQ(Loaded(jvm), Real(jvm.Folder()) + "/" + name);
  }
  for (const char *name : {"liborcas.so", "liborca.so.1", "orca.so", ""}) {
    FakeJvm jvm(WithAgent(name));
    EXPECT_EQ(Loaded(jvm), "none") << name;
  }
}

TEST(LibraryLoaded, AlsoWhenItsFileIsGone) {
  FakeJvm jvm(WithAgent("liborca.so"));
  std::string path = Real(jvm.Folder()) + "/liborca.so";
  ASSERT_EQ(unlink(path.c_str()), 0);
  EXPECT_EQ(Loaded(jvm), path);
}

struct Own {
  Own() : folder(Real(MakeFolder())), path(folder + "/liborca.so") {
    WriteFile(path, std::string(200000, 'o'));
    chmod(path.c_str(), 0755);
  }
  std::string folder, path;
};

TEST(LibraryProvide, WhereItLies) {
  Own own;
  FakeJvm jvm;
  OpenTarget target(jvm.Pid());
  std::string link = own.folder + "/link.so";
  ASSERT_EQ(symlink("liborca.so", link.c_str()), 0);
  struct library library;
  ASSERT_TRUE(library_provide(&target.t, link.c_str(), &library, &target.why)) << target.why.text;
  EXPECT_EQ(library.path, own.path);
  EXPECT_FALSE(library.copied);
  library_withdraw(&target.t, &library);
  EXPECT_TRUE(Exists(own.path));
}

TEST(LibraryProvide, NoneThere) {
  FakeJvm jvm;
  OpenTarget target(jvm.Pid());
  struct library library;
  EXPECT_FALSE(library_provide(&target.t, "/none/liborca.so", &library, &target.why));
  EXPECT_STREQ(target.why.text,
               "cannot open the agent /none/liborca.so: No such file or directory");
}

void ExpectCopy(const FakeJvm &jvm, const std::string &root, const Own &own, uid_t owner) {
  OpenTarget target(jvm.Pid());
  ASSERT_TRUE(target.good) << target.why.text;
  struct library library;
  ASSERT_TRUE(library_provide(&target.t, own.path.c_str(), &library, &target.why))
      << target.why.text;
  EXPECT_TRUE(library.copied);
  EXPECT_EQ(library.path, "/tmp/liborca-" + std::to_string(jvm.Pid()) + ".so");
  struct stat st;
  ASSERT_EQ(stat((root + library.path).c_str(), &st), 0);
  EXPECT_EQ(st.st_uid, owner);
  EXPECT_EQ(st.st_mode & 0777, 0700u);
  EXPECT_EQ(ReadFile(root + library.path), ReadFile(own.path));
  library_withdraw(&target.t, &library);
  EXPECT_FALSE(Exists(root + library.path));
}

FakeJvmPlan InRoot() {
  FakeJvmPlan plan;
  plan.root = Real(MakeFolder());
  EXPECT_EQ(mkdir((plan.root + "/tmp").c_str(), 0777), 0);
  return plan;
}

TEST(LibraryProvide, ACopyForAnotherRoot) {
  if (!CanBeOthers()) GTEST_SKIP() << "for root only";
  FakeJvmPlan plan = InRoot();
  FakeJvm jvm(plan);
  ExpectCopy(jvm, plan.root, Own(), 0);
}

TEST(LibraryProvide, ACopyInPlaceOfAnOldOne) {
  if (!CanBeOthers()) GTEST_SKIP() << "for root only";
  FakeJvmPlan plan = InRoot();
  FakeJvm jvm(plan);
  std::string old = plan.root + "/tmp/liborca-" + std::to_string(jvm.Pid()) + ".so";
  WriteFile(plan.root + "/tmp/kept", "kept");
  ASSERT_EQ(symlink("kept", old.c_str()), 0);
  ExpectCopy(jvm, plan.root, Own(), 0);
  EXPECT_EQ(ReadFile(plan.root + "/tmp/kept"), "kept");
}

TEST(LibraryProvide, ACopyForAUserWhoMayNotEnterOurFolder) {
  if (!CanBeOthers()) GTEST_SKIP() << "for root only";
  FakeJvmPlan plan;
  plan.uid = 65534;
  FakeJvm jvm(plan);
  Own own;
  chmod(own.folder.c_str(), 0700);
  ExpectCopy(jvm, "", own, 65534);
}

TEST(LibraryProvide, NoRoomForACopy) {
  if (!CanBeOthers()) GTEST_SKIP() << "for root only";
  FakeJvmPlan plan = InRoot();
  FakeJvm jvm(plan);
  std::string path = "/tmp/liborca-" + std::to_string(jvm.Pid()) + ".so";
  ASSERT_EQ(mkdir((plan.root + path).c_str(), 0700), 0);
  OpenTarget target(jvm.Pid());
  struct library library;
  Own own;
  EXPECT_FALSE(library_provide(&target.t, own.path.c_str(), &library, &target.why));
  EXPECT_EQ(target.why.text, "cannot copy the agent to " + path + " of process " +
                                 std::to_string(jvm.Pid()) + ": File exists");
}

TEST(LibraryLoaded, InAnotherRootAsSeenFromThere) {
  if (!CanBeOthers()) GTEST_SKIP() << "for root only";
  FakeJvmPlan plan = InRoot();
  plan.agent = "liborca.so";
  plan.inside = true;
  FakeJvm jvm(plan);
  EXPECT_EQ(Loaded(jvm), "/tmp/liborca.so");
}

}  // namespace
