#include "agent/base/task.h"

#include <dirent.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <set>
#include <string>
#include <thread>

#include "gtest/gtest.h"

namespace {

const char kFolder[] = "/proc/self/task";

uint32_t GetOwnTid() { return static_cast<uint32_t>(syscall(SYS_gettid)); }

int64_t ReadOwnClock() {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

TEST(Task, CpuReadsTheClockOfTheThread) {
  int64_t cpu = -1, before = ReadOwnClock();
  ASSERT_TRUE(task_cpu(GetOwnTid(), &cpu));
  EXPECT_LE(before, cpu);
  EXPECT_LE(cpu, ReadOwnClock());
}

TEST(Task, CpuFailsForForeignThreads) {
  int64_t cpu = 0;
  EXPECT_FALSE(task_cpu(0x3FFFFE, &cpu));
  EXPECT_FALSE(task_cpu(1, &cpu)) << "tid 1 is in another process";
}

TEST(Task, ReadNameReturnsTheNameInTheKernel) {
  std::thread([] {
    pthread_setname_np(pthread_self(), "fifteen letters");
    char name[TASK_NAME_SIZE];
    task_read_name(kFolder, GetOwnTid(), name);
    EXPECT_STREQ(name, "fifteen letters");
  }).join();
  char name[TASK_NAME_SIZE] = "x";
  task_read_name(kFolder, 0x7FFFFFFF, name);
  EXPECT_STREQ(name, "");
}

TEST(Task, ReadFileReadsAsMuchAsFits) {
  char text[4];
  ASSERT_TRUE(task_read_file(kFolder, GetOwnTid(), "status", text, sizeof text));
  EXPECT_STREQ(text, "Nam");
  EXPECT_FALSE(task_read_file(kFolder, GetOwnTid(), "no such file", text, sizeof text));
}

TEST(Task, ReadSchedstatReturnsBothTimes) {
  int64_t cpu = -1, wait = -1;
  if (!task_read_schedstat(kFolder, GetOwnTid(), &cpu, &wait)) GTEST_SKIP() << "not on this kernel";
  EXPECT_GT(cpu, 0);
  EXPECT_LE(cpu, ReadOwnClock());
  EXPECT_GE(wait, 0);
  EXPECT_FALSE(task_read_schedstat(kFolder, 0x3FFFFE, &cpu, &wait));
}

TEST(Task, NextFindsAllTasksOfAFolder) {
  DIR *folder = opendir(kFolder);
  ASSERT_NE(folder, nullptr);
  std::set<uint32_t> tids;
  for (uint32_t tid; task_next(folder, &tid);) tids.insert(tid);
  closedir(folder);
  EXPECT_EQ(tids.count(GetOwnTid()), 1u);
  EXPECT_EQ(tids.count(0), 0u);
}

TEST(TaskNames, ArePartsOfTheNameThatTheJvmGives) {
  struct task_names names;
  task_names_set(&names, "C2 CompilerThread0");
  EXPECT_TRUE(task_names_have(&names, "C2 CompilerThre"));
  EXPECT_TRUE(task_names_have(&names, "C2 Comp..hread0"));
  EXPECT_FALSE(task_names_have(&names, "C1 Comp..hread0"));
  task_names_set(&names, "exactly 15 byte");
  EXPECT_TRUE(task_names_have(&names, "exactly 15 byte"));
  EXPECT_FALSE(task_names_have(&names, "exactly..5 byte"));
  task_names_set(&names, "");
  EXPECT_TRUE(task_names_have(&names, ""));
}

}  // namespace
