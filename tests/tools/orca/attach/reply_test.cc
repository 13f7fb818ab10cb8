#include "tools/orca/attach/reply.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>

#include "tests/tools/orca/attach/fake_jvm.h"

namespace {

std::string ReadReply(const struct reply &reply) {
  struct builder b = {};
  reply_read(&reply, &b);
  std::string text(b.data == nullptr ? "" : b.data, b.len);
  builder_free(&b);
  return text;
}

TEST(Reply, IsAPrivateFile) {
  FakeJvm jvm;
  OpenTarget target(jvm.Pid());
  struct reply reply;
  ASSERT_TRUE(reply_open(&reply, &target.t, &target.why)) << target.why.text;
  struct stat st;
  ASSERT_EQ(stat(reply.path, &st), 0);
  EXPECT_EQ(st.st_mode & 0777, 0600u);
  EXPECT_EQ(std::string(reply.path).find(','), std::string::npos);
  EXPECT_EQ(ReadReply(reply), "");
  WriteFile(reply.path, "one\ntwo\n");
  EXPECT_EQ(ReadReply(reply), "one\ntwo\n");
  WriteFile(reply.path, std::string(100000, 'x'));
  EXPECT_EQ(ReadReply(reply).size(), 65536u);
  reply_close(&reply, &target.t);
  EXPECT_FALSE(Exists(reply.path));
}

TEST(Reply, HasAUniquePath) {
  FakeJvm jvm;
  OpenTarget target(jvm.Pid());
  struct reply one, two;
  ASSERT_TRUE(reply_open(&one, &target.t, &target.why));
  ASSERT_TRUE(reply_open(&two, &target.t, &target.why));
  EXPECT_STRNE(one.path, two.path);
  reply_close(&one, &target.t);
  EXPECT_TRUE(Exists(two.path));
  reply_close(&two, &target.t);
}

TEST(Reply, BelongsToTheUserOfTheProcess) {
  if (!CanChangeUser()) GTEST_SKIP() << "for root only";
  FakeJvmPlan plan;
  plan.uid = 65534;
  FakeJvm jvm(plan);
  OpenTarget target(jvm.Pid());
  struct user before;
  struct reply reply;
  ASSERT_TRUE(user_become(target.t.user, &before));
  EXPECT_TRUE(reply_open(&reply, &target.t, &target.why)) << target.why.text;
  struct stat st;
  EXPECT_EQ(stat(reply.path, &st), 0);
  EXPECT_EQ(st.st_uid, 65534u);
  reply_close(&reply, &target.t);
  user_return(before);
}

TEST(Reply, IsRefusedWithoutAFolder) {
  if (!CanChangeUser()) GTEST_SKIP() << "for root only";
  FakeJvmPlan plan;
  plan.root = MakeFolder();
  std::string tmp = plan.root + "/tmp";
  ASSERT_EQ(mkdir(tmp.c_str(), 0777), 0);
  FakeJvm jvm(plan);
  OpenTarget target(jvm.Pid());
  ASSERT_EQ(rmdir(tmp.c_str()), 0);
  struct reply reply;
  EXPECT_FALSE(reply_open(&reply, &target.t, &target.why));
  EXPECT_EQ(target.why.text, "cannot create " + std::string(reply.path) + " of process " +
                                 std::to_string(jvm.Pid()) + ": No such file or directory");
}

}  // namespace
