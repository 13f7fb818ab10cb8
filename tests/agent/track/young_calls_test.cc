// Young calls: those that have no event yet, since they may end before the threshold.
#include "agent/track/young_calls.h"

#include <memory>

#include "agent/base/os_thread.h"
#include "tests/agent/track/young_fixture.h"
#include "tests/support/fake_frames.h"

namespace {

TEST_F(YoungCallsTest, ACallThatEndsEarlyIsOnlyCounted) {
  Enter(wait_, lock_);
  int walks = r_.jvm.Calls(CALL_GetStackTrace);
  Exit();
  EXPECT_EQ(Call(acquire_, lock_), Lines{});
  EXPECT_EQ(r_.Events(), Lines{});
  EXPECT_EQ(r_.jvm.Calls(CALL_GetStackTrace), walks);
  EXPECT_EQ(walks, 0);
  EXPECT_EQ(TakeShort(), (Lines{"ObjectWait 10 1 0", "SemaphoreAcquire 10 1 0"}));
}

TEST_F(YoungCallsTest, ACallThatTakesLongIsRecordedWhenItEnds) {
  Enter(wait_, lock_, HOOK_CALLED);
  EXPECT_EQ(r_.Events(), Lines{});
  MakeCallsLong();
  Exit(/* failed */ false, HOOK_CALLED);
  EXPECT_EQ(r_.Events(), (Lines{"ObjectWait,0000000A,00000010,1;00000001;00000000",
                                "ObjectWaited,0000000A,00000010,1;00000001;00000000"}));
  EXPECT_EQ(TakeShort(), Lines{});
}

TEST_F(YoungCallsTest, ItsBeginHasTheTimeOfTheEntry) {
  uint64_t before = clock_monotonic_ns();
  Enter(wait_, lock_);
  uint64_t entered = clock_monotonic_ns();
  MakeCallsLong();
  Exit();
  struct record taken[8];
  uint64_t complete, begun = 0;
  for (unsigned lane = 0; lane < queue_num_lanes(r_.recorder->queue); lane++) {
    size_t n = queue_take(r_.recorder->queue, lane, taken, 8, &complete);
    for (size_t i = 0; i < n; i++) {
      if (taken[i].event == EVENT_OBJECT_WAIT) begun = taken[i].time_ns;
      record_release(&taken[i]);
    }
  }
  EXPECT_GE(begun + 3, before);
  EXPECT_LE(begun, entered);
}

TEST_F(YoungCallsTest, ACallInsideAYoungCallIsRecordedAtOnce) {
  Enter(join_, lock_);
  PushFrames(program_);
  EXPECT_EQ(Call(wait_, lock_).size(), 2u);
  Pop();
  MakeCallsLong();
  Exit();
  Lines lines = r_.Events();
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0].substr(0, 10), "ThreadJoin");
}

TEST_F(YoungCallsTest, ACallOfTheJdkInsideAYoungCallIsNotRecorded) {
  Enter(join_, lock_);
  PushFrames(inner_);
  EXPECT_EQ(Call(wait_, lock_), Lines{});
  Pop();
  MakeCallsLong();
  Exit();
  EXPECT_EQ(r_.Events().size(), 2u);
}

TEST_F(YoungCallsTest, AMissedExitHasNoStack) {
  Enter(join_, lock_);
  MakeCallsLong();
  hook_thread_end(hooks_, context_known(r_.threads, r_.ti, r_.jni));
  EXPECT_EQ(r_.Events(),
            (Lines{"ThreadJoin,0000000A,00000010,0", "ThreadJoined,0000000A,00000010,0"}));
}

TEST_F(YoungCallsTest, OnlyRowsWithAKnownMethodAreYoung) {
  EXPECT_EQ(Call(park_, nullptr).size(), 2u);
  AddRow(park_);
  EXPECT_EQ(Call(park_, nullptr), Lines{});
}

/* --- calls that are long ---------------------------------------------------------------------- */

class LongCallsTest : public YoungCallsTest {
 protected:
  // A call that the watch records.
  void MakeLongCall(int row) {
    Enter(row, lock_);
    RecordAll();
    MakeCallsLong();
    Exit();
    ForbidLongCalls();
    EXPECT_EQ(r_.Events().size(), 2u);
  }
};

// The watch would have to take their stacks, which costs more.
TEST_F(LongCallsTest, AfterALongCallTheNextIsRecordedAtOnce) {
  MakeLongCall(wait_);
  EXPECT_EQ(Call(acquire_, lock_), Lines{}) << "another row";
  for (int i = 0; i < 2; i++) {
    Enter(wait_, lock_);
    EXPECT_EQ(r_.Events(), Lines{"ObjectWait,0000000A,00000010,1;00000001;00000005"});
    MakeCallsLong();
    Exit();
    ForbidLongCalls();
    EXPECT_EQ(r_.Events().size(), 1u);
  }
}

TEST_F(LongCallsTest, AfterAShortCallTheNextIsYoungAgain) {
  MakeLongCall(wait_);
  EXPECT_EQ(Call(wait_, lock_).size(), 2u);
  TakeShort();
  EXPECT_EQ(Call(wait_, lock_), Lines{});
  EXPECT_EQ(TakeShort(), Lines{"ObjectWait 10 1 0"});
}

// As a snapshot does.
TEST_F(LongCallsTest, AfterAShortCallThatWasRecordedTheNextIsYoung) {
  Enter(wait_, lock_);
  RecordAll();
  Exit();
  EXPECT_EQ(r_.Events().size(), 2u);
  EXPECT_EQ(Call(wait_, lock_), Lines{});
}

TEST_F(LongCallsTest, AfterACallThatTheThreadRecordedTheNextIsYoung) {
  Enter(wait_, lock_);
  MakeCallsLong();
  Exit();
  r_.Events();
  ForbidLongCalls();
  EXPECT_EQ(Call(wait_, lock_), Lines{});
  EXPECT_EQ(TakeShort(), Lines{"ObjectWait 10 1 0"});
}

/* --- handing over ---------------------------------------------------------------------------- */

class HandoverTest : public YoungCallsTest {
 protected:
  HandoverTest() {
    AddRow(submit_);
    AddRow(cover_);
  }
  const int submit_ = FindRow("Ljava/util/concurrent/ThreadPerTaskExecutor;", "submit",
                              "(Ljava/lang/Runnable;)Ljava/util/concurrent/Future;");
  const int start_ = FindRow("Ljava/lang/Thread;", "start", "()V");
  FakeThread *started_ = r_.jvm.AddThread("V", 0xC);
};

TEST_F(HandoverTest, TasksAndVirtualThreadsAreOnlySummedUp) {
  for (int i = 0; i < 2; i++) {
    Enter(submit_, lock_);
    PushFrames(inner_);
    Enter(cover_, started_);
    Exit();
    Pop();
    Exit();
  }
  EXPECT_EQ(r_.Events(), Lines{});
  EXPECT_EQ(TakeShort(), (Lines{"ExecutorSubmit 10 2 0", "ThreadStart 0 2 0"}));
}

TEST_F(HandoverTest, CallsOfTheJdkInsideAreStillPartOfIt) {
  for (int row : {submit_, cover_}) {
    Enter(row, row == cover_ ? started_ : lock_);
    PushFrames(inner_);
    EXPECT_EQ(Call(acquire_, lock_), Lines{});
    Pop();
    PushFrames(program_);
    Call(acquire_, lock_);
    Pop();
    Exit();
    Lines sums = TakeShort();
    ASSERT_EQ(sums.size(), 2u);
    EXPECT_EQ(sums[1].substr(0, 21), row == cover_ ? "ThreadStart 0 1 0" : "SemaphoreAcquire 10 1");
  }
}

TEST_F(HandoverTest, StartsOfPlatformThreadsHaveLines) {
  AddRow(start_);
  EXPECT_EQ(Call(start_, started_).size(), 1u);
  EXPECT_EQ(TakeShort(), Lines{});
}

TEST_F(HandoverTest, HasLinesWithoutYoungCalls) {
  Stop();
  EXPECT_EQ(Call(submit_, lock_).size(), 1u);
  EXPECT_EQ(Call(cover_, started_).size(), 1u);
  EXPECT_EQ(TakeShort(), Lines{});
}

/* --- virtual threads ------------------------------------------------------------------------- */

class VirtualYoungCallsTest : public YoungCallsTest {
 protected:
  VirtualYoungCallsTest() {
    r_.jvm.HaveVirtualThreads();
    virtual_->is_virtual = true;
    now_ = virtual_;
    running_now_ = std::make_unique<FakeJvm::Running>(virtual_);
    AddRow(park_);
  }
  ~VirtualYoungCallsTest() override { running_now_.reset(); }

  FakeThread *virtual_ = r_.jvm.AddThread("U", 0xB);
  std::unique_ptr<FakeJvm::Running> running_now_;
};

TEST_F(VirtualYoungCallsTest, AShortCallIsSummedUp) {
  EXPECT_EQ(Call(wait_, lock_), Lines{});
  EXPECT_EQ(TakeShort(), Lines{"ObjectWait 10 1 0"});
}

TEST_F(VirtualYoungCallsTest, ACallThatLastsIsRecordedMeanwhile) {
  Enter(wait_, lock_);
  RecordAll();
  EXPECT_EQ(r_.Events(), Lines{"ObjectWait,0000000B,00000010,1;00000001;00000000"});
  Exit();
  EXPECT_EQ(r_.Events(), Lines{"ObjectWaited,0000000B,00000010,1;00000001;00000000"});
}

/* No code of the program can run inside of it. */
TEST_F(VirtualYoungCallsTest, TheJdkParksInsideASemaphoreWithoutALookAtTheStack) {
  Enter(acquire_, lock_);
  PushFrames(inner_);
  int walks = r_.jvm.Calls(CALL_GetStackTrace);
  EXPECT_EQ(Call(park_, nullptr), Lines{});
  EXPECT_EQ(r_.jvm.Calls(CALL_GetStackTrace), walks);
  Pop();
  Exit();
  EXPECT_EQ(TakeShort(), Lines{"SemaphoreAcquire 10 1 0"});
}

class VirtualCallersTest : public VirtualYoungCallsTest {
 protected:
  VirtualCallersTest() { FakeFrames::Start(&r_.meta->walker, r_.ti, r_.jni, virtual_); }
  ~VirtualCallersTest() override { walker_stop(&r_.meta->walker); }

  // The JDK acquires a semaphore inside of a join.
  void CallInsideOfJoin() {
    Enter(join_, lock_);
    PushFrames(inner_, 5);
    Enter(acquire_, lock_);
    Exit();
    while (now_->frames.size() > 1) Pop();
    Exit();
  }
};

TEST_F(VirtualCallersTest, AreKnownByTheFramesDownToTheOuterCall) {
  for (int round = 0; round < 3; round++) {
    for (FakeMethod *method : {inner_, program_}) {
      for (int deep : {0, 1, 4, 9}) {
        PushFrames(program_, round);
        Enter(join_, lock_);
        PushFrames(inner_, deep);
        PushFrames(method);
        PushFrames(inner_, 2);
        Enter(acquire_, lock_);
        Exit();
        while (now_->frames.size() > static_cast<size_t>(round) + 1) Pop();
        Exit();
        now_->frames.clear();
        Lines sums = TakeShort();
        EXPECT_EQ(sums.size() + r_.Events().size(), method == inner_ ? 1u : 3u)
            << round << " rounds, " << deep << " frames";
      }
    }
  }
  EXPECT_EQ(figure_get(&r_.recorder->figures.stacks_differed), 0u);
}

/* As if the older frames were not on the stack. */
TEST_F(VirtualCallersTest, AreAskedForIfNotAllFramesCanBeRead) {
  for (unsigned readable : {100u, 4u, 2u}) {
    FakeFrames::readable = readable;
    CallInsideOfJoin();
    EXPECT_EQ(TakeShort().size(), 1u) << readable;
    EXPECT_EQ(r_.Events(), Lines{});
  }
  EXPECT_EQ(figure_get(&r_.recorder->figures.stacks_differed), 0u);
}

TEST_F(VirtualCallersTest, AreAskedForOnce) {
  context_here(r_.threads, r_.ti, r_.jni)->random = 1;  // decides what is compared now and then
  auto *memory = static_cast<struct near_memory *>(
      os_thread_buffer(OS_THREAD_NEAR, sizeof(struct near_memory)));
  memory->random = 1;
  int walks[3];
  for (int &after : walks) {
    CallInsideOfJoin();
    after = r_.jvm.Calls(CALL_GetStackTrace);
  }
  TakeShort();
  /* The near part of the stack of join is walked, too. */
  EXPECT_GT(walks[0], 0);
  EXPECT_EQ(walks[2], walks[1]);
}

/* At the exit, the frames that were not used meanwhile are in the heap. */
TEST_F(VirtualCallersTest, TheNearPartIsFoundAtTheEntry) {
  int walks[3];
  for (int &after : walks) {
    FakeFrames::readable = 1000;
    Enter(acquire_, lock_);
    FakeFrames::readable = 1;
    Exit();
    after = r_.jvm.Calls(CALL_GetStackTrace);
  }
  EXPECT_EQ(walks[2], walks[1]);
  Lines sums = TakeShort();
  ASSERT_EQ(sums.size(), 1u);
  EXPECT_EQ(sums[0].substr(0, sums[0].find(' ', 20)), "SemaphoreAcquire 10 3");
  EXPECT_NE(sums[0].find(";00000001;"), std::string::npos) << sums[0];
}

/* --- other threads --------------------------------------------------------------------------- */

TEST_F(YoungCallsTest, ANotifyCanWakeAThreadInAYoungCall) {
  FakeThread *other = r_.jvm.AddThread("U", 0xB);
  {
    FakeJvm::Running running(other);
    now_ = other;
    Enter(wait_, lock_);
    now_ = thread_;
  }
  r_.Records();
  EXPECT_EQ(Call(notify_, lock_).size(), 1u);
  {
    FakeJvm::Running running(other);
    now_ = other;
    Exit();
    now_ = thread_;
  }
  EXPECT_EQ(Call(notify_, lock_), Lines{});
}

// A call that need not wait costs no entry in the table of waiters.
TEST_F(YoungCallsTest, AThreadWaitsForASemaphoreOnlyFromWhenItParks) {
  Enter(acquire_, lock_);
  EXPECT_EQ(waiters_since(&r_.recorder->waiters, 0x10), WAITERS_NOBODY);
  PushFrames(inner_);
  Enter(park_, nullptr);
  EXPECT_NE(waiters_since(&r_.recorder->waiters, 0x10), WAITERS_NOBODY);
  EXPECT_NE(waiters_since(&r_.recorder->waiters, 0xA), WAITERS_NOBODY);
  Exit();
  Pop();
  Exit();
  EXPECT_EQ(waiters_since(&r_.recorder->waiters, 0x10), WAITERS_NOBODY);
  EXPECT_EQ(waiters_since(&r_.recorder->waiters, 0xA), WAITERS_NOBODY);
}

TEST_F(YoungCallsTest, ShortWaitsForLocksAreSummedUp) {
  AddRow(lock_row_);
  FakeObject *lock = locks_.AddLock(0x20);
  Call(lock_row_, lock);
  Call(lock_row_, lock);
  EXPECT_EQ(TakeShort(), Lines{"LockAcquire 20 2 0"});
}

// Its physical frames are known, as in a JVM.
TEST_F(YoungCallsTest, ASumHasTheNearPartOfTheStack) {
  FakeFrames::Start(&r_.meta->walker, r_.ti, r_.jni, thread_);
  PushFrames(inner_);
  for (int i = 0; i < 3; i++) {
    Enter(acquire_, lock_, HOOK_CALLED);
    Exit(/* failed */ false, HOOK_CALLED);
  }
  Pop();
  Lines sums = TakeShort();
  ASSERT_EQ(sums.size(), 1u);
  EXPECT_EQ(sums[0].substr(0, sums[0].find(';')), "SemaphoreAcquire 10 3 2") << sums[0];
  EXPECT_EQ(sums[0].substr(sums[0].size() - 18), ";00000000;00000000");
  walker_stop(&r_.meta->walker);
}

}  // namespace
