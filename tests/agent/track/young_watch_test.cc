// Young calls: those that have no event yet, since they may end before the threshold.
#include "agent/track/young_watch.h"

#include <algorithm>
#include <string>
#include <vector>

#include "agent/base/clock.h"
#include "tests/agent/track/hooks_fixture.h"
#include "tests/support/eventually.h"

namespace {

class YoungWatchTest : public HooksTest {
 protected:
  YoungWatchTest() : HooksTest("overflow=drop,threshold=1s") {
    static auto &all = *new std::vector<struct young_watch *>;  // never freed, as in the agent
    all.push_back(young_ = new struct young_watch);
    EXPECT_TRUE(young_watch_init(young_, r_.threads));
    for (int row : {wait_, timed_wait_, join_, sleep_, acquire_}) AddRow(row);
    hooks_->young = young_;
    program_class_->loader = lock_; /* a class of the program */
    young_watch_follow(young_, r_.ti, r_.jni);
    ForbidLongCalls();
    r_.Records();
  }
  void ForbidLongCalls() { SetThreshold(3600 * NS_PER_S); }
  ~YoungWatchTest() override {
    Stop();
    r_.Records();
  }
  void AddRow(int row) { young_watch_add_method(young_, row, FindMethod(row)); }
  void Stop() {
    young_watch_stop(young_, r_.ti, r_.jni);
    r_.jvm.JoinAgentThreads();
  }
  // From now on every call takes too long to be left out.
  void MakeCallsLong() { SetThreshold(1); }
  void SetThreshold(uint64_t ns) {
    __atomic_store_n(&r_.recorder->options.threshold, ns, __ATOMIC_RELAXED);
  }
  void RecordAll() {
    FakeJvm::Running nobody(watcher_);
    young_watch_record_all(young_, r_.ti, r_.jni);
  }
  uint64_t GetDecided() { return __atomic_load_n(&r_.recorder->decided_ns, __ATOMIC_ACQUIRE); }
  struct left_out_counts LeftOut() {
    return left_out_sum(&r_.recorder->left_out);
  }

  FakeThread *watcher_ = r_.jvm.AddThread("attached", 0xE);
  struct young_watch *young_ = nullptr;
  const int acquire_ = FindRow("Ljava/util/concurrent/Semaphore;", "acquire", "()V");
  const int park_ = FindRow("Ljava/util/concurrent/locks/LockSupport;", "park", "()V");
};

TEST_F(YoungWatchTest, ACallThatEndsEarlyIsOnlyCounted) {
  Enter(wait_, lock_);
  int walks = r_.jvm.Calls(CALL_GetStackTrace);
  Exit();
  EXPECT_EQ(Call(acquire_, lock_), Lines{});
  EXPECT_EQ(r_.Events(), Lines{});
  EXPECT_EQ(r_.jvm.Calls(CALL_GetStackTrace), walks);
  EXPECT_EQ(walks, 0);
  EXPECT_EQ(LeftOut().pairs, 2u);
  EXPECT_EQ(LeftOut().lock_ns, 0u);
}

TEST_F(YoungWatchTest, ACallThatTakesLongIsRecordedWhenItEnds) {
  Enter(wait_, lock_, HOOK_CALLED);
  EXPECT_EQ(r_.Events(), Lines{});
  MakeCallsLong();
  Exit(/* failed */ false, HOOK_CALLED);
  EXPECT_EQ(r_.Events(), (Lines{"ObjectWait,0000000A,00000010,1;00000001;00000000",
                                "ObjectWaited,0000000A,00000010,1;00000001;00000000"}));
  EXPECT_EQ(LeftOut().pairs, 0u);
}

TEST_F(YoungWatchTest, ItsBeginHasTheTimeOfTheEntry) {
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

TEST_F(YoungWatchTest, ACallThatLastsIsRecordedMeanwhile) {
  PushFrames(program_);
  Enter(acquire_, lock_);
  PushFrames(inner_, 2);
  RecordAll();
  Lines begin = {"SemaphoreAcquire,0000000A,00000010,2;00000001;00000000;00000002;00000007"};
  EXPECT_EQ(r_.Events(), begin);
  RecordAll();
  EXPECT_EQ(r_.Events(), Lines{}) << "once";
  Pop();
  Pop();
  Exit();
  EXPECT_EQ(r_.Events(),
            Lines{"SemaphoreAcquired,0000000A,00000010,2;00000001;00000000;00000002;00000007"});
  EXPECT_EQ(LeftOut().pairs, 0u);
}

// The JDK may call a tracked method inside of itself.
TEST_F(YoungWatchTest, TheStackBeginsWithTheOuterOfTwoFramesOfTheMethod) {
  PushFrames(program_);
  Enter(acquire_, lock_);
  PushFrames(inner_);
  Push({FindMethod(acquire_), 9});
  RecordAll();
  EXPECT_EQ(r_.Events(),
            Lines{"SemaphoreAcquire,0000000A,00000010,2;00000001;00000000;00000002;00000007"});
  Pop();
  Pop();
  Exit();
  r_.Records();
}

// A thread that joins a task runs others, which join tasks themselves.
TEST_F(YoungWatchTest, TheStackBeginsBelowCallsOfTheSameMethodByTheProgram) {
  PushFrames(inner_);
  Enter(join_, lock_);
  PushFrames(program_);
  Enter(join_, lock_);
  PushFrames(inner_);
  EXPECT_EQ(r_.Events().size(), 1u) << "the call inside";
  RecordAll();
  Lines begin = r_.Events();
  ASSERT_EQ(begin.size(), 1u);
  EXPECT_EQ(std::count(begin[0].begin(), begin[0].end(), ';'), 4) << "two frames: " << begin[0];
  Pop();
  Exit();
  EXPECT_EQ(r_.Events().size(), 1u);
  Pop();
  MakeCallsLong();
  Exit();
  EXPECT_EQ(r_.Events().size(), 1u);
}

// The thread was in another call of the method when the recording began.
TEST_F(YoungWatchTest, TheStackBeginsAboveAnOlderCallOfTheSameMethod) {
  Push({FindMethod(join_), 5});
  PushFrames(program_, 2);
  Enter(join_, lock_);
  RecordAll();
  Lines begin = r_.Events();
  ASSERT_EQ(begin.size(), 1u);
  EXPECT_EQ(std::count(begin[0].begin(), begin[0].end(), ';'), 8) << "four frames: " << begin[0];
  Exit();
  r_.Records();
}

TEST_F(YoungWatchTest, TheWatchRecordsOverdueCallsByItself) {
  Enter(wait_, lock_);
  MakeCallsLong();
  Lines events;
  ASSERT_TRUE(Eventually([&] { return !(events = r_.Events()).empty(); }));
  EXPECT_EQ(events, Lines{"ObjectWait,0000000A,00000010,1;00000001;00000000"});
  Exit();
  EXPECT_EQ(r_.Events(), Lines{"ObjectWaited,0000000A,00000010,1;00000001;00000000"});
}

TEST_F(YoungWatchTest, EverythingIsDecidedAfterAllAreRecorded) {
  Enter(wait_, lock_);
  uint64_t now = clock_monotonic_ns();
  RecordAll();
  EXPECT_GE(GetDecided(), now);
  Exit();
  r_.Records();
}

TEST_F(YoungWatchTest, TheEndOfTheWatchRecordsAllAndNoCallIsYoungAfterwards) {
  Enter(wait_, lock_);
  Stop();
  EXPECT_EQ(r_.Events(), Lines{"ObjectWait,0000000A,00000010,1;00000001;00000000"});
  EXPECT_EQ(GetDecided(), UINT64_MAX);
  Exit();
  EXPECT_EQ(r_.Events().size(), 1u);
  EXPECT_EQ(Call(wait_, lock_).size(), 2u);
}

TEST_F(YoungWatchTest, ACallInsideAYoungCallIsRecordedAtOnce) {
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

TEST_F(YoungWatchTest, ACallOfTheJdkInsideAYoungCallIsNotRecorded) {
  Enter(join_, lock_);
  PushFrames(inner_);
  EXPECT_EQ(Call(wait_, lock_), Lines{});
  Pop();
  MakeCallsLong();
  Exit();
  EXPECT_EQ(r_.Events().size(), 2u);
}

TEST_F(YoungWatchTest, AMissedExitHasNoStack) {
  Enter(join_, lock_);
  MakeCallsLong();
  hook_thread_end(hooks_, context_known(r_.ti));
  EXPECT_EQ(r_.Events(),
            (Lines{"ThreadJoin,0000000A,00000010,0", "ThreadJoined,0000000A,00000010,0"}));
}

TEST_F(YoungWatchTest, ACallOfAnEarlierRecordingHasNoEvents) {
  Enter(wait_, lock_);
  r_.Again("overflow=drop,threshold=1s");
  ForbidLongCalls();
  r_.Records();
  RecordAll();
  MakeCallsLong();
  Exit();
  EXPECT_EQ(r_.Events(), Lines{});
  EXPECT_EQ(LeftOut().pairs, 0u);
  EXPECT_EQ(Call(wait_, lock_).size(), 2u);
}

TEST_F(YoungWatchTest, OnlyRowsWithAKnownMethodAreYoung) {
  EXPECT_EQ(Call(park_, nullptr).size(), 2u);
  AddRow(park_);
  EXPECT_EQ(Call(park_, nullptr), Lines{});
}

TEST_F(YoungWatchTest, VirtualThreadsHaveNoYoungCalls) {
  r_.jvm.HaveVirtualThreads();
  FakeThread *other = r_.jvm.AddThread("U", 0xB);
  other->is_virtual = true;
  FakeJvm::Running running(other);
  now_ = other;
  EXPECT_EQ(Call(wait_, lock_).size(), 2u);
  now_ = thread_;
}

TEST_F(YoungWatchTest, ANotifyCanWakeAThreadInAYoungCall) {
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
TEST_F(YoungWatchTest, AThreadWaitsForASemaphoreOnlyFromWhenItParks) {
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

TEST_F(YoungWatchTest, TheTimeOfShortWaitsForLocksIsCounted) {
  AddRow(lock_row_);
  FakeObject *lock = locks_.AddLock(0x20);
  Enter(lock_row_, lock);
  Exit();
  EXPECT_EQ(LeftOut().pairs, 1u);
  EXPECT_GT(LeftOut().lock_ns, 0u);
}

TEST_F(YoungWatchTest, AnObjectIsDefinedOnce) {
  Call(acquire_, lock_);
  EXPECT_EQ(r_.Objects().size(), 2u) << "the thread, too";
  int classes = r_.jvm.Calls(CALL_GetObjectClass);
  Call(acquire_, lock_);
  Call(acquire_, lock_);
  EXPECT_EQ(r_.jvm.Calls(CALL_GetObjectClass), classes);
  object_set_clear(r_.meta->objects);
  Call(acquire_, lock_);
  EXPECT_EQ(r_.Objects().size(), 1u) << "the writer has dropped the objects";
}

TEST_F(YoungWatchTest, WithoutAThreadNoCallIsYoung) {
  Stop();
  r_.Records();
  r_.jvm.Fail(CALL_RunAgentThread);
  young_watch_follow(young_, r_.ti, r_.jni);
  EXPECT_EQ(GetDecided(), UINT64_MAX);
  EXPECT_EQ(Call(wait_, lock_).size(), 2u);
}

TEST_F(YoungWatchTest, NoCallIsYoungWithCallbacks) {
  Stop();
  r_.Again("overflow=drop,threshold=1s,engine=callbacks");
  r_.Records();
  young_watch_follow(young_, r_.ti, r_.jni);
  EXPECT_EQ(GetDecided(), UINT64_MAX) << "the writer need not wait";
  EXPECT_EQ(Call(wait_, lock_).size(), 2u);
}

// More threads than the watch handles at once.
TEST_F(YoungWatchTest, AllOverdueCallsAreRecorded) {
  const size_t kThreads = 150;
  std::vector<FakeThread *> others;
  for (size_t i = 0; i < kThreads; i++) {
    others.push_back(r_.jvm.AddThread("T" + std::to_string(i)));
    FakeJvm::Running running(others.back());
    now_ = others.back();
    Enter(wait_, lock_);
  }
  r_.Events();
  RecordAll();
  EXPECT_EQ(r_.Events().size(), kThreads);
  for (FakeThread *other : others) {
    FakeJvm::Running running(other);
    now_ = other;
    Exit();
  }
  now_ = thread_;
  EXPECT_EQ(r_.Events().size(), kThreads);
}

// Its thread has ended, and what belonged to it.
TEST_F(YoungWatchTest, ACallWhoseThreadHasEndedIsNotRecorded) {
  Enter(wait_, lock_);
  hook_thread_end(hooks_, context_known(r_.ti));
  context_end(r_.threads, r_.ti, r_.jni);
  r_.Records();
  RecordAll();
  EXPECT_EQ(r_.Events(), Lines{});
  EXPECT_EQ(r_.jvm.NumWeakRefs(), 0);
}

// The writer must not wait for calls that nobody begins any more.
TEST_F(YoungWatchTest, AfterALongerThresholdEverythingIsDecidedAtOnce) {
  SetThreshold(2 * YOUNG_LONGEST_NS);
  young_watch_follow(young_, r_.ti, r_.jni);
  uint64_t now = clock_monotonic_ns();
  EXPECT_TRUE(Eventually([&] { return GetDecided() >= now; }));
}

TEST_F(YoungWatchTest, NoCallIsYoungWithALongThreshold) {
  SetThreshold(2 * YOUNG_LONGEST_NS);
  young_watch_follow(young_, r_.ti, r_.jni);
  EXPECT_EQ(Call(wait_, lock_).size(), 2u);
}

}  // namespace
