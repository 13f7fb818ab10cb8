#include "agent/monitor/class_lock.h"

#include "gtest/gtest.h"
#include "tests/support/fake_jvm.h"

namespace {

constexpr jint kJvmti25 = 0x30190000, kJvmti26 = 0x301A0000, kJvmti8 = 0x30010203;
constexpr unsigned char kNop = 0x00, kGetStatic = 0xB2, kPutStatic = 0xB3, kInvokeStatic = 0xB8,
                        kNew = 0xBB, kMonitorEnter = 0xC2;

class ClassLock : public testing::Test {
 protected:
  ClassLock() {
    jvm_.version = kJvmti26;
    method_->bytecodes = {kNop, kNew, kMonitorEnter};
    StandAt(1);
  }
  void StandAt(jlocation location) {
    thread_->frames = {{method_->Id(), location}, {caller_->Id(), 0}};
  }
  bool MayHideEnd() { return MayHideEnd(array_); }
  bool MayHideEnd(FakeObject *monitor) {
    return class_lock_may_hide_end(jvm_.Ti(), jvm_.Jni(), monitor->Ref());
  }

  FakeJvm jvm_;
  FakeThread *thread_ = jvm_.AddThread("virtual");
  FakeJvm::Running running_{thread_};
  FakeClass *ints_ = jvm_.AddClass("[I"), *klass_ = jvm_.AddClass("LA;");
  FakeMethod *method_ = jvm_.AddMethod(klass_, "f", "()V");
  FakeMethod *caller_ = jvm_.AddMethod(klass_, "g", "()V");
  FakeObject *array_ = jvm_.AddObject(ints_);
};

TEST_F(ClassLock, IsAnEmptyArrayWhereAClassIsInitialized) {
  for (unsigned char opcode : {kGetStatic, kPutStatic, kInvokeStatic, kNew}) {
    method_->bytecodes = {kNop, opcode};
    EXPECT_TRUE(MayHideEnd()) << static_cast<int>(opcode);
  }
}

TEST_F(ClassLock, IsNoOtherObject) {
  FakeObject *full = jvm_.AddObject(ints_);
  full->numbers = {0};
  EXPECT_FALSE(MayHideEnd(full));
  EXPECT_FALSE(MayHideEnd(jvm_.AddObject(klass_)));
  EXPECT_FALSE(MayHideEnd(jvm_.AddObject(jvm_.AddClass("[B"))));
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
    jvm_.version = version;
    EXPECT_FALSE(MayHideEnd()) << version;
  }
}

TEST_F(ClassLock, IsUnknownIfTheJvmDoesNotAnswer) {
  for (FakeCall call :
       {CALL_GetVersionNumber, CALL_GetClassSignature, CALL_GetStackTrace, CALL_GetBytecodes}) {
    jvm_.Fail(call);
    EXPECT_FALSE(MayHideEnd()) << call;
  }
  thread_->frames = {};
  EXPECT_FALSE(MayHideEnd());
  StandAt(3);  // after the end of the code
  EXPECT_FALSE(MayHideEnd());
}

}  // namespace
