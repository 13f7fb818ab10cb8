#include "agent/track/hooks.h"

#include <map>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tests/agent/track/kept_hooks.h"
#include "tests/support/fake_locks.h"
#include "tests/support/recording.h"

namespace {

int Row(const char *klass, const char *name, const char *descriptor) {
  int row = tracked_find(klass, name, descriptor);
  EXPECT_GE(row, 0) << klass << name << descriptor;
  return row;
}

class HooksTest : public testing::Test {
 protected:
  explicit HooksTest(const std::string &options = "overflow=drop") : r_(options) {}

  // A call of a tracked method begins, as an engine tells it: with the method on top of the stack,
  // or a hook of ours that it has called.
  void Enter(int row, FakeObject *object, enum hook_place place = HOOK_ON_TOP) {
    Push({MethodOf(row), 5});
    rows_.push_back(row);
    if (place == HOOK_CALLED) Push({hook_->Id(), 3});
    hook_enter(hooks_, r_.jni, row, object == nullptr ? nullptr : object->Ref(), place);
    if (place == HOOK_CALLED) Pop();
  }
  // The method that began last leaves.
  void Exit(bool failed = false) {
    hook_exit(hooks_, rows_.empty() ? wait_ : rows_.back(), failed);
    if (!rows_.empty()) rows_.pop_back();
    Pop();
  }
  Lines Call(int row, FakeObject *object, bool failed = false) {
    Enter(row, object);
    Exit(failed);
    return r_.Events();
  }

  void Push(const jvmtiFrameInfo &frame) { now_->frames.insert(now_->frames.begin(), frame); }
  void Pop() {
    if (!now_->frames.empty()) now_->frames.erase(now_->frames.begin());
  }
  // A method that is not tracked calls the next one.
  void Between(FakeMethod *method, int times = 1) {
    for (int i = 0; i < times; i++) Push({method->Id(), 7});
  }
  jmethodID MethodOf(int row) {
    FakeMethod *&method = methods_[row];
    if (method == nullptr) {
      method = r_.jvm.AddMethod(klass_, tracked[row].name, tracked[row].descriptor);
    }
    return method->Id();
  }

  // What is counted of each lock: "LockAcquired,00000010,3".
  Lines Counts() {
    Lines lines;
    auto tell = [](void *arg, enum event_kind kind, uint32_t object, uint64_t count) {
      char line[80];
      snprintf(line, sizeof line, "%s,%08X,%d", event_infos[kind].name, object,
               static_cast<int>(count));
      static_cast<Lines *>(arg)->push_back(line);
    };
    lock_counts_changed(hooks_->lock_counts, tell, &lines);
    return lines;
  }

  Recording r_;
  FakeClass *klass_ = r_.jvm.AddClass("LA;", 0xC1);
  FakeObject *lock_ = r_.jvm.AddObject(klass_, 0x10);
  std::vector<int> rows_; /* of the calls under way */
  FakeMethod *hook_ = r_.jvm.AddMethod(klass_, "hook", "()V");
  FakeMethod *inner_ = r_.jvm.AddMethod(klass_, "inner", "()V");  // of the JDK
  FakeClass *program_class_ = r_.jvm.AddClass("LMain;", 0xC2);
  FakeMethod *program_ = r_.jvm.AddMethod(program_class_, "main", "()V");
  FakeLocks locks_{&r_.jvm};
  std::map<int, FakeMethod *> methods_;
  FakeThread *thread_ = r_.jvm.AddThread("T", 0xA), *now_ = thread_;
  FakeJvm::Running running_{thread_};
  struct hooks *hooks_ = KeptHooks(r_);

  const int wait_ = Row("Ljava/lang/Object;", "wait", "()V");
  const int timed_wait_ = Row("Ljava/lang/Object;", "wait", "(J)V");
  const int notify_ = Row("Ljava/lang/Object;", "notify", "()V");
  const int join_ = Row("Ljava/lang/Thread;", "join", "()V");
  const int sleep_ = Row("Ljava/lang/Thread;", "sleep", "(J)V");
  const int pinned_ = Row("Ljava/lang/VirtualThread;", "parkOnCarrierThread", "(ZJ)V");
  const int lock_row_ = Row("Ljava/util/concurrent/locks/ReentrantLock;", "lock", "()V");
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

/* --- calls inside of calls ------------------------------------------------------------------- */

// A barrier's action, a task that a join runs.
class HooksOfAProgramTest : public HooksTest {
 protected:
  HooksOfAProgramTest() { program_class_->loader = lock_; }
};

TEST_F(HooksOfAProgramTest, WhatItCallsInsideOfACallIsAPairInsideAPair) {
  Enter(join_, lock_);
  Between(program_);
  EXPECT_EQ(Call(sleep_, nullptr).size(), 3u);
  Pop();
  Exit();
  EXPECT_EQ(r_.Events(), Lines{"ThreadJoined,0000000A,00000010,1;00000001;00000005"});
}

TEST_F(HooksOfAProgramTest, EachPairHasTheStackOfItsOwnEntry) {
  Enter(join_, lock_);
  Between(program_);
  Enter(sleep_, nullptr);
  Exit();
  Pop();
  Exit();
  const std::string inner = "3;00000002;00000005;00000003;00000007;00000001;00000005";
  EXPECT_EQ(r_.Events(), (Lines{"ThreadJoin,0000000A,00000010,1;00000001;00000005",
                                "ThreadSleep,0000000A," + inner, "ThreadSlept,0000000A," + inner,
                                "ThreadJoined,0000000A,00000010,1;00000001;00000005"}));
}

TEST_F(HooksOfAProgramTest, ItMayStandAnywhereBetweenTheTwo) {
  for (enum hook_place place : {HOOK_ON_TOP, HOOK_CALLED}) {
    for (int below : {0, 1, 4, 5, 6, 40, 1000}) {
      for (int above : {0, 1, 4, 5, 6, 20}) {
        thread_->frames.clear();
        Enter(join_, lock_, place);
        Between(inner_, below);
        Between(program_);
        Between(inner_, above);
        Enter(sleep_, nullptr, place);
        Exit();
        thread_->frames.resize(1);
        Exit();
        EXPECT_EQ(r_.Events().size(), 4u) << below << " frames below it, " << above << " above";
      }
    }
  }
}

TEST_F(HooksOfAProgramTest, OnlyWhatTheJdkCallsAloneIsPartOfTheOuterCall) {
  for (enum hook_place place : {HOOK_ON_TOP, HOOK_CALLED}) {
    for (int between : {0, 1, 4, 5, 6, 40, 1000}) {
      thread_->frames.clear();
      Between(program_);
      Enter(join_, lock_, place);
      Between(inner_, between);
      Enter(sleep_, nullptr, place);
      Exit();
      thread_->frames.resize(2);
      Exit();
      EXPECT_EQ(r_.Events().size(), 2u) << between << " frames";
    }
  }
}

TEST_F(HooksOfAProgramTest, TheInnermostCallThatIsRecordedIsTheOuterOne) {
  Enter(join_, lock_);
  Between(program_);
  Enter(wait_, lock_);
  Between(inner_);
  EXPECT_EQ(Call(sleep_, nullptr).size(), 2u);  // the join and the wait
  Pop();
  Exit();
  Pop();
  Between(inner_);
  EXPECT_EQ(Call(sleep_, nullptr), Lines{"ObjectWaited,0000000A,00000010,3;00000002;00000005;"
                                         "00000003;00000007;00000001;00000005"});
  Pop();
  Exit();
  EXPECT_EQ(r_.Events().size(), 1u);
}

TEST_F(HooksOfAProgramTest, AMethodThatTheJvmSaysNothingOfIsNoneOfTheProgram) {
  Enter(join_, lock_);
  Between(program_);
  r_.jvm.FailAt(CALL_GetMethodDeclaringClass, 1);
  Enter(sleep_, nullptr);
  Exit();
  Pop();
  Exit();
  EXPECT_EQ(r_.Events().size(), 2u);
}

TEST_F(HooksOfAProgramTest, OfAllCallsThatLeftUnseenTheInnermostEndsFirst) {
  Enter(join_, lock_);
  Between(program_);
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

TEST_F(HooksTest, ADeepCallIsRecordedWhoeverMakesIt) {
  Enter(join_, lock_);
  Between(inner_);
  Enter(pinned_, nullptr);
  Enter(sleep_, nullptr);  // and what it calls is not
  Exit();
  Exit();
  Enter(notify_, lock_);  // after it all is as it was
  Exit();
  Pop();
  Exit();
  Lines events = r_.Events();
  ASSERT_EQ(events.size(), 3u);
  EXPECT_EQ(events[1].substr(0, 24), "ThreadPinned,0000000A,3;");
}

TEST_F(HooksTest, CallsThatAreTooManyAreNotRecordedAndTheOthersEndRight) {
  const int kMax = 65536;
  Enter(join_, lock_);
  Push({MethodOf(pinned_), 5});
  auto enter = [&] { hook_enter(hooks_, r_.jni, pinned_, nullptr, HOOK_ON_TOP); };
  auto leave = [&](int times) {
    for (int i = 0; i < times; i++) hook_exit(hooks_, pinned_, false);
  };
  enter();
  Push({MethodOf(pinned_), 5});
  for (int i = 2; i < kMax; i++) enter();
  r_.Records();
  enter();
  enter();
  EXPECT_EQ(r_.Records(), Lines{});
  leave(3);
  enter();
  EXPECT_EQ(r_.Records().size(), 1u);
  leave(kMax - 1);
  thread_->frames.resize(1);
  Exit();
  EXPECT_EQ(r_.Events(), Lines{"ThreadJoined,0000000A,00000010,1;00000001;00000005"});
  EXPECT_EQ(Call(wait_, lock_).size(), 2u);
}

/* --- what comes to nothing ------------------------------------------------------------------- */

TEST_F(HooksTest, AFailedCallEndsWithTheFailureOfItsEventIfThereIsOne) {
  const int latch = Row("Ljava/util/concurrent/CountDownLatch;", "await", "()V");
  const std::string rest = ",0000000A,00000010,1;00000001;00000005";
  EXPECT_EQ(Call(latch, lock_, true), (Lines{"LatchAwait" + rest, "LatchAwaitFailed" + rest}));
  EXPECT_EQ(Call(latch, lock_, false), (Lines{"LatchAwait" + rest, "LatchAwaited" + rest}));
  const std::string other = ",0000000A,00000010,1;00000002;00000005";
  EXPECT_EQ(Call(wait_, lock_, true), (Lines{"ObjectWait" + other, "ObjectWaited" + other}));
}

TEST_F(HooksTest, AFailedCallInsideOfAnotherSaysNothingOfThat) {
  const int latch = Row("Ljava/util/concurrent/CountDownLatch;", "await", "()V");
  Enter(latch, lock_);
  Enter(latch, lock_);
  Exit(/* failed */ true);
  Exit();
  EXPECT_EQ(r_.Events()[1], "LatchAwaited,0000000A,00000010,1;00000001;00000005");
}

/* --- locks ----------------------------------------------------------------------------------- */

TEST_F(HooksTest, WhoHoldsTheLockStandsInTheEntry) {
  FakeObject *lock = locks_.AddLock(0x20);
  locks_.Own(lock, r_.jvm.AddThread("U", 0xB));
  EXPECT_EQ(Call(lock_row_, lock),
            (Lines{"LockAcquire,0000000A,00000020,0000000B,1;00000001;00000005",
                   "LockAcquired,0000000A,00000020,1;00000001;00000005"}));
}

TEST_F(HooksTest, OfASideTheWholeLockStandsThere) {
  const int read =
      Row("Ljava/util/concurrent/locks/ReentrantReadWriteLock$ReadLock;", "lock", "()V");
  FakeReadWriteLock both = locks_.AddReadWrite(0x20, 0x30);
  lock_fields_made(hooks_->lock_fields, r_.meta, r_.ti, r_.jni, both.whole->Ref());
  EXPECT_EQ(Call(read, both.reading)[0],
            "ReadLockAcquire,0000000A,00000020,00000000,1;00000001;00000005");
}

// The rows that say what is only counted where nothing has to be waited for.
TEST_F(HooksTest, AnAcquisitionThatIsTriedFirstIsCountedWithTheOthers) {
  const std::string locks = "Ljava/util/concurrent/locks/";
  const std::string reading = locks + "ReentrantReadWriteLock$ReadLock;";
  const std::string writing = locks + "ReentrantReadWriteLock$WriteLock;";
  const std::string stamped = locks + "StampedLock;", plain = locks + "ReentrantLock;";
  FakeReadWriteLock both = locks_.AddReadWrite(0x20, 0x30);
  lock_fields_made(hooks_->lock_fields, r_.meta, r_.ti, r_.jni, both.whole->Ref());
  FakeObject *lock = locks_.AddLock(0x40), *stamps = locks_.AddStamped(0x50);
  const struct {
    std::string klass;
    const char *name, *descriptor;
    FakeObject *object;
    Lines counts; /* what they are then */
  } rows[] = {
      {plain, "lock", "()V", lock, {"LockAcquired,00000040,1"}},
      {plain, "tryLock", "()Z", lock, {"LockAcquired,00000040,2"}},
      {plain, "unlock", "()V", lock, {}},
      {reading, "lock", "()V", both.reading, {"ReadLockAcquired,00000020,1"}},
      {reading, "tryLock", "()Z", both.reading, {"ReadLockAcquired,00000020,2"}},
      {writing, "lockInterruptibly", "()V", both.writing, {"WriteLockAcquired,00000020,1"}},
      {stamped, "acquireWrite", "(ZZJ)J", stamps, {}},  // who calls it counts
      {"Ljava/util/concurrent/Semaphore;", "tryAcquire", "()Z", lock_, {}},
  };
  for (const auto &row : rows) {
    int number = Row(row.klass.c_str(), row.name, row.descriptor);
    EXPECT_FALSE(Call(number, row.object).empty()) << row.klass << row.name;
    EXPECT_EQ(Counts(), row.counts) << row.klass << row.name;
    Call(number, row.object, /* failed */ true);
    EXPECT_EQ(Counts(), Lines{}) << row.klass << row.name << ", failed";
  }
}

TEST_F(HooksTest, ItIsCountedAlsoWhereItsEventsAreDropped) {
  FakeObject *lock = locks_.AddLock(0x20);
  Call(lock_row_, lock);
  r_.FillQueue();
  Call(lock_row_, lock);
  EXPECT_EQ(Counts(), Lines{"LockAcquired,00000020,2"});
}

// Who has blocked since an earlier recording has acquired it in this one all the same.
TEST_F(HooksTest, AnAcquisitionCountsWhereItEnds) {
  FakeObject *lock = locks_.AddLock(0x20);
  for (bool known : {false, true}) {
    Enter(lock_row_, lock);
    r_.Records();
    r_.Again("overflow=drop");
    lock_counts_begin(hooks_->lock_counts);
    struct lock_look look = {0x20, 0x20, 0, false};
    if (known) lock_counts_at(hooks_->lock_counts, &look);
    Exit();
    EXPECT_EQ(r_.Events(), Lines{});
    EXPECT_EQ(Counts(), known ? Lines{"LockAcquired,00000020,1"} : Lines{});
  }
}

class HooksOfAllLocksTest : public HooksTest {
 protected:
  HooksOfAllLocksTest() : HooksTest("locks=all") {}
};

TEST_F(HooksOfAllLocksTest, WhatHasALineForEachAcquisitionIsNotCounted) {
  FakeObject *lock = locks_.AddLock(0x20);
  EXPECT_EQ(Call(lock_row_, lock).size(), 2u);
  EXPECT_EQ(Counts(), Lines{});
}

/* --- exits that were missed ------------------------------------------------------------------ */

TEST_F(HooksOfAProgramTest, CallsAboveTheOneThatLeavesHaveLeftUnseenAndFailed) {
  const int latch = Row("Ljava/util/concurrent/CountDownLatch;", "await", "()V");
  Enter(join_, lock_);
  Between(program_);
  Enter(wait_, lock_);
  Between(program_);
  Enter(latch, lock_);
  r_.Records();
  thread_->frames.resize(1);
  hook_exit(hooks_, join_, false);
  Lines names;
  for (const std::string &line : r_.Events()) names.push_back(line.substr(0, line.find(',')));
  EXPECT_EQ(names, (Lines{"LatchAwaitFailed", "ObjectWaited", "ThreadJoined"}));
}

TEST_F(HooksOfAProgramTest, OfTwoCallsOfOneRowTheInnerLeavesFirst) {
  Enter(join_, lock_);
  Between(program_);
  Enter(join_, nullptr);
  r_.Records();
  hook_exit(hooks_, join_, false);
  EXPECT_EQ(r_.Events()[0].substr(0, 31), "ThreadJoined,0000000A,00000000,");
  hook_exit(hooks_, join_, false);
  EXPECT_EQ(r_.Events()[0].substr(0, 31), "ThreadJoined,0000000A,00000010,");
}

// It was under way when the recording began.
TEST_F(HooksTest, TheExitOfARowThatIsNotEnteredLeavesTheOthersAlone) {
  Enter(join_, lock_);
  r_.Records();
  hook_exit(hooks_, wait_, false);
  EXPECT_EQ(r_.Events(), Lines{});
  Exit();
  EXPECT_EQ(r_.Events(), Lines{"ThreadJoined,0000000A,00000010,1;00000001;00000005"});
}

/* --- methods of the option track ------------------------------------------------------------- */

class HooksOfMethodsTest : public HooksTest {
 protected:
  explicit HooksOfMethodsTest(const std::string &options = "overflow=drop,track=Main.*")
      : HooksTest(options) {}

  // A method begins, and calls our hook; it leaves, and does so once more.
  void Begin(FakeMethod *method) {
    Push({method->Id(), 5});
    WithHook([&] { hook_method_enter(hooks_, r_.jni); });
  }
  void End(FakeObject *thrown = nullptr) {
    WithHook(
        [&] { hook_method_exit(hooks_, r_.jni, thrown == nullptr ? nullptr : thrown->Ref()); });
    Pop();
  }
  template <typename Act>
  void WithHook(const Act &act) {
    Push({hook_->Id(), 3});
    act();
    Pop();
  }
  // What happened: with the depth of the stack, "MethodEntry 2".
  Lines Happened() {
    Lines short_ones;
    for (const std::string &line : r_.Events()) {
      std::string stack = line.substr(line.rfind(',') + 1);
      short_ones.push_back(line.substr(0, line.find(',')) + " " + stack.substr(0, stack.find(';')));
    }
    return short_ones;
  }

  FakeMethod *other_ = r_.jvm.AddMethod(program_class_, "other", "()V");
};

TEST_F(HooksOfMethodsTest, ACallIsAnEntryAndAnExitWithOneStackAtTheStart) {
  Begin(program_);
  Push({inner_->Id(), 6});
  Pop();
  End();
  EXPECT_EQ(r_.Events(), (Lines{"MethodEntry,0000000A,1;00000001;00000000",
                                "MethodExit,0000000A,00000000,-1,1;00000001;00000000"}));
  EXPECT_EQ(r_.Methods(), Lines{"00000001,main,()V,000000C2,-1"});
  EXPECT_EQ(r_.jvm.Calls(CALL_GetStackTrace), 1);
}

TEST_F(HooksOfMethodsTest, TheClassOfWhatIsThrownStandsInTheExitAndIsDefined) {
  FakeClass *error = r_.jvm.AddClass("LError;", 0xE1);
  Begin(program_);
  r_.Classes();
  End(r_.jvm.AddObject(error));
  EXPECT_EQ(r_.Events()[1], "MethodExit,0000000A,000000E1,-1,1;00000001;00000000");
  EXPECT_EQ(r_.Classes().size(), 1u);
}

TEST_F(HooksOfMethodsTest, EachCallOfARecursionIsRecorded) {
  Begin(program_);
  Begin(program_);
  Begin(program_);
  End();
  End(lock_);
  Begin(program_);
  End();
  End();
  EXPECT_EQ(Happened(), (Lines{"MethodEntry 1", "MethodEntry 2", "MethodEntry 3", "MethodExit 3",
                               "MethodExit 2", "MethodEntry 2", "MethodExit 2", "MethodExit 1"}));
}

// They stand in no other call, whichever loader has the class.
TEST_F(HooksOfMethodsTest, CallsOfRowsInItAreRecorded) {
  Enter(join_, lock_);
  Between(inner_);
  Begin(program_);
  Enter(wait_, lock_);
  Enter(notify_, lock_);  // but not what the JDK calls there
  Exit();
  Exit();
  Enter(sleep_, nullptr);
  Exit();
  End();
  Pop();
  Enter(notify_, lock_);
  Exit();
  Exit();
  EXPECT_EQ(Happened(),
            (Lines{"ThreadJoin 1", "MethodEntry 3", "ObjectWait 4", "ObjectWaited 4",
                   "ThreadSleep 4", "ThreadSlept 4", "MethodExit 3", "ThreadJoined 1"}));
}

TEST_F(HooksOfMethodsTest, AMissedExitEndsAtTheNextCall) {
  Begin(program_);
  Begin(other_);
  Begin(inner_);
  r_.Records();
  Pop();
  Pop();
  Begin(hook_);
  EXPECT_EQ(Happened(), (Lines{"MethodExit 3", "MethodExit 2", "MethodEntry 2"}));
  End();
  End();
  EXPECT_EQ(Happened(), (Lines{"MethodExit 2", "MethodExit 1"}));
}

TEST_F(HooksOfMethodsTest, SoDoesOneOfTheSameMethod) {
  Begin(program_);
  Begin(other_);
  r_.Records();
  Pop();
  Begin(other_);
  EXPECT_EQ(Happened(), (Lines{"MethodExit 2", "MethodEntry 2"}));
  End();
  End();
  EXPECT_EQ(Happened(), (Lines{"MethodExit 2", "MethodExit 1"}));
}

TEST_F(HooksOfMethodsTest, AMissedExitOfARowEndsWithTheMethod) {
  Begin(program_);
  Enter(join_, lock_);
  Enter(wait_, lock_);  // the JDK's
  r_.Records();
  thread_->frames.resize(1);
  End(lock_);
  EXPECT_EQ(r_.Events(), (Lines{"ThreadJoined,0000000A,00000010,2;00000002;00000005;"
                                "00000001;00000005",
                                "MethodExit,0000000A,000000C1,-1,1;00000001;00000000"}));
  rows_.clear();
  EXPECT_EQ(Call(wait_, lock_).size(), 2u);
}

TEST_F(HooksOfMethodsTest, AMissedExitOfAMethodEndsWithTheRowAroundIt) {
  Enter(join_, lock_);
  Begin(program_);
  r_.Records();
  Pop();
  Exit();
  EXPECT_EQ(Happened(), (Lines{"MethodExit 2", "ThreadJoined 1"}));
}

// Where a stack is cut it does not tell.
TEST_F(HooksOfMethodsTest, InAStackThatIsCutAMissedExitEndsWithTheCallsAround) {
  r_.Again("track=Main.*,depth=2");
  Begin(program_);
  Between(inner_);
  Begin(other_);
  r_.Records();
  Pop();
  Begin(hook_);
  EXPECT_EQ(Happened(), Lines{"MethodEntry 2"});
  End();
  Pop();
  End();
  EXPECT_EQ(Happened(), (Lines{"MethodExit 2", "MethodExit 2"}));
}

TEST_F(HooksOfMethodsTest, WithoutAStackTheCallStandsAndThoseInItToo) {
  r_.jvm.Fail(CALL_GetStackTrace);
  Begin(program_);
  Begin(other_);
  End();
  End();
  EXPECT_EQ(Happened(), (Lines{"MethodEntry 0", "MethodEntry 2", "MethodExit 2", "MethodExit 0"}));
}

TEST_F(HooksOfMethodsTest, ACallThatBeganWhileNothingWasRecordedHasNoExit) {
  context_here(r_.threads, r_.ti, r_.jni);  // the thread is known
  recorder_switch(r_.recorder, false);
  Begin(program_);
  recorder_switch(r_.recorder, true);
  Begin(other_);
  End();
  End(lock_);
  EXPECT_EQ(Happened(), (Lines{"MethodEntry 2", "MethodExit 2"}));
}

TEST_F(HooksOfMethodsTest, ACallThatEndsWhileNothingIsRecordedHasNoExitAndDefinesNothing) {
  Begin(program_);
  r_.Records();
  r_.Classes();
  recorder_switch(r_.recorder, false);
  End(r_.jvm.AddObject(r_.jvm.AddClass("LError;", 0xE1)));
  recorder_switch(r_.recorder, true);
  EXPECT_EQ(r_.Records(), Lines{});
  EXPECT_EQ(r_.Classes(), Lines{});
  Begin(program_);
  End();
  EXPECT_EQ(Happened(), (Lines{"MethodEntry 1", "MethodExit 1"}));
}

TEST_F(HooksOfMethodsTest, AnEntryOfAnEarlierRecordingHasNoExit) {
  Begin(program_);
  r_.Records();
  r_.Again("track=Main.*");
  End();
  EXPECT_EQ(r_.Events(), Lines{});
}

TEST_F(HooksOfMethodsTest, ADroppedEntryHasNoExitAndCallsInItAreRecorded) {
  Begin(other_);
  End();
  r_.FillQueue();
  Begin(program_);
  r_.Records();
  EXPECT_EQ(r_.recorder->dropped, 1u);
  Begin(other_);
  End();
  End();
  EXPECT_EQ(Happened(), (Lines{"MethodEntry 2", "MethodExit 2"}));
}

TEST_F(HooksOfMethodsTest, AnExitWithoutItsEntryIsIgnored) {
  Push({program_->Id(), 5});
  End();
  Enter(wait_, lock_);
  hook_method_exit(hooks_, r_.jni, nullptr);
  Exit();
  EXPECT_EQ(Happened(), (Lines{"ObjectWait 1", "ObjectWaited 1"}));
}

TEST_F(HooksOfMethodsTest, CallsThatAreTooManyAreNotRecordedAndTheOthersEndRight) {
  const int kMax = 65536;
  Begin(program_);
  recorder_switch(r_.recorder, false);  // the many need no records
  for (int i = 1; i < kMax; i++) hook_method_enter(hooks_, r_.jni);
  hook_method_enter(hooks_, r_.jni);  // one too many
  recorder_switch(r_.recorder, true);
  r_.Records();
  Begin(program_);  // another
  Begin(program_);
  End();
  End();
  for (int i = 0; i < kMax; i++) hook_method_exit(hooks_, r_.jni, nullptr);
  EXPECT_EQ(r_.Records(), Lines{});
  End();
  EXPECT_EQ(Happened(), Lines{"MethodExit 1"});
}

TEST_F(HooksOfMethodsTest, OfAnOwnThreadNothingIsRecorded) {
  threads_hide(r_.threads, r_.jni, thread_->Ref());
  Begin(program_);
  End(lock_);
  EXPECT_EQ(r_.Records(), Lines{});
}

TEST_F(HooksOfMethodsTest, TheCpuTimeIsNotAskedFor) {
  Begin(program_);
  End();
  EXPECT_EQ(r_.jvm.Calls(CALL_GetCurrentThreadCpuTime), 0);
}

class HooksOfCpuTest : public HooksOfMethodsTest {
 protected:
  HooksOfCpuTest() : HooksOfMethodsTest("track=Main.*,cpu=on") {}

  void Use(jlong ns) { thread_->cpu_ns += ns; }
};

TEST_F(HooksOfCpuTest, OfACallStandsInItsExitWithThatOfTheCallsInIt) {
  Use(1000);
  Begin(program_);
  Use(5);
  Begin(other_);
  Use(30);
  End();
  Use(7);
  End();
  Lines events = r_.Events();
  ASSERT_EQ(events.size(), 4u);
  EXPECT_EQ(events[2].substr(0, 33), "MethodExit,0000000A,00000000,30,2");
  EXPECT_EQ(events[3].substr(0, 33), "MethodExit,0000000A,00000000,42,1");
}

TEST_F(HooksOfCpuTest, WhereTheJvmDoesNotTellItAtBothEndsItIsMinusOne) {
  for (int nth : {1, 2}) {
    r_.jvm.FailAt(CALL_GetCurrentThreadCpuTime, nth, JVMTI_ERROR_NOT_AVAILABLE);
    Begin(program_);
    End();
    EXPECT_EQ(r_.Events()[1], "MethodExit,0000000A,00000000,-1,1;00000001;00000000") << nth;
  }
}

/* --- monitors in full ------------------------------------------------------------------------ */

class HooksOfMonitorsTest : public HooksTest {
 protected:
  HooksOfMonitorsTest() { r_.Again("monitors=all,filter=*"); }

  void Use(FakeObject *monitor) {
    for (auto kind : {EVENT_MONITOR_ENTER, EVENT_MONITOR_ENTERED, EVENT_MONITOR_EXIT}) {
      now_->frames = {{hook_->Id(), 3}, {program_->Id(), 10 + static_cast<int>(kind)}};
      hook_monitor(hooks_, r_.jni, monitor == nullptr ? nullptr : monitor->Ref(), kind);
    }
  }
};

TEST_F(HooksOfMonitorsTest, EachEventHasItsOwnStackAtTheCall) {
  Use(lock_);
  Lines expected;
  for (auto kind : {EVENT_MONITOR_ENTER, EVENT_MONITOR_ENTERED, EVENT_MONITOR_EXIT}) {
    char line[80];
    snprintf(line, sizeof line, "%s,0000000A,00000010,1;00000001;%08X", event_infos[kind].name,
             10 + static_cast<unsigned>(kind));
    expected.push_back(line);
  }
  EXPECT_EQ(r_.Events(), expected);
  EXPECT_EQ(r_.Objects().back(), "00000010,000000C1");
}

TEST_F(HooksOfMonitorsTest, TheyAreRecordedInsideOfAnyCall) {
  Enter(join_, lock_);
  Use(lock_);
  Exit();
  EXPECT_EQ(r_.Events().size(), 5u);
}

TEST_F(HooksOfMonitorsTest, OfNullOrOfAnOwnThreadOrWhileNothingIsRecordedThereAreNone) {
  Use(nullptr);
  EXPECT_EQ(r_.Events(), Lines{});
  recorder_switch(r_.recorder, false);
  Use(lock_);
  recorder_switch(r_.recorder, true);
  EXPECT_EQ(r_.Events(), Lines{});
  FakeThread *own = r_.jvm.AddThread("Orca", 0xE);
  threads_hide(r_.threads, r_.jni, own->Ref());
  FakeJvm::Running running(own);
  now_ = own;
  Use(lock_);
  EXPECT_EQ(r_.Records(), Lines{});
}

// A loop may run on from one recording to the next.
TEST_F(HooksOfMonitorsTest, ARecordingThatDoesNotWantThemHasNone) {
  for (const char *options : {"", "monitors=all,filter=*,events=all-monitor"}) {
    r_.Again(options);
    Use(lock_);
    EXPECT_EQ(r_.Events(), Lines{}) << options;
  }
}

TEST_F(HooksOfMonitorsTest, WhereTheQueueIsFullTheyAreDropped) {
  r_.Again("monitors=all,filter=*,overflow=drop");
  Use(lock_);
  r_.FillQueue();
  Use(lock_);
  EXPECT_EQ(r_.recorder->dropped, 3u);
}

}  // namespace
