// Young calls: those that have no event yet, since they may end before the threshold.
#include "agent/track/young_watch.h"

#include <algorithm>

#include "tests/agent/track/young_fixture.h"
#include "tests/support/eventually.h"

namespace {

using YoungWatchTest = YoungCallsTest;

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
  EXPECT_EQ(TakeShort(), Lines{});
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

// The near and the far search of the first look fail, as if the thread were on its way in.
TEST_F(YoungWatchTest, ACallWithoutAStackIsLeftToTheNextLook) {
  Enter(wait_, lock_);
  r_.jvm.Fail(CALL_GetStackTrace, 2);
  MakeCallsLong();
  Lines events;
  ASSERT_TRUE(Eventually([&] { return !(events = r_.Events()).empty(); }));
  EXPECT_EQ(events, Lines{"ObjectWait,0000000A,00000010,1;00000001;00000000"});
  Exit();
  r_.Records();
}

// It is recorded without a stack if none is found for long.
TEST_F(YoungWatchTest, ACallWhoseStackIsNeverFoundIsRecorded) {
  Enter(wait_, lock_);
  r_.jvm.Fail(CALL_GetStackTrace, 1000000);
  MakeCallsLong();
  Lines events;
  ASSERT_TRUE(Eventually([&] { return !(events = r_.Events()).empty(); }));
  EXPECT_EQ(events, Lines{"ObjectWait,0000000A,00000010,0"});
  r_.jvm.Fail(CALL_GetStackTrace, 0);
  Exit();
  r_.Records();
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

// The agent ends the watch before it begins a recording, so nobody reads the options meanwhile.
TEST_F(YoungWatchTest, ACallOfAnEarlierRecordingHasNoEvents) {
  Stop();
  __atomic_store_n(&young_->defers, true, __ATOMIC_RELAXED);
  Enter(wait_, lock_);
  r_.Again("overflow=drop,threshold=1s");
  ForbidLongCalls();
  r_.Records();
  MakeCallsLong();
  Exit();
  EXPECT_EQ(r_.Events(), Lines{});
  EXPECT_EQ(TakeShort(), Lines{});
  EXPECT_EQ(Call(wait_, lock_).size(), 2u);
}

TEST_F(YoungWatchTest, TheWatchDefinesTheObject) {
  Enter(wait_, lock_);
  r_.Objects();
  RecordAll();
  EXPECT_EQ(r_.Objects().size(), 1u);
  Exit();
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
  hook_thread_end(hooks_, context_known(r_.threads, r_.ti, r_.jni));
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
