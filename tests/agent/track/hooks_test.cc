#include "agent/track/hooks.h"

#include <map>
#include <string>

#include "gtest/gtest.h"
#include "tests/support/recording.h"

namespace {

const struct tracked *Row(const char *klass, const char *name, const char *descriptor) {
  int row = tracked_find(klass, name, descriptor);
  EXPECT_GE(row, 0) << klass << name << descriptor;
  return &tracked[row];
}

class HooksTest : public testing::Test {
 protected:
  // A call of a tracked method begins, as an engine tells it: with the method on top of the stack,
  // or a hook of ours that it has called.
  void Enter(const struct tracked *row, FakeObject *object, enum hook_place place = HOOK_ON_TOP) {
    Push({MethodOf(row), 5});
    if (place == HOOK_CALLED) Push({hook_->Id(), 3});
    struct context *c = hook_enter(r_.threads, r_.ti, r_.jni, place);
    jobject about = object == nullptr ? nullptr : object->Ref();
    if (c != nullptr) hook_record(r_.threads, r_.ti, r_.jni, c, row, about, place);
    if (place == HOOK_CALLED) Pop();
  }
  // The method that began last leaves.
  void Exit() {
    hook_exit(r_.threads, r_.ti);
    Pop();
  }

  void Push(const jvmtiFrameInfo &frame) { now_->frames.insert(now_->frames.begin(), frame); }
  void Pop() {
    if (!now_->frames.empty()) now_->frames.erase(now_->frames.begin());
  }
  jmethodID MethodOf(const struct tracked *row) {
    FakeMethod *&method = methods_[row];
    if (method == nullptr) method = r_.jvm.AddMethod(klass_, row->name, row->descriptor);
    return method->Id();
  }

  Recording r_{"overflow=drop"};
  FakeClass *klass_ = r_.jvm.AddClass("LA;", 0xC1);
  FakeObject *lock_ = r_.jvm.AddObject(klass_, 0x10);
  FakeMethod *hook_ = r_.jvm.AddMethod(klass_, "hook", "()V");
  std::map<const struct tracked *, FakeMethod *> methods_;
  FakeThread *thread_ = r_.jvm.AddThread("T", 0xA), *now_ = thread_;
  FakeJvm::Running running_{thread_};

  const struct tracked *wait_ = Row("Ljava/lang/Object;", "wait", "()V");
  const struct tracked *timed_wait_ = Row("Ljava/lang/Object;", "wait", "(J)V");
  const struct tracked *notify_ = Row("Ljava/lang/Object;", "notify", "()V");
  const struct tracked *join_ = Row("Ljava/lang/Thread;", "join", "()V");
  const struct tracked *sleep_ = Row("Ljava/lang/Thread;", "sleep", "(J)V");
};

TEST_F(HooksTest, APairHasOneObjectAndOneStack) {
  Enter(wait_, lock_);
  Exit();
  EXPECT_EQ(r_.Events(), (Lines{"ObjectWait,0000000A,00000010,1;00000001;00000005",
                                "ObjectWaited,0000000A,00000010,1;00000001;00000005"}));
  EXPECT_EQ(r_.jvm.Calls(CALL_GetStackTrace), 1);
}

TEST_F(HooksTest, ASingleHasNoExit) {
  Enter(notify_, lock_);
  Exit();
  EXPECT_EQ(r_.Events(), Lines{"ObjectNotify,0000000A,00000010,1;00000001;00000005"});
}

TEST_F(HooksTest, AStaticMethodHasNoObject) {
  Enter(sleep_, nullptr);
  Exit();
  EXPECT_EQ(r_.Events(), (Lines{"ThreadSleep,0000000A,1;00000001;00000005",
                                "ThreadSlept,0000000A,1;00000001;00000005"}));
}

TEST_F(HooksTest, OnlyTheOutermostOfNestedCallsIsRecorded) {
  Enter(join_, lock_);
  Enter(wait_, lock_);
  Enter(timed_wait_, lock_);
  Enter(notify_, lock_);
  Exit();
  Exit();
  Exit();
  Exit();
  EXPECT_EQ(r_.Events(), (Lines{"ThreadJoin,0000000A,00000010,1;00000001;00000005",
                                "ThreadJoined,0000000A,00000010,1;00000001;00000005"}));
}

TEST_F(HooksTest, AfterANestedCallTheNextIsRecordedAgain) {
  Enter(join_, lock_);
  Enter(wait_, lock_);
  Exit();
  Exit();
  r_.Records();
  Enter(wait_, lock_);
  Exit();
  EXPECT_EQ(r_.Events().size(), 2u);
}

TEST_F(HooksTest, ANestedPairInsideASingleIsNotRecorded) {
  Enter(notify_, lock_);
  Enter(wait_, lock_);
  Exit();
  Exit();
  EXPECT_EQ(r_.Events().size(), 1u);
}

TEST_F(HooksTest, AHookThatTheMethodCalledIsNoPartOfTheStack) {
  Enter(sleep_, nullptr, HOOK_CALLED);
  Exit();
  // The method stands at its start.
  EXPECT_EQ(r_.Events(), (Lines{"ThreadSleep,0000000A,1;00000001;00000000",
                                "ThreadSlept,0000000A,1;00000001;00000000"}));
  EXPECT_EQ(r_.Methods(), Lines{"00000001,sleep,(J)V,000000C1,-1"});
}

TEST_F(HooksTest, OfHooksThatMethodsCalledTooOnlyTheOutermostIsRecorded) {
  Enter(join_, lock_, HOOK_CALLED);
  Push({hook_->Id(), 7});  // some method in between
  Enter(wait_, lock_, HOOK_CALLED);
  Exit();
  Pop();
  Exit();
  EXPECT_EQ(r_.Events().size(), 2u);
}

// Where the stack overflows, the hook of an exit may not be reached.
TEST_F(HooksTest, AMethodThatLeftUnseenEndsAtTheNextCall) {
  Enter(join_, lock_);
  Pop();
  Enter(sleep_, nullptr);
  EXPECT_EQ(r_.Events(), (Lines{"ThreadJoin,0000000A,00000010,1;00000001;00000005",
                                "ThreadJoined,0000000A,00000010,1;00000001;00000005",
                                "ThreadSleep,0000000A,1;00000002;00000005"}));
  Exit();
  EXPECT_EQ(r_.Events(), Lines{"ThreadSlept,0000000A,1;00000002;00000005"});
}

TEST_F(HooksTest, CallsAreCountedAlsoWhileRecordingIsOff) {
  Enter(notify_, lock_);
  Exit();
  r_.Records();
  Enter(join_, lock_);
  recorder_switch(r_.recorder, false);
  Enter(wait_, lock_);
  Exit();
  Enter(wait_, lock_);
  recorder_switch(r_.recorder, true);
  Exit();
  Exit();
  EXPECT_EQ(r_.Events().size(), 2u);  // the join
  Enter(wait_, lock_);
  EXPECT_EQ(r_.Events().size(), 1u);
  Exit();
}

// Calls that were under way when recording began.
TEST_F(HooksTest, AnExitWithoutItsEntryIsIgnored) {
  Exit();
  Exit();
  EXPECT_EQ(r_.Events(), Lines{});
  Enter(wait_, lock_);
  Exit();
  Exit();
  EXPECT_EQ(r_.Events().size(), 2u);
}

TEST_F(HooksTest, AnExitWhoseEntryIsInAnEarlierRecordingIsIgnored) {
  Enter(wait_, lock_);
  r_.Records();
  r_.Again();
  Exit();
  EXPECT_EQ(r_.Events(), Lines{});
  Enter(wait_, lock_);
  Exit();
  EXPECT_EQ(r_.Events().size(), 2u);
}

TEST_F(HooksTest, AMethodThatLeftUnseenInAnEarlierRecordingHasNoExitEither) {
  Enter(join_, lock_);
  Pop();
  r_.Records();
  r_.Again();
  Enter(sleep_, nullptr);
  EXPECT_EQ(r_.Events(), Lines{"ThreadSleep,0000000A,1;00000002;00000005"});
  Exit();
}

TEST_F(HooksTest, TheExitOfADroppedEntryIsIgnored) {
  Enter(notify_, lock_);
  Exit();
  r_.FillQueue();
  Enter(wait_, lock_);
  r_.Records();
  EXPECT_EQ(r_.recorder->dropped, 1u);
  Exit();
  EXPECT_EQ(r_.Events(), Lines{});
  Enter(wait_, lock_);
  Exit();
  EXPECT_EQ(r_.Events().size(), 2u);
}

TEST_F(HooksTest, ANestedCallInsideADroppedOneIsNotRecordedEither) {
  Enter(notify_, lock_);
  Exit();
  r_.FillQueue();
  Enter(join_, lock_);
  r_.Records();
  Enter(wait_, lock_);
  Exit();
  Exit();
  EXPECT_EQ(r_.Events(), Lines{});
}

TEST_F(HooksTest, WithoutAStackThePairStands) {
  r_.jvm.Fail(CALL_GetStackTrace);
  Enter(sleep_, nullptr);
  Exit();
  EXPECT_EQ(r_.Events(), (Lines{"ThreadSleep,0000000A,0", "ThreadSlept,0000000A,0"}));
}

TEST_F(HooksTest, ThreadsNestForThemselves) {
  FakeThread *other = r_.jvm.AddThread("U", 0xB);
  Enter(join_, lock_);
  {
    FakeJvm::Running running(other);
    now_ = other;
    Enter(sleep_, nullptr);
    Exit();
    now_ = thread_;
  }
  Exit();
  EXPECT_EQ(r_.Events().size(), 4u);
}

TEST_F(HooksTest, AnOwnThreadIsNotRecorded) {
  threads_hide(r_.threads, r_.jni, thread_->Ref());
  Enter(sleep_, nullptr);
  Exit();
  EXPECT_EQ(r_.Records(), Lines{});
}

}  // namespace
