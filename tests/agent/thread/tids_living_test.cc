/* Java threads of a fake JVM, with the CPU clocks of real threads. */
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

  // Adds a sleeping Java thread with the CPU clock of `task`.
  FakeThread *AddThread(const std::string &java_name, Burner &task, jint hash) {
    FakeThread *thread = r_.jvm.AddThread(java_name, hash);
    thread->cpu_ns = task.Cpu();
    return thread;
  }
  void FindLiving() { tids_find_living(&tids_, r_.threads, r_.ti, r_.jni); }
  uint32_t GetThread(Burner &task) {
    int64_t ignored;
    return tids_get(&tids_, task.tid(), &ignored);
  }

  Recording r_;
  struct tids tids_ = {};
};

TEST_F(TidsLivingTest, FindsTheTaskWithTheSameClock) {
  Burner a("java"), b("java"), c("java");
  a.Burn(100'000);
  b.Burn(200'000);
  AddThread("main", a, 0xA);
  AddThread("Finalizer", b, 0xB);
  FindLiving();
  EXPECT_EQ(GetThread(a), 0xAu);
  EXPECT_EQ(GetThread(b), 0xBu);
  EXPECT_EQ(GetThread(c), 0u) << "not a Java thread";
  EXPECT_EQ(tids_.num_unknown, 0u);
  EXPECT_EQ(r_.jvm.NumLocalRefs(), 0);
}

TEST_F(TidsLivingTest, FindsARunningThreadBetweenTwoReadings) {
  Burner a("worker-1"), b("worker-2");
  FakeThread *java_a = AddThread("worker-1", a, 0xA), *java_b = AddThread("worker-2", b, 0xB);
  java_a->cpu_ns = java_b->cpu_ns = 0;
  /* The CPU time grows before each reading by the JVM, as that of a running thread. */
  r_.jvm.During(CALL_GetThreadCpuTime, [&] {
    a.Burn(10'000);
    b.Burn(10'000);
    java_a->cpu_ns = a.Cpu();
    java_b->cpu_ns = b.Cpu();
  });
  FindLiving();
  EXPECT_EQ(GetThread(a), 0xAu);
  EXPECT_EQ(GetThread(b), 0xBu);
}

TEST_F(TidsLivingTest, KeepsTheNameOfAnUnknownThreadAndFindsItLater) {
  Burner a("a thread with a");
  FakeThread *java = AddThread("a thread with a long name", a, 0xA);
  java->cpu_ns = INT64_MAX;
  FindLiving();
  EXPECT_EQ(GetThread(a), 0u);
  EXPECT_TRUE(tids_is_unknown(&tids_, "a thread with a"));
  EXPECT_TRUE(tids_is_unknown(&tids_, "a threa..g name")) << "since JDK 26";
  EXPECT_FALSE(tids_is_unknown(&tids_, "another thread"));
  java->cpu_ns = a.Cpu();
  FindLiving();
  EXPECT_EQ(GetThread(a), 0xAu);
  EXPECT_FALSE(tids_is_unknown(&tids_, "a thread with a"));
}

TEST_F(TidsLivingTest, UsesTheNameOfTheExecutableForMain) {
  r_.jvm.AddThread("main", 0xA)->cpu_ns = INT64_MAX;
  FindLiving();
  char name[TASK_NAME_SIZE];
  task_read_name("/proc/self/task", static_cast<uint32_t>(getpid()), name);
  EXPECT_TRUE(tids_is_unknown(&tids_, name)) << name;
  EXPECT_FALSE(tids_is_unknown(&tids_, "main"));
}

TEST_F(TidsLivingTest, SkipsThreadsThatAreEntered) {
  Burner a("a"), b("b");
  AddThread("a", a, 0xA);
  tids_put(&tids_, b.tid(), 0xA);
  FindLiving();
  EXPECT_EQ(GetThread(a), 0u);
  EXPECT_EQ(GetThread(b), 0xAu);
}

// The JVM lists a thread before it calls ThreadStart.
TEST_F(TidsLivingTest, AnnouncesTheThreadsThatItFinds) {
  Burner a("a"), b("b");
  AddThread("a", a, 0xA);
  AddThread("b", b, 0xB);
  context_announce_all(r_.threads, r_.ti, r_.jni);
  r_.Records();
  Burner c("c");
  AddThread("c", c, 0xC);
  FindLiving();
  EXPECT_EQ(GetThread(c), 0xCu);
  EXPECT_EQ(r_.Records(), Lines{"ThreadStarted,0000000C,c"});
}

TEST_F(TidsLivingTest, SkipsOrcasOwnThreads) {
  Burner a("Orca sampler");
  ASSERT_TRUE(threads_hide(r_.threads, r_.jni, AddThread("Orca sampler", a, 0xA)->Ref()));
  FindLiving();
  EXPECT_EQ(GetThread(a), 0u);
  EXPECT_EQ(tids_.num_unknown, 0u);
}

TEST_F(TidsLivingTest, LeavesThreadsUnknownIfTheJvmRefuses) {
  Burner a("a");
  AddThread("a", a, 0xA);
  r_.jvm.Fail(CALL_GetAllThreads);
  FindLiving();
  EXPECT_EQ(GetThread(a), 0u);
  r_.jvm.Fail(CALL_GetThreadCpuTime, 1'000'000);
  FindLiving();
  EXPECT_EQ(GetThread(a), 0u);
  EXPECT_EQ(tids_.num_unknown, 1u);
  r_.jvm.Fail(CALL_GetThreadCpuTime, 0);
  FindLiving();
  EXPECT_EQ(GetThread(a), 0xAu);
  EXPECT_EQ(r_.jvm.NumLocalRefs(), 0);
}

TEST_F(TidsLivingTest, KeepsTheFirstNamesOfTooManyUnknownThreads) {
  for (int i = 0; i < 2 * TIDS_MAX_UNKNOWN; i++) {
    r_.jvm.AddThread("t" + std::to_string(i), 0x100 + i)->cpu_ns = INT64_MAX - i;
  }
  FindLiving();
  EXPECT_EQ(tids_.num_unknown, static_cast<unsigned>(TIDS_MAX_UNKNOWN));
  EXPECT_TRUE(tids_is_unknown(&tids_, "t0"));
}

}  // namespace
