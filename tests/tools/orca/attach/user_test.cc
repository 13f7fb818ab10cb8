#include "tools/orca/attach/user.h"

#include <errno.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "tests/tools/orca/attach/fake_jvm.h"

namespace {

const struct user kNobody = {65534, 65534};

TEST(User, ChangesFromRootAndBack) {
  if (!CanChangeUser()) GTEST_SKIP() << "for root only";
  gid_t group = getegid();
  struct user before;
  ASSERT_TRUE(user_become(kNobody, &before));
  EXPECT_EQ(geteuid(), kNobody.uid);
  EXPECT_EQ(getegid(), kNobody.gid);
  EXPECT_EQ(getgroups(0, nullptr), 0);
  user_return(before);
  EXPECT_EQ(geteuid(), 0u);
  EXPECT_EQ(getegid(), group);
}

TEST(User, DoesNothingIfAlreadyChanged) {
  if (!CanChangeUser()) GTEST_SKIP() << "for root only";
  struct user before, inner;
  ASSERT_TRUE(user_become(kNobody, &before));
  EXPECT_TRUE(user_become({12345, 12345}, &inner));
  EXPECT_EQ(geteuid(), kNobody.uid);
  user_return(inner);
  EXPECT_EQ(geteuid(), kNobody.uid);
  user_return(before);
  EXPECT_EQ(geteuid(), 0u);
}

TEST(User, DoesNothingWithoutRoot) {
  if (geteuid() == 0) GTEST_SKIP() << "not for root";
  uid_t us = geteuid();
  struct user before;
  EXPECT_TRUE(user_become(kNobody, &before));
  EXPECT_EQ(geteuid(), us);
  user_return(before);
  EXPECT_EQ(geteuid(), us);
}

TEST(User, KeepsErrnoOnReturn) {
  struct user before;
  ASSERT_TRUE(user_become({geteuid(), getegid()}, &before));
  errno = ENOTDIR;
  user_return(before);
  EXPECT_EQ(errno, ENOTDIR);
}

}  // namespace
