#include "sampler/cgroup.h"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "gtest/gtest.h"

namespace {

namespace fs = std::filesystem;

class CgroupTest : public testing::Test {
 protected:
  CgroupTest() : folder_(fs::path(testing::TempDir()) / ("cgroup-" + std::to_string(getpid()))) {
    fs::remove_all(folder_);
    fs::create_directories(folder_ / "root");
  }
  ~CgroupTest() override { fs::remove_all(folder_); }

  // Writes "self", or a file below "root".
  void Write(const std::string &file, const std::string &text) {
    fs::path path = folder_ / file;
    fs::create_directories(path.parent_path());
    std::ofstream(path) << text;
  }
  struct cgroup Find() {
    struct cgroup c;
    cgroup_find(&c, (folder_ / "self").c_str(), (folder_ / "root").c_str());
    return c;
  }

  fs::path folder_;
};

TEST_F(CgroupTest, ReadsVersion2) {
  Write("self", "0::/system.slice/shop.service\n");
  Write("root/system.slice/shop.service/cpu.max", "50000 100000\n");
  Write("root/system.slice/shop.service/cpu.stat",
        "usage_usec 900\nnr_periods 7\nnr_throttled 3\nthrottled_usec 1234\n");
  struct cgroup c = Find();
  EXPECT_DOUBLE_EQ(c.quota, 0.5);
  EXPECT_EQ(cgroup_read_throttled(&c), 1234000);
}

TEST_F(CgroupTest, SelectsTheSmallestQuotaOfAllAncestors) {
  Write("self", "0::/a/b/c\n");
  Write("root/a/cpu.max", "150000 100000\n");
  Write("root/a/cpu.stat", "throttled_usec 5\n");
  Write("root/a/b/cpu.max", "200000 100000\n");
  Write("root/a/b/cpu.stat", "throttled_usec 6\n");
  Write("root/a/b/c/cpu.max", "max 100000\n");
  Write("root/a/b/c/cpu.stat", "throttled_usec 7\n");
  struct cgroup c = Find();
  EXPECT_DOUBLE_EQ(c.quota, 1.5);
  EXPECT_EQ(cgroup_read_throttled(&c), 5000);
}

TEST_F(CgroupTest, ReadsThrottlingOfItsOwnGroupWithoutAQuota) {
  Write("self", "0::/a/b\n");
  Write("root/a/cpu.stat", "throttled_usec 5\n");
  Write("root/a/b/cpu.max", "max 100000\n");
  Write("root/a/b/cpu.stat", "throttled_usec 0\n");
  struct cgroup c = Find();
  EXPECT_EQ(c.quota, 0);
  EXPECT_EQ(cgroup_read_throttled(&c), 0);
}

TEST_F(CgroupTest, FindsItsOwnGroupAtTheRootInAContainer) {
  Write("self", "0::/\n");
  Write("root/cpu.max", "25000 100000\n");
  Write("root/cpu.stat", "throttled_usec 9\n");
  struct cgroup c = Find();
  EXPECT_DOUBLE_EQ(c.quota, 0.25);
  EXPECT_EQ(cgroup_read_throttled(&c), 9000);
}

/* In a container, /proc/self/cgroup contains the path on the host, and only the folder of the
   process's own group is mounted, as the root. */
TEST_F(CgroupTest, UsesTheRootIfItsGroupIsNotMounted) {
  Write("self", "4:cpu,cpuacct:/docker/0a1b\n");
  Write("root/cpu,cpuacct/cpu.cfs_quota_us", "150000\n");
  Write("root/cpu,cpuacct/cpu.cfs_period_us", "50000\n");
  Write("root/cpu,cpuacct/cpu.stat", "nr_periods 1\nnr_throttled 1\nthrottled_time 77\n");
  struct cgroup c = Find();
  EXPECT_DOUBLE_EQ(c.quota, 3);
  EXPECT_EQ(cgroup_read_throttled(&c), 77);
}

TEST_F(CgroupTest, ReadsVersion1InHybridMode) {
  Write("self", "9:name=systemd:/\n3:cpuset:/x\n2:cpuacct:/x\n1:cpu:/x\n0::/\n");
  Write("root/cpu/x/cpu.cfs_quota_us", "-1\n");
  Write("root/cpu/x/cpu.cfs_period_us", "100000\n");
  Write("root/cpu/x/cpu.stat", "throttled_time 3\n");
  Write("root/unified/cgroup.procs", "1\n");
  struct cgroup c = Find();
  EXPECT_EQ(c.quota, 0);
  EXPECT_EQ(cgroup_read_throttled(&c), 3);
}

TEST_F(CgroupTest, KnowsNothingIfNothingCanBeRead) {
  struct cgroup c = Find();
  EXPECT_EQ(c.quota, 0);
  EXPECT_EQ(cgroup_read_throttled(&c), -1);
  for (const char *self : {"", "nonsense\n", "0:\n", "1:cpu\n", "0::/gone\n", ":::::\n"}) {
    Write("self", self);
    c = Find();
    EXPECT_EQ(c.quota, 0) << self;
    EXPECT_EQ(cgroup_read_throttled(&c), -1) << self;
  }
}

TEST_F(CgroupTest, IgnoresInvalidValues) {
  Write("self", "0::/\n1:cpu:/\n");
  Write("root/cpu.max", "many 100000\n");
  Write("root/cpu.stat", "throttled_usec -4\n");
  Write("root/cpu/cpu.cfs_quota_us", "50000\n");
  Write("root/cpu/cpu.cfs_period_us", "0\n");
  struct cgroup c = Find();
  EXPECT_EQ(c.quota, 0);
  EXPECT_EQ(cgroup_read_throttled(&c), -1);
  Write("root/cpu.max", "50000");
  EXPECT_EQ(Find().quota, 0);
}

}  // namespace
