#include "agent/thread/agent_thread.h"

#include <atomic>
#include <functional>
#include <future>
#include <vector>

#include "agent/base/clock.h"
#include "gtest/gtest.h"
#include "tests/support/eventually.h"
#include "tests/support/recording.h"

namespace {

class AgentThreadTest : public testing::Test {
 protected:
  AgentThreadTest() {
    static auto &all = *new std::vector<struct agent_thread *>; /* never freed */
    all.push_back(thread_ = new struct agent_thread());
  }

  bool StartThread(std::function<void()> run) {
    run_ = std::move(run);
    return agent_thread_start(thread_, "Orca test", r_.threads, r_.ti, r_.jni, CallRun, this);
  }
  bool SleepThread(uint64_t ns) { return agent_thread_sleep(thread_, ns); }

  static void CallRun(struct agent_thread *, jvmtiEnv *, JNIEnv *, void *test) {
    static_cast<AgentThreadTest *>(test)->run_();
  }

  Recording r_;
  struct agent_thread *thread_;
  std::function<void()> run_;
};

TEST_F(AgentThreadTest, RunsWithItsNameAndWithoutAContext) {
  std::atomic<struct context *> context{nullptr};
  std::atomic<bool> ran{false};
  EXPECT_TRUE(StartThread([&] {
    context = context_here(r_.threads, r_.ti, r_.jni);
    ran = true;
  }));
  agent_thread_stop(thread_, kPatienceNs);
  EXPECT_TRUE(ran);
  EXPECT_EQ(context, nullptr);
  EXPECT_EQ(r_.jvm.Threads().back()->name, "Orca test");
  EXPECT_EQ(r_.Records(), Lines{});
}

TEST_F(AgentThreadTest, SleepsForTheGivenTime) {
  std::atomic<bool> may_continue{false};
  uint64_t took = 0;
  StartThread([&] {
    uint64_t start = clock_monotonic_ns();
    may_continue = SleepThread(20 * NS_PER_MS);
    took = clock_monotonic_ns() - start;
  });
  r_.jvm.JoinAgentThreads();
  EXPECT_TRUE(may_continue);
  EXPECT_GE(took, 20 * NS_PER_MS);
}

TEST_F(AgentThreadTest, ContinuesWhenItIsWoken) {
  std::atomic<bool> may_continue{false};
  StartThread([&] { may_continue = SleepThread(3600 * NS_PER_S); });
  agent_thread_wake(thread_);  // works before the sleep and during it
  r_.jvm.JoinAgentThreads();
  EXPECT_TRUE(may_continue);
}

TEST_F(AgentThreadTest, StopEndsTheSleepAndWaitsForTheEnd) {
  std::atomic<bool> may_continue{true}, ended{false};
  StartThread([&] {
    may_continue = SleepThread(3600 * NS_PER_S);
    EXPECT_FALSE(SleepThread(3600 * NS_PER_S));
    ended = true;
  });
  agent_thread_stop(thread_, kPatienceNs);
  EXPECT_TRUE(ended);
  EXPECT_FALSE(may_continue);
  agent_thread_stop(thread_, kPatienceNs);  // a second stop does nothing
}

TEST_F(AgentThreadTest, StopWaitsNoLongerThanItsLimit) {
  std::atomic<bool> may_end{false};
  StartThread([&] {
    while (!may_end) std::this_thread::yield();
  });
  uint64_t start = clock_monotonic_ns();
  agent_thread_stop(thread_, 20 * NS_PER_MS);
  EXPECT_GE(clock_monotonic_ns() - start, 20 * NS_PER_MS);
  may_end = true;
  r_.jvm.JoinAgentThreads();
}

TEST_F(AgentThreadTest, StopDoesNothingBeforeTheFirstStart) {
  agent_thread_stop(thread_, 3600 * NS_PER_S);
  std::atomic<bool> may_continue{false};
  ASSERT_TRUE(StartThread([&] { may_continue = SleepThread(1); }));
  r_.jvm.JoinAgentThreads();
  EXPECT_TRUE(may_continue) << "the stop is still in force";
}

TEST_F(AgentThreadTest, StartsAgainOnlyAfterTheLastHasEnded) {
  for (int i = 0; i < 3; i++) {
    std::atomic<bool> may_continue{true};
    ASSERT_TRUE(StartThread([&] { may_continue = SleepThread(3600 * NS_PER_S); }));
    EXPECT_FALSE(
        agent_thread_start(thread_, "Orca test", r_.threads, r_.ti, r_.jni, CallRun, this));
    agent_thread_stop(thread_, kPatienceNs);
    EXPECT_FALSE(may_continue);
    threads_forget_ended(r_.threads, r_.jni);
  }
}

// The JVM lists a thread for some time after its function has returned. The next recordings begin
// in that time.
TEST_F(AgentThreadTest, IsHiddenUntilTheJvmHasEndedIt) {
  constexpr int kRounds = 3;
  std::promise<void> may_end;
  std::shared_future<void> end(may_end.get_future());
  r_.jvm.BeforeAgentThreadsEnd([this, end] {
    end.wait();
    context_end(r_.threads, r_.ti, r_.jni);  // as the callback of ThreadEnd
  });
  for (int i = 1; i <= kRounds; i++) {
    ASSERT_TRUE(StartThread([] {}));
    agent_thread_stop(thread_, 10 * NS_PER_S);
    ASSERT_FALSE(agent_thread_is_running(thread_));
    threads_forget_ended(r_.threads, r_.jni);
    r_.Again();
    context_announce_all(r_.threads, r_.ti, r_.jni);
    EXPECT_EQ(r_.jvm.NumGlobalRefs(), i);
  }
  may_end.set_value();
  r_.jvm.JoinAgentThreads();
  EXPECT_EQ(r_.Records(), Lines{});
  threads_forget_ended(r_.threads, r_.jni);
  EXPECT_EQ(r_.jvm.NumGlobalRefs(), 0);
}

TEST_F(AgentThreadTest, LeavesNoReferencesToThreadsThatHaveEnded) {
  for (int i = 0; i < 3 * MAX_OWN_THREADS; i++) {
    ASSERT_TRUE(StartThread([] {}));
    r_.jvm.JoinAgentThreads();
    EXPECT_EQ(r_.jvm.NumGlobalRefs(), 1);
  }
}

TEST_F(AgentThreadTest, DoesNotStartIfTheJvmRefusesAnyCall) {
  for (FakeCall call :
       {CALL_FindClass, CALL_GetMethodID, CALL_NewStringUTF, CALL_NewObject, CALL_RunAgentThread}) {
    r_.jvm.Fail(call);
    EXPECT_FALSE(StartThread([] { ADD_FAILURE(); })) << call;
    EXPECT_FALSE(r_.jni->ExceptionCheck()) << call;
    agent_thread_stop(thread_, 3600 * NS_PER_S);
  }
}

}  // namespace
