#include "agent/monitor/contention.h"

#include <memory>

#include "gtest/gtest.h"
#include "tests/support/recording.h"

namespace {

class ContentionTest : public testing::Test {
 protected:
  // Without "owners=late" there is no watch, and no owner is asked for.
  void BeginRecording(const std::string &options = "") {
    r_ = std::make_unique<Recording>(options);
    static auto &all = *new std::vector<struct owners *>; /* never freed */
    all.push_back(new struct owners);
    owners_init(all.back(), r_->threads);
    bool has_watch = options.find("owners=late") != std::string::npos;
    if (has_watch) all.back()->pool = blocked_pool_new();
    contention_ = {r_->threads, all.back()};
    FakeClass *klass = r_->jvm.AddClass("LA;", 0xC1);
    frames_ = {{r_->jvm.AddMethod(klass, "f", "()V")->Id(), 5}};
    lock_ = r_->jvm.AddObject(klass, 0x10);
    other_lock_ = r_->jvm.AddObject(klass, 0x11);
    a_ = r_->jvm.AddThread("A", 0xA);
    a_->frames = frames_;
    b_ = r_->jvm.AddThread("B", 0xB);
    b_->frames = frames_;
  }
  void CallEnter(FakeThread *thread, FakeObject *monitor) {
    FakeJvm::Running running(thread);
    contention_enter(&contention_, r_->ti, r_->jni, monitor->Ref());
  }
  void CallEntered(FakeThread *thread, FakeObject *monitor) {
    FakeJvm::Running running(thread);
    contention_entered(&contention_, r_->ti, r_->jni, monitor->Ref());
  }

  std::unique_ptr<Recording> r_;
  struct contention contention_;
  std::vector<jvmtiFrameInfo> frames_;
  FakeObject *lock_, *other_lock_;
  FakeThread *a_, *b_;
};

TEST_F(ContentionTest, RecordsAPairWithOneStack) {
  BeginRecording();
  CallEnter(a_, lock_);
  CallEntered(a_, lock_);
  EXPECT_EQ(r_->Events(),
            (Lines{"MonitorContendedEnter,0000000A,00000010,00000000,1;00000001;00000005",
                   "MonitorContendedEntered,0000000A,00000010,1;00000001;00000005"}));
  EXPECT_EQ(r_->jvm.Calls(CALL_GetStackTrace), 1);
}

TEST_F(ContentionTest, DefinesTheMonitor) {
  BeginRecording();
  CallEnter(a_, lock_);
  EXPECT_EQ(r_->Objects().back(), "00000010,000000C1");
}

TEST_F(ContentionTest, RecordsAPairForEachThread) {
  BeginRecording();
  CallEnter(a_, lock_);
  CallEnter(b_, lock_);
  CallEntered(b_, lock_);
  CallEntered(a_, lock_);
  Lines lines = r_->Events();
  ASSERT_EQ(lines.size(), 4u);
  EXPECT_EQ(lines[2].substr(0, 32), "MonitorContendedEntered,0000000B");
  EXPECT_EQ(lines[3].substr(0, 32), "MonitorContendedEntered,0000000A");
}

TEST_F(ContentionTest, CountsAnEnteredWithoutAnEnter) {
  BeginRecording();
  CallEntered(a_, lock_);
  CallEnter(a_, lock_);
  CallEntered(a_, other_lock_);
  EXPECT_EQ(r_->recorder->figures.monitor_orphans, 2u);
  CallEntered(a_, lock_);
  CallEntered(a_, lock_);
  EXPECT_EQ(r_->recorder->figures.monitor_orphans, 3u);
  EXPECT_EQ(r_->Events().size(), 2u);
}

TEST_F(ContentionTest, RecordsNothingIfTheGroupIsNotSelected) {
  BeginRecording("events=wait");
  CallEnter(a_, lock_);
  CallEntered(a_, lock_);
  EXPECT_EQ(r_->Events(), Lines{});
  EXPECT_EQ(r_->recorder->figures.monitor_orphans, 0u);
}

TEST_F(ContentionTest, WritesTheOwnerOfEachContentionWithOwnersAll) {
  BeginRecording("owners=all");
  lock_->owner = b_;
  {
    FakeJvm::Running running(b_);
    context_here(r_->threads, r_->ti, r_->jni);
  }
  CallEnter(a_, lock_);
  CallEntered(a_, lock_);
  EXPECT_EQ(r_->Events()[0],
            "MonitorContendedEnter,0000000A,00000010,0000000B,1;00000001;00000005");
  EXPECT_EQ(r_->Objects(), (Lines{"0000000B,00001000", "0000000A,00001000", "00000010,000000C1"}));
}

TEST_F(ContentionTest, CountsAnEnteredAfterADroppedEnter) {
  BeginRecording("owners=late,overflow=drop");
  CallEnter(b_, lock_);  // makes the context before the queue is full
  CallEntered(b_, lock_);
  r_->FillQueue();
  CallEnter(b_, lock_);
  r_->Records();
  EXPECT_EQ(r_->recorder->figures.events_dropped, 1u);
  CallEntered(b_, lock_);
  EXPECT_EQ(r_->Events(), Lines{});
  EXPECT_EQ(r_->recorder->figures.monitor_orphans, 1u);
}

// The JVM may leave out the end event. Slots of the pool and unshared stacks are released anyway.
TEST_F(ContentionTest, ReleasesTheSlotOfAnEnterWithoutAnEntered) {
  BeginRecording("owners=late");
  for (int i = 0; i < 10000; i++) {  // more than the number of slots
    CallEnter(a_, lock_);
    r_->Records();
    struct blocked *b = blocked_take_unseen(contention_.owners->pool);
    ASSERT_NE(b, nullptr) << i;
    r_->jni->DeleteWeakGlobalRef(static_cast<jweak>(blocked_on(b)->monitor));
    blocked_release(b);
  }
  EXPECT_EQ(r_->recorder->figures.owners_not_asked, 0u);
}

// The thread blocks when a recording ends, and gets the monitor during the next one.
TEST_F(ContentionTest, DropsAnEnteredWhoseEnterIsInAnEarlierRecording) {
  BeginRecording("owners=late");
  CallEnter(a_, lock_);
  r_->Records();
  r_->Again("owners=late");
  CallEntered(a_, lock_);
  EXPECT_EQ(r_->Events(), Lines{});
  EXPECT_EQ(r_->recorder->figures.monitor_orphans, 1u);
  FakeJvm::Running running(a_);
  struct context *here = context_known(r_->threads, r_->ti, r_->jni);
  EXPECT_EQ(here->entered, 0x10u);  // it is the owner all the same
  EXPECT_FALSE(here->blocking);
  struct blocked *b = blocked_take_unseen(contention_.owners->pool);
  EXPECT_TRUE(blocked_is_over(b));
  r_->jni->DeleteWeakGlobalRef(static_cast<jweak>(blocked_on(b)->monitor));
}

TEST_F(ContentionTest, RecordsPairsInTheNextRecording) {
  BeginRecording();
  CallEnter(a_, lock_);
  r_->Records();
  r_->Again();
  CallEnter(a_, lock_);
  CallEntered(a_, lock_);
  EXPECT_EQ(r_->Events().size(), 2u);
  EXPECT_EQ(r_->recorder->figures.monitor_orphans, 0u);
}

// From 26 on the JVM may not report the end.
TEST_F(ContentionTest, CountsAVirtualThreadThatBlocksOnTheLockOfAClass) {
  BeginRecording();
  r_->jvm.version = 0x301A0000;
  r_->jvm.HaveVirtualThreads();
  a_->is_virtual = true;
  FakeMethod *method = r_->jvm.AddMethod(lock_->klass, "g", "()V");
  method->bytecodes = {0xBB};  // new
  a_->frames = b_->frames = {{method->Id(), 0}};
  FakeObject *array = r_->jvm.AddObject(r_->jvm.AddClass("[I", 0xC2), 0x12);
  CallEnter(a_, array);
  EXPECT_EQ(r_->Events(), Lines{});
  EXPECT_EQ(r_->recorder->figures.monitor_endless, 1u);
  CallEnter(a_, lock_);
  CallEntered(a_, lock_);
  CallEnter(b_, array);  // a platform thread
  CallEntered(b_, array);
  EXPECT_EQ(r_->Events().size(), 4u);
  EXPECT_EQ(r_->recorder->figures.monitor_endless, 1u);
  EXPECT_EQ(r_->recorder->figures.monitor_orphans, 0u);
}

TEST_F(ContentionTest, IgnoresOrcasOwnThreads) {
  BeginRecording();
  threads_hide(r_->threads, r_->jni, a_->Ref());
  CallEnter(a_, lock_);
  CallEntered(a_, lock_);
  EXPECT_EQ(r_->Records(), Lines{});
}

// --- the locks of classes --------------------------------------------------------------------

constexpr jint kJvmti25 = 0x30190000, kJvmti26 = 0x301A0000, kJvmti8 = 0x30010203;
constexpr unsigned char kNop = 0x00, kGetStatic = 0xB2, kPutStatic = 0xB3, kInvokeStatic = 0xB8,
                        kNew = 0xBB, kMonitorEnter = 0xC2;

class ClassLock : public ContentionTest {
 protected:
  ClassLock() {
    BeginRecording();
    r_->jvm.version = kJvmti26;
    r_->jvm.HaveVirtualThreads();
    a_->is_virtual = true;
    ints_ = r_->jvm.AddClass("[I");
    method_ = r_->jvm.AddMethod(lock_->klass, "g", "()V");
    array_ = r_->jvm.AddObject(ints_);
    method_->bytecodes = {kNop, kNew, kMonitorEnter};
    CallEnter(a_, lock_);  // makes the context
    CallEntered(a_, lock_);
    StandAt(1);
  }
  void StandAt(jlocation location) { a_->frames = {{method_->Id(), location}, frames_[0]}; }
  bool MayHideEnd() { return MayHideEnd(array_); }
  bool MayHideEnd(FakeObject *monitor) {
    uint64_t before = r_->recorder->figures.monitor_endless;
    CallEnter(a_, monitor);
    CallEntered(a_, monitor);
    return r_->recorder->figures.monitor_endless > before;
  }

  FakeClass *ints_;
  FakeMethod *method_;
  FakeObject *array_;
};

TEST_F(ClassLock, IsAnEmptyArrayWhereAClassIsInitialized) {
  for (unsigned char opcode : {kGetStatic, kPutStatic, kInvokeStatic, kNew}) {
    method_->bytecodes = {kNop, opcode};
    EXPECT_TRUE(MayHideEnd()) << static_cast<int>(opcode);
  }
}

TEST_F(ClassLock, IsNoOtherObject) {
  FakeObject *full = r_->jvm.AddObject(ints_);
  full->numbers = {0};
  EXPECT_FALSE(MayHideEnd(full));
  EXPECT_FALSE(MayHideEnd(r_->jvm.AddObject(lock_->klass)));
  EXPECT_FALSE(MayHideEnd(r_->jvm.AddObject(r_->jvm.AddClass("[B"))));
}

TEST_F(ClassLock, IsNoArrayOnWhichCodeSynchronizes) {
  StandAt(2);
  EXPECT_FALSE(MayHideEnd());
  StandAt(0);
  EXPECT_FALSE(MayHideEnd());
}

// The interpreter shows the thread after the monitorenter.
TEST_F(ClassLock, IsUnknownAtTheFirstInstructionOfABlock) {
  method_->bytecodes = {kMonitorEnter, kInvokeStatic};
  EXPECT_TRUE(MayHideEnd());
  method_->bytecodes = {kMonitorEnter, kNop};
  EXPECT_FALSE(MayHideEnd());
}

TEST_F(ClassLock, HidesNoEndFromANativeMethod) {
  method_->native = true;
  StandAt(-1);
  EXPECT_FALSE(MayHideEnd());
}

TEST_F(ClassLock, HidesNoEndBefore26) {
  for (jint version : {kJvmti8, kJvmti25}) {
    r_->jvm.version = version;
    EXPECT_FALSE(MayHideEnd()) << version;
  }
}

TEST_F(ClassLock, IsUnknownIfTheJvmDoesNotAnswer) {
  for (FakeCall call :
       {CALL_GetVersionNumber, CALL_GetClassSignature, CALL_GetStackTrace, CALL_GetBytecodes}) {
    r_->jvm.Fail(call);
    EXPECT_FALSE(MayHideEnd()) << call;
  }
  a_->frames = {};
  EXPECT_FALSE(MayHideEnd());
  StandAt(3);  // after the end of the code
  EXPECT_FALSE(MayHideEnd());
}

}  // namespace
