/* Java threads of a fake JVM whose CPU clocks are those of real threads. */
#include <list>

#include "agent/thread/tids.h"
#include "gtest/gtest.h"
#include "tests/support/burner.h"
#include "tests/support/recording.h"

namespace {

class TidsLivingTest : public testing::Test {
 protected:
  TidsLivingTest() {
    tids_init(&tids_);
    tids_open(&tids_);
  }
  ~TidsLivingTest() override { tids_close(&tids_); }

  // A Java thread that sleeps, and the task that it is.
  FakeThread *Add(const std::string &java_name, const Burner &task, jint hash) {
    FakeThread *thread = r_.jvm.AddThread(java_name, hash);
    thread->cpu_ns = task.Cpu();
    return thread;
  }
  void Find() { tids_find_living(&tids_, r_.threads, r_.ti, r_.jni); }
  uint32_t Get(const Burner &task) {
    int64_t ignored;
    return tids_get(&tids_, task.tid(), &ignored);
  }

  Recording r_;
  struct tids tids_ = {};
};

TEST_F(TidsLivingTest, AThreadIsTheTaskWithItsClock) {
  Burner a("java"), b("java"), c("java");
  a.Burn(100'000);
  b.Burn(200'000);
  Add("main", a, 0xA);
  Add("Finalizer", b, 0xB);
  Find();
  EXPECT_EQ(Get(a), 0xAu);
  EXPECT_EQ(Get(b), 0xBu);
  EXPECT_EQ(Get(c), 0u) << "no Java thread";
  EXPECT_EQ(tids_.num_unknown, 0u);
  EXPECT_EQ(r_.jvm.NumLocalRefs(), 0);
}

TEST_F(TidsLivingTest, AThreadThatRunsIsFoundBetweenTwoReadings) {
  Burner a("worker-1"), b("worker-2");
  FakeThread *java_a = Add("worker-1", a, 0xA), *java_b = Add("worker-2", b, 0xB);
  java_a->cpu_ns = java_b->cpu_ns = 0;
  /* Each reading by the JVM is later than all of the kernel's before, as of a thread that runs. */
  r_.jvm.During(CALL_GetThreadCpuTime, [&] {
    a.Burn(10'000);
    b.Burn(10'000);
    java_a->cpu_ns = a.Cpu();
    java_b->cpu_ns = b.Cpu();
  });
  Find();
  EXPECT_EQ(Get(a), 0xAu);
  EXPECT_EQ(Get(b), 0xBu);
}

TEST_F(TidsLivingTest, WhoIsNotFoundIsKnownByNameAndFoundLater) {
  Burner a("a thread with a");
  FakeThread *java = Add("a thread with a long name", a, 0xA);
  java->cpu_ns = INT64_MAX;
  Find();
  EXPECT_EQ(Get(a), 0u);
  EXPECT_TRUE(tids_is_unknown(&tids_, "a thread with a"));
  EXPECT_FALSE(tids_is_unknown(&tids_, "another thread"));
  java->cpu_ns = a.Cpu();
  Find();
  EXPECT_EQ(Get(a), 0xAu);
  EXPECT_FALSE(tids_is_unknown(&tids_, "a thread with a"));
}

TEST_F(TidsLivingTest, MainHasTheNameOfTheProgram) {
  r_.jvm.AddThread("main", 0xA)->cpu_ns = INT64_MAX;
  Find();
  char name[TASK_NAME_SIZE];
  task_read_name("/proc/self/task", static_cast<uint32_t>(getpid()), name);
  EXPECT_TRUE(tids_is_unknown(&tids_, name)) << name;
  EXPECT_FALSE(tids_is_unknown(&tids_, "main"));
}

TEST_F(TidsLivingTest, ThoseThatAreEnteredAreNotLookedFor) {
  Burner a("a"), b("b");
  Add("a", a, 0xA);
  tids_put(&tids_, b.tid(), 0xA);
  Find();
  EXPECT_EQ(Get(a), 0u);
  EXPECT_EQ(Get(b), 0xAu);
}

TEST_F(TidsLivingTest, OrcasOwnAreNoJavaThreads) {
  Burner a("Orca sampler");
  ASSERT_TRUE(threads_hide(r_.threads, r_.jni, Add("Orca sampler", a, 0xA)->Ref()));
  Find();
  EXPECT_EQ(Get(a), 0u);
  EXPECT_EQ(tids_.num_unknown, 0u);
}

TEST_F(TidsLivingTest, WhatTheJvmRefusesLeavesThreadsUnknown) {
  Burner a("a");
  Add("a", a, 0xA);
  r_.jvm.Fail(CALL_GetAllThreads);
  Find();
  EXPECT_EQ(Get(a), 0u);
  r_.jvm.Fail(CALL_GetThreadCpuTime, 1'000'000);
  Find();
  EXPECT_EQ(Get(a), 0u);
  EXPECT_EQ(tids_.num_unknown, 1u);
  r_.jvm.Fail(CALL_GetThreadCpuTime, 0);
  Find();
  EXPECT_EQ(Get(a), 0xAu);
  EXPECT_EQ(r_.jvm.NumLocalRefs(), 0);
}

TEST_F(TidsLivingTest, OfMoreUnknownThanThereIsRoomForTheFirstAreKnown) {
  for (int i = 0; i < 2 * TIDS_MAX_UNKNOWN; i++) {
    r_.jvm.AddThread("t" + std::to_string(i), 0x100 + i)->cpu_ns = INT64_MAX - i;
  }
  Find();
  EXPECT_EQ(tids_.num_unknown, static_cast<unsigned>(TIDS_MAX_UNKNOWN));
  EXPECT_TRUE(tids_is_unknown(&tids_, "t0"));
}

}  // namespace
