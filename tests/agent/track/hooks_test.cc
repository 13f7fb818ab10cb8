// Calls of the methods of tracked.def.
#include "agent/track/hooks.h"

#include <chrono>
#include <functional>
#include <thread>

#include "tests/agent/track/hooks_fixture.h"
#include "tests/support/little_stack.h"
#include "tests/support/lock_table.h"

namespace {

TEST_F(HooksTest, ASingleEventHasNoExit) {
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

TEST_F(HooksTest, TheNextCallAfterANestedCallIsRecorded) {
  Enter(join_, lock_);
  Enter(wait_, lock_);
  Exit();
  Exit();
  r_.Records();
  Enter(wait_, lock_);
  Exit();
  EXPECT_EQ(r_.Events().size(), 2u);
}

TEST_F(HooksTest, APairInsideASingleEventIsNotRecorded) {
  Enter(notify_, lock_);
  Enter(wait_, lock_);
  Exit();
  Exit();
  EXPECT_EQ(r_.Events().size(), 1u);
}

TEST_F(HooksTest, OnlyTheOutermostOfNestedWovenCallsIsRecorded) {
  Enter(join_, lock_, HOOK_CALLED);
  Push({hook_->Id(), 7});  // another method in between
  Enter(wait_, lock_, HOOK_CALLED);
  Exit();
  Pop();
  Exit();
  EXPECT_EQ(r_.Events().size(), 2u);
}

// When the stack overflows, the hook of an exit may not be called.
TEST_F(HooksTest, ACallWhoseExitWasMissedEndsAtTheNextCall) {
  Enter(join_, lock_);
  Pop();
  Enter(sleep_, nullptr);
  EXPECT_EQ(r_.Events(), (Lines{"ThreadJoin,0000000A,00000010,1;00000001;00000005",
                                "ThreadJoined,0000000A,00000010,1;00000001;00000005",
                                "ThreadSleep,0000000A,1;00000002;00000005"}));
  Exit();
  EXPECT_EQ(r_.Events(), Lines{"ThreadSlept,0000000A,1;00000002;00000005"});
}

TEST_F(HooksTest, NestedCallsAreTrackedWhileTheRecordingIsOff) {
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

// The calls were entered before the recording started.
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

TEST_F(HooksTest, ACallOfAnEarlierRecordingWhoseExitWasMissedHasNoExit) {
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
  EXPECT_EQ(r_.recorder->figures.events_dropped, 1u);
  Exit();
  EXPECT_EQ(r_.Events(), Lines{});
  Enter(wait_, lock_);
  Exit();
  EXPECT_EQ(r_.Events().size(), 2u);
}

TEST_F(HooksTest, ACallInsideADroppedCallIsNotRecorded) {
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

TEST_F(HooksTest, EachThreadHasItsOwnNesting) {
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

TEST_F(HooksTest, AThreadOfOrcaIsNotRecorded) {
  threads_hide(r_.threads, r_.jni, thread_->Ref());
  Enter(sleep_, nullptr);
  Exit();
  EXPECT_EQ(r_.Records(), Lines{});
}

/* --- calls that wake nobody ------------------------------------------------------------------ */

class HooksWithThresholdTest : public HooksTest {
 protected:
  explicit HooksWithThresholdTest(const char *options = "overflow=drop,threshold=10ms")
      : HooksTest(options) {}

  // Acts on another thread, 0xB.
  void ActOnOther(const std::function<void()> &act) {
    FakeJvm::Running running(other_);
    now_ = other_;
    act();
    now_ = thread_;
  }
  uint64_t CountLeftOut() { return left_out_wakes(&r_.recorder->left_out); }

  FakeThread *other_ = r_.jvm.AddThread("U", 0xB);
  FakeObject *other_lock_ = r_.jvm.AddObject(klass_, 0x11);
  const int unpark_ =
      FindRow("Ljava/util/concurrent/locks/LockSupport;", "unpark", "(Ljava/lang/Thread;)V");
};

TEST_F(HooksWithThresholdTest, AWakeUpIsLeftOutWhileNobodyWaitsOnItsObject) {
  EXPECT_EQ(Call(notify_, lock_), Lines{});
  ActOnOther([&] { Enter(wait_, lock_); });
  EXPECT_EQ(Call(notify_, other_lock_), Lines{"ObjectWait,0000000B,00000010,1;00000001;00000005"});
  std::this_thread::sleep_for(std::chrono::milliseconds(6)); /* more than half of the threshold */
  EXPECT_EQ(Call(notify_, lock_), Lines{"ObjectNotify,0000000A,00000010,1;00000002;00000005"});
  ActOnOther([&] { Exit(); });
  r_.Records();
  EXPECT_EQ(Call(notify_, lock_), Lines{});
  EXPECT_EQ(CountLeftOut(), 3u);
}

class HooksWithLongThresholdTest : public HooksWithThresholdTest {
 protected:
  HooksWithLongThresholdTest() : HooksWithThresholdTest("overflow=drop,threshold=10s") {}
};

TEST_F(HooksWithLongThresholdTest, AWakeUpOfThreadsThatBeganToWaitAMomentAgoHasNoStack) {
  ActOnOther([&] { Enter(wait_, lock_); });
  r_.Records();
  EXPECT_EQ(Call(notify_, lock_), Lines{"ObjectNotify,0000000A,00000010,0"});
  EXPECT_EQ(Call(unpark_, other_), Lines{"ThreadUnpark,0000000A,0000000B,0"});
  EXPECT_EQ(CountLeftOut(), 0u);
}

TEST_F(HooksWithLongThresholdTest, ACallOfTheProgramInsideAWakeUpWithoutAStackIsRecorded) {
  ActOnOther([&] { Enter(wait_, lock_); });
  Enter(notify_, lock_);
  PushFrames(program_);
  r_.Records();
  EXPECT_EQ(Call(sleep_, nullptr).size(), 2u);
}

TEST_F(HooksWithThresholdTest, AnUnparkIsLeftOutWhileItsThreadDoesNotWait) {
  EXPECT_EQ(Call(unpark_, other_), Lines{});
  ActOnOther([&] { Enter(wait_, lock_); });
  r_.Records();
  EXPECT_EQ(Call(unpark_, other_).size(), 1u);
  ActOnOther([&] { hook_thread_end(hooks_, context_known(r_.threads, r_.ti, r_.jni)); });
  r_.Records();
  EXPECT_EQ(Call(unpark_, other_), Lines{});
}

// A thread that waits in an earlier recording can be woken in this one.
TEST_F(HooksWithThresholdTest, AWaitCountsUntilItEnds) {
  ActOnOther([&] { Enter(wait_, lock_); });
  r_.Records();
  r_.Again("overflow=drop,threshold=10ms");
  EXPECT_EQ(Call(notify_, lock_).size(), 1u);
  ActOnOther([&] { Exit(); });
  EXPECT_EQ(Call(notify_, lock_), Lines{});
}

TEST_F(HooksWithThresholdTest, ACallOfTheProgramInsideAWakeUpThatIsLeftOutIsRecorded) {
  Enter(notify_, lock_);
  PushFrames(program_);
  EXPECT_EQ(Call(sleep_, nullptr).size(), 2u);
  Pop();
  Exit();
  EXPECT_EQ(CountLeftOut(), 1u);
  EXPECT_EQ(Call(sleep_, nullptr).size(), 2u);
}

TEST_F(HooksWithThresholdTest, NothingIsLeftOutWhenTheThresholdIsSwitchedOff) {
  __atomic_store_n(&r_.recorder->leaves_out_wakes, false, __ATOMIC_RELAXED);
  EXPECT_EQ(Call(notify_, lock_).size(), 1u);
  EXPECT_EQ(CountLeftOut(), 0u);
}

// A call without an object, and one of which the JVM gives no hash.
TEST_F(HooksWithThresholdTest, AWakeUpWithoutAHashIsRecorded) {
  EXPECT_EQ(Call(unpark_, nullptr).size(), 1u);
  r_.jvm.Fail(CALL_GetObjectHashCode);
  EXPECT_EQ(Call(notify_, lock_).size(), 1u);
}

/* --- nested calls ---------------------------------------------------------------------------- */

// Code of the program runs inside a tracked call, such as a barrier's action or a task that a join
// runs.
class HooksOfAProgramTest : public HooksTest {
 protected:
  HooksOfAProgramTest() { program_class_->loader = lock_; }
};

TEST_F(HooksOfAProgramTest, ItsCallInsideACallIsRecorded) {
  Enter(join_, lock_);
  PushFrames(program_);
  EXPECT_EQ(Call(sleep_, nullptr).size(), 3u);
  Pop();
  Exit();
  EXPECT_EQ(r_.Events(), Lines{"ThreadJoined,0000000A,00000010,1;00000001;00000005"});
}

/* Code of the program between the calls makes each of them a call of its own. */
TEST_F(HooksOfAProgramTest, TooDeeplyNestedCallsAreNotRecordedAndOthersEndCorrectly) {
  const int kMax = 65536;
  Enter(join_, lock_);
  PushFrames(program_);
  Push({FindMethod(notify_), 5});
  auto enter = [&] { hook_enter(hooks_, r_.jni, notify_, nullptr, HOOK_ON_TOP); };
  auto exit = [&](int times) {
    for (int i = 0; i < times; i++) hook_exit(hooks_, r_.jni, notify_, false, HOOK_ON_TOP);
  };
  enter();
  PushFrames(program_);
  Push({FindMethod(notify_), 5});
  for (int i = 2; i < kMax; i++) enter();
  r_.Records();
  enter();
  enter();
  EXPECT_EQ(r_.Records(), Lines{});
  exit(3);
  enter();
  EXPECT_EQ(r_.Records().size(), 1u);
  exit(kMax - 1);
  thread_->frames.resize(1);
  Exit();
  EXPECT_EQ(r_.Events(), Lines{"ThreadJoined,0000000A,00000010,1;00000001;00000005"});
  EXPECT_EQ(Call(wait_, lock_).size(), 2u);
}

TEST_F(HooksOfAProgramTest, EachPairHasTheStackOfItsOwnEntry) {
  Enter(join_, lock_);
  PushFrames(program_);
  Enter(sleep_, nullptr);
  Exit();
  Pop();
  Exit();
  const std::string inner = "3;00000002;00000005;00000003;00000007;00000001;00000005";
  EXPECT_EQ(r_.Events(), (Lines{"ThreadJoin,0000000A,00000010,1;00000001;00000005",
                                "ThreadSleep,0000000A," + inner, "ThreadSlept,0000000A," + inner,
                                "ThreadJoined,0000000A,00000010,1;00000001;00000005"}));
}

TEST_F(HooksOfAProgramTest, ItsFrameCanBeAnywhereBetweenTheTwoCalls) {
  for (enum hook_place place : {HOOK_ON_TOP, HOOK_CALLED}) {
    for (int below : {0, 1, 4, 5, 6, 40, 1000}) {
      for (int above : {0, 1, 4, 5, 6, 20}) {
        thread_->frames.clear();
        Enter(join_, lock_, place);
        PushFrames(inner_, below);
        PushFrames(program_);
        PushFrames(inner_, above);
        Enter(sleep_, nullptr, place);
        Exit();
        thread_->frames.resize(1);
        Exit();
        EXPECT_EQ(r_.Events().size(), 4u) << below << " frames below, " << above << " above";
      }
    }
  }
}

TEST_F(HooksOfAProgramTest, ACallOfTheJdkIsPartOfTheOuterCall) {
  for (enum hook_place place : {HOOK_ON_TOP, HOOK_CALLED}) {
    for (int between : {0, 1, 4, 5, 6, 40, 1000}) {
      thread_->frames.clear();
      PushFrames(program_);
      Enter(join_, lock_, place);
      PushFrames(inner_, between);
      Enter(sleep_, nullptr, place);
      Exit();
      thread_->frames.resize(2);
      Exit();
      EXPECT_EQ(r_.Events().size(), 2u) << between << " frames";
    }
  }
}

TEST_F(HooksOfAProgramTest, TheOuterCallIsTheInnermostRecordedCall) {
  Enter(join_, lock_);
  PushFrames(program_);
  Enter(wait_, lock_);
  PushFrames(inner_);
  EXPECT_EQ(Call(sleep_, nullptr).size(), 2u);  // the join and the wait
  Pop();
  Exit();
  Pop();
  PushFrames(inner_);
  EXPECT_EQ(Call(sleep_, nullptr), Lines{"ObjectWaited,0000000A,00000010,3;00000002;00000005;"
                                         "00000003;00000007;00000001;00000005"});
  Pop();
  Exit();
  EXPECT_EQ(r_.Events().size(), 1u);
}

TEST_F(HooksOfAProgramTest, AMethodWhoseClassIsUnknownCountsAsCodeOfTheJdk) {
  Enter(join_, lock_);
  PushFrames(program_);
  r_.jvm.FailAt(CALL_GetMethodDeclaringClass, 1);
  Enter(sleep_, nullptr);
  Exit();
  Pop();
  Exit();
  EXPECT_EQ(r_.Events().size(), 2u);
}

TEST_F(HooksOfAProgramTest, TheInnermostCallWhoseExitWasMissedEndsFirst) {
  Enter(join_, lock_);
  PushFrames(program_);
  Enter(wait_, lock_);
  r_.Records();
  thread_->frames.clear();
  EXPECT_EQ(Call(sleep_, nullptr),
            (Lines{"ObjectWaited,0000000A,00000010,3;00000002;00000005;00000003;00000007;"
                   "00000001;00000005",
                   "ThreadJoined,0000000A,00000010,1;00000001;00000005",
                   "ThreadSleep,0000000A,1;00000004;00000005",
                   "ThreadSlept,0000000A,1;00000004;00000005"}));
}

TEST_F(HooksTest, ADeepCallIsRecordedInsideAnotherCall) {
  Enter(join_, lock_);
  PushFrames(inner_);
  Enter(pinned_, nullptr);
  Enter(sleep_, nullptr);  // a call inside it is inside the join
  Exit();
  Exit();
  Enter(notify_, lock_);
  Exit();
  Pop();
  Exit();
  Lines events = r_.Events();
  ASSERT_EQ(events.size(), 3u);
  EXPECT_EQ(events[1].substr(0, 24), "ThreadPinned,0000000A,3;");
}

TEST_F(HooksTest, AnExceptionIsRecordedInsideAnotherCall) {
  int row =
      FindRow("Ljava/util/concurrent/FutureTask;", "setException", "(Ljava/lang/Throwable;)V");
  Enter(join_, lock_);
  Enter(row, lock_);
  Exit();
  Enter(row, nullptr);
  Exit();
  Exit();
  Lines events = r_.Events();
  ASSERT_EQ(events.size(), 3u);
  EXPECT_EQ(events[1], "TaskFailed,0000000A,00000010,");
}

TEST_F(HooksTest, ACallInsideADeepCallIsRecorded) {
  Enter(pinned_, nullptr);
  Enter(wait_, lock_);
  Enter(pinned_, nullptr);
  Exit();
  Exit();
  Exit();
  Lines events = r_.Events();
  ASSERT_EQ(events.size(), 4u);
  EXPECT_EQ(events[1].substr(0, 31), "ObjectWait,0000000A,00000010,2;");
  EXPECT_EQ(events[2].substr(0, 24), "ThreadPinned,0000000A,3;");
  EXPECT_EQ(events[3].substr(0, 33), "ObjectWaited,0000000A,00000010,2;");
}

TEST_F(HooksTest, AHiddenCallHidesTheCallsInsideAndHasNoEvent) {
  Enter(hidden_, nullptr);
  Enter(wait_, lock_);
  Exit();
  Enter(pinned_, nullptr);  // a DEEP call is recorded anywhere
  Exit();
  Exit();
  Enter(notify_, lock_);
  Exit();
  Lines events = r_.Events();
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[0].substr(0, 24), "ThreadPinned,0000000A,2;");
  EXPECT_EQ(events[1].substr(0, 33), "ObjectNotify,0000000A,00000010,1;");
}

TEST_F(HooksTest, ACoverIsRecordedInsideAnotherCallAndHidesTheCallsInside) {
  for (bool is_inside : {false, true}) {
    if (is_inside) Enter(join_, lock_);
    Enter(cover_, lock_);
    Enter(wait_, lock_);
    Exit();
    Exit();
    if (is_inside) Exit();
    Lines events = r_.Events();
    ASSERT_EQ(events.size(), is_inside ? 3u : 1u);
    EXPECT_EQ(events[is_inside].substr(0, 12), "ThreadStart,");
  }
}

TEST_F(HooksTest, AHiddenCallWhoseExitWasMissedHidesNoLaterCall) {
  Enter(hidden_, nullptr);
  thread_->frames.clear();
  Enter(wait_, lock_);
  EXPECT_EQ(r_.Events().size(), 1u);
}

/* --- failed calls ---------------------------------------------------------------------------- */

TEST_F(HooksTest, AFailedInnerCallDoesNotFailTheOuterCall) {
  const int latch = FindRow("Ljava/util/concurrent/CountDownLatch;", "await", "()V");
  Enter(latch, lock_);
  Enter(latch, lock_);
  Exit(/* failed */ true);
  Exit();
  EXPECT_EQ(r_.Events()[1], "LatchAwaited,0000000A,00000010,1;00000001;00000005");
}

/* --- locks ----------------------------------------------------------------------------------- */

// The rows with TRY count every acquisition, contended or not.
TEST_F(HooksTest, AContendedAcquisitionIsCountedToo) {
  const std::string locks = "Ljava/util/concurrent/locks/";
  const std::string reading = locks + "ReentrantReadWriteLock$ReadLock;";
  const std::string writing = locks + "ReentrantReadWriteLock$WriteLock;";
  const std::string stamped = locks + "StampedLock;", plain = locks + "ReentrantLock;";
  FakeReadWriteLock both = locks_.AddReadWrite(0x20, 0x30);
  lock_fields_note_constructed(hooks_->lock_fields, r_.meta, r_.ti, r_.jni, both.whole->Ref());
  FakeObject *lock = locks_.AddLock(0x40), *stamps = locks_.AddStamped(0x50);
  const struct {
    std::string klass;
    const char *name, *descriptor;
    FakeObject *object;
    Lines counts; /* that the call changes */
  } rows[] = {
      {plain, "lock", "()V", lock, {"LockAcquired,00000040,1"}},
      {plain, "tryLock", "()Z", lock, {"LockAcquired,00000040,1"}},
      {plain, "unlock", "()V", lock, {}},
      {reading, "lock", "()V", both.reading, {"ReadLockAcquired,00000020,1"}},
      {reading, "tryLock", "()Z", both.reading, {"ReadLockAcquired,00000020,1"}},
      {writing, "lockInterruptibly", "()V", both.writing, {"WriteLockAcquired,00000020,1"}},
      {stamped, "acquireWrite", "(ZZJ)J", stamps, {}},  // its caller counts
      {"Ljava/util/concurrent/Semaphore;", "tryAcquire", "()Z", lock_, {}},
  };
  for (const auto &row : rows) {
    int number = FindRow(row.klass.c_str(), row.name, row.descriptor);
    EXPECT_FALSE(Call(number, row.object).empty()) << row.klass << row.name;
    EXPECT_EQ(TakeCounts(), row.counts) << row.klass << row.name;
    Call(number, row.object, /* failed */ true);
    EXPECT_EQ(TakeCounts(), Lines{}) << row.klass << row.name << ", failed";
  }
}

TEST_F(HooksTest, AnAcquisitionIsCountedIfItsEventsAreDropped) {
  FakeObject *lock = locks_.AddLock(0x20);
  Call(lock_row_, lock);
  r_.FillQueue();
  Call(lock_row_, lock);
  EXPECT_EQ(TakeCounts(), Lines{"LockAcquired,00000020,2"});
}

// The thread has been blocked since an earlier recording, and acquires the lock in this one.
TEST_F(HooksTest, AnAcquisitionIsCountedInTheRecordingWhereItEnds) {
  FakeObject *lock = locks_.AddLock(0x20);
  for (bool is_known : {false, true}) {
    Enter(lock_row_, lock);
    r_.Records();
    r_.Again("overflow=drop");
    counted_locks_end(hooks_->lock_counts, r_.jni);
    lock_counts_begin(hooks_->lock_counts);
    if (is_known) LockTable::Add(hooks_->lock_counts, 0x20, 0x20, /* has_sides */ false);
    Exit();
    EXPECT_EQ(r_.Events(), Lines{});
    EXPECT_EQ(TakeCounts(), is_known ? Lines{"LockAcquired,00000020,1"} : Lines{});
  }
}

class HooksOfAllLocksTest : public HooksTest {
 protected:
  HooksOfAllLocksTest() : HooksTest("locks=all") {}
};

TEST_F(HooksOfAllLocksTest, RecordedAcquisitionsAreNotCounted) {
  FakeObject *lock = locks_.AddLock(0x20);
  EXPECT_EQ(Call(lock_row_, lock).size(), 2u);
  EXPECT_EQ(TakeCounts(), Lines{});
}

/* --- missed exits ---------------------------------------------------------------------------- */

TEST_F(HooksOfAProgramTest, CallsAboveTheOneThatExitsEndAsFailed) {
  const int latch = FindRow("Ljava/util/concurrent/CountDownLatch;", "await", "()V");
  Enter(join_, lock_);
  PushFrames(program_);
  Enter(wait_, lock_);
  PushFrames(program_);
  Enter(latch, lock_);
  r_.Records();
  thread_->frames.resize(1);
  hook_exit(hooks_, r_.jni, join_, false, HOOK_ON_TOP);
  Lines names;
  for (const std::string &line : r_.Events()) names.push_back(line.substr(0, line.find(',')));
  EXPECT_EQ(names, (Lines{"LatchAwaitFailed", "ObjectWaited", "ThreadJoined"}));
}

TEST_F(HooksOfAProgramTest, TheInnerOfTwoCallsOfOneRowExitsFirst) {
  Enter(join_, lock_);
  PushFrames(program_);
  Enter(join_, nullptr);
  r_.Records();
  hook_exit(hooks_, r_.jni, join_, false, HOOK_ON_TOP);
  EXPECT_EQ(r_.Events()[0].substr(0, 31), "ThreadJoined,0000000A,00000000,");
  hook_exit(hooks_, r_.jni, join_, false, HOOK_ON_TOP);
  EXPECT_EQ(r_.Events()[0].substr(0, 31), "ThreadJoined,0000000A,00000010,");
}

TEST_F(HooksTest, CallsWhoseExitsWereMissedEndWithTheirThread) {
  Enter(join_, lock_);
  r_.Records();
  hook_thread_end(hooks_, context_known(r_.threads, r_.ti, r_.jni));
  EXPECT_EQ(r_.Events(), Lines{"ThreadJoined,0000000A,00000010,1;00000001;00000005"});
  hook_thread_end(hooks_, context_known(r_.threads, r_.ti, r_.jni));
  EXPECT_EQ(r_.Events(), Lines{});
}

/* --- near the end of the stack --------------------------------------------------------------- */

class HooksWithLittleStackTest : public HooksOfAProgramTest {
 protected:
  // Runs `act` as the same Java thread, near the end of a stack.
  void RunNearTheEnd(const std::function<void()> &act) {
    RunNearStackEnd([&] {
      FakeJvm::Running running(thread_);
      act();
    });
  }
};

TEST_F(HooksWithLittleStackTest, ACallIsSkippedAndCounted) {
  RunNearTheEnd([&] { hook_enter(hooks_, r_.jni, wait_, lock_->Ref(), HOOK_ON_TOP); });
  EXPECT_EQ(r_.recorder->figures.hooks_skipped, 1u);
  hook_exit(hooks_, r_.jni, wait_, false, HOOK_ON_TOP);
  EXPECT_EQ(r_.Events(), Lines{});
}

TEST_F(HooksWithLittleStackTest, TheExitOfASkippedCallEndsNoOtherCall) {
  Enter(join_, lock_);
  PushFrames(program_);
  EXPECT_EQ(r_.Events().size(), 1u);
  RunNearTheEnd([&] {
    for (int i = 0; i < 3; i++) hook_enter(hooks_, r_.jni, join_, lock_->Ref(), HOOK_ON_TOP);
    for (int i = 0; i < 3; i++) hook_exit(hooks_, r_.jni, join_, false, HOOK_ON_TOP);
    hook_method_enter(hooks_, r_.jni);
    hook_method_exit(hooks_, r_.jni, nullptr);
    hook_monitor(hooks_, r_.jni, lock_->Ref(), EVENT_MONITOR_ENTER);
  });
  EXPECT_EQ(r_.recorder->figures.hooks_skipped, 5u);
  EXPECT_EQ(r_.Events(), Lines{});
  Exit();
  EXPECT_EQ(r_.Events().size(), 1u);
}

TEST_F(HooksWithLittleStackTest, ASkippedCallWhoseExitWasMissedEndsAtTheNextCallWithRoom) {
  Enter(join_, lock_);
  PushFrames(program_);
  r_.Records();
  RunNearTheEnd([&] {
    for (int i = 0; i < 3; i++) hook_enter(hooks_, r_.jni, wait_, lock_->Ref(), HOOK_ON_TOP);
  });
  EXPECT_EQ(Call(sleep_, nullptr).size(), 2u);
  Exit();
  EXPECT_EQ(r_.Events().size(), 1u);
}

// The call was entered before the recording started.
TEST_F(HooksTest, TheExitOfARowThatWasNotEnteredEndsNoOtherCall) {
  Enter(join_, lock_);
  r_.Records();
  hook_exit(hooks_, r_.jni, wait_, false, HOOK_ON_TOP);
  EXPECT_EQ(r_.Events(), Lines{});
  Exit();
  EXPECT_EQ(r_.Events(), Lines{"ThreadJoined,0000000A,00000010,1;00000001;00000005"});
}

}  // namespace
