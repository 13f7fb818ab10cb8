#include "agent/track/rebind.h"

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "agent/tracked/tracked.h"
#include "gtest/gtest.h"
#include "tests/agent/track/kept_hooks.h"
#include "tests/support/recording.h"

namespace {

struct Call {
  std::string function;
  JNIEnv *jni;
  jobject self;
  jlong value;
};
std::vector<Call> calls;       // of the JVM's functions
std::function<void()> action;  // runs inside such a call

void RecordCall(const Call &call) {
  calls.push_back(call);
  if (action) action();
}

}  // namespace

// The JVM's functions. There is no JVM_MonitorNotifyAll.
extern "C" {
void JVM_MonitorNotify(JNIEnv *jni, jobject self) { RecordCall({"notify", jni, self, 0}); }
void JVM_MonitorWait(JNIEnv *jni, jobject self, jlong ms) { RecordCall({"wait", jni, self, ms}); }
void JVM_Sleep(JNIEnv *jni, jclass self, jlong ms) { RecordCall({"sleep", jni, self, ms}); }
}

namespace {

using Native = void (*)(JNIEnv *, jobject);
using NativeOfLong = void (*)(JNIEnv *, jobject, jlong);

class RebindTest : public testing::Test {
 protected:
  RebindTest() {
    static auto &all = *new std::vector<struct rebind *>; /* never freed */
    all.push_back(rebind_ = rebind_new(MakeHooks(r_)));
    calls.clear();
    action = nullptr;
    thread_->frames = {{wait_->Id(), -1}};
  }

  FakeMethod *AddNative(FakeClass *klass, const char *name, const char *descriptor) {
    FakeMethod *method = r_.jvm.AddMethod(klass, name, descriptor);
    method->native = true;
    return method;
  }
  // Returns "" if the method was marked, else the reason.
  std::string Add(const FakeMethod *method) {
    int row = tracked_find(method->klass->signature.c_str(), method->name.c_str(),
                           method->descriptor.c_str());
    const char *reason = nullptr;
    return rebind_add(rebind_, row, &reason) ? "" : reason;
  }
  bool BindToOrca() { return rebind_bind(rebind_, r_.jni, true); }
  bool BindBack() { return rebind_bind(rebind_, r_.jni, false); }

  void CallWait(jlong ms) {
    reinterpret_cast<NativeOfLong>(wait_->function)(r_.jni, lock_->Ref(), ms);
  }

  Recording r_;
  FakeClass *object_class_ = r_.jvm.AddClass("Ljava/lang/Object;", 0xC1);
  FakeMethod *wait_ = AddNative(object_class_, "wait", "(J)V");
  FakeMethod *notify_ = AddNative(object_class_, "notify", "()V");
  FakeMethod *notify_all_ = AddNative(object_class_, "notifyAll", "()V");
  FakeMethod *sleep_ = AddNative(r_.jvm.ThreadClass(), "sleep", "(J)V");
  FakeMethod *join_ = AddNative(r_.jvm.ThreadClass(), "join", "(J)V");
  FakeObject *lock_ = r_.jvm.AddObject(object_class_, 0x10);
  FakeThread *thread_ = r_.jvm.AddThread("T", 0xA);
  FakeJvm::Running running_{thread_};
  struct rebind *rebind_;
};

TEST_F(RebindTest, OnlyMarkedMethodsAreBound) {
  EXPECT_EQ(Add(wait_), "");
  EXPECT_TRUE(BindToOrca());
  EXPECT_NE(wait_->function, nullptr);
  EXPECT_EQ(notify_->function, nullptr);
  EXPECT_EQ(sleep_->function, nullptr);
}

TEST_F(RebindTest, NoMethodIsBoundIfNoneIsMarked) {
  EXPECT_TRUE(BindToOrca());
  EXPECT_EQ(r_.jvm.Calls(CALL_RegisterNatives), 0);
  EXPECT_EQ(r_.jvm.Calls(CALL_GetAllStackTraces), 0);
}

// HotSpot drops a compiled wrapper only if the function changes. One that was about to be installed
// during the first call of RegisterNatives is installed after the safepoint.
TEST_F(RebindTest, EachMethodIsBoundToAnotherFunctionOfOrcaAfterASafepoint) {
  Add(wait_);
  Add(notify_);
  void *wait = nullptr, *notify = nullptr;
  r_.jvm.During(CALL_GetAllStackTraces, [&] {
    wait = wait_->function;
    notify = notify_->function;
    CallWait(7);
    reinterpret_cast<Native>(notify)(r_.jni, lock_->Ref());
  });
  EXPECT_TRUE(BindToOrca());
  ASSERT_NE(wait, nullptr);
  ASSERT_NE(notify, nullptr);
  EXPECT_EQ(calls.size(), 2u);
  EXPECT_EQ(r_.Events().size(), 3u);
  EXPECT_EQ((std::set<void *>{wait, notify, wait_->function, notify_->function,
                              reinterpret_cast<void *>(JVM_MonitorWait),
                              reinterpret_cast<void *>(JVM_MonitorNotify)})
                .size(),
            6u);
  CallWait(7);
  EXPECT_EQ(r_.Events().size(), 2u);
}

TEST_F(RebindTest, MethodsAreBoundIfTheJvmGivesNoStacks) {
  Add(wait_);
  r_.jvm.Fail(CALL_GetAllStackTraces);
  EXPECT_TRUE(BindToOrca());
  CallWait(7);
  EXPECT_EQ(r_.Events().size(), 2u);
}

TEST_F(RebindTest, BindsToOrcasFunctionsAndBackToTheJvms) {
  Add(wait_);
  Add(notify_);
  EXPECT_TRUE(BindToOrca());
  EXPECT_NE(wait_->function, reinterpret_cast<void *>(JVM_MonitorWait));
  EXPECT_NE(notify_->function, reinterpret_cast<void *>(JVM_MonitorNotify));
  EXPECT_NE(wait_->function, notify_->function);
  EXPECT_TRUE(BindBack());
  EXPECT_EQ(wait_->function, reinterpret_cast<void *>(JVM_MonitorWait));
  EXPECT_EQ(notify_->function, reinterpret_cast<void *>(JVM_MonitorNotify));
}

TEST_F(RebindTest, TheNextRecordingBindsOnlyMethodsThatAreMarkedAgain) {
  Add(wait_);
  Add(notify_);
  BindToOrca();
  BindBack();
  Add(wait_);
  EXPECT_TRUE(BindToOrca());
  EXPECT_NE(wait_->function, reinterpret_cast<void *>(JVM_MonitorWait));
  EXPECT_EQ(notify_->function, reinterpret_cast<void *>(JVM_MonitorNotify));
}

TEST_F(RebindTest, ANativeWhoseFunctionIsUnknownIsRefused) {
  EXPECT_EQ(Add(join_), "it is native, and Orca does not know its function");
  EXPECT_EQ(Add(notify_all_), "it is native, and this JVM does not export its function");
  EXPECT_TRUE(BindToOrca());
  EXPECT_EQ(r_.jvm.Calls(CALL_RegisterNatives), 0);
}

TEST_F(RebindTest, ACallIsRecordedAroundTheOriginal) {
  Add(wait_);
  BindToOrca();
  Lines before;
  action = [&] { before = r_.Events(); };
  CallWait(7);
  EXPECT_EQ(before, Lines{"ObjectWait,0000000A,00000010,1;00000001;FFFFFFFF"});
  EXPECT_EQ(r_.Events(), Lines{"ObjectWaited,0000000A,00000010,1;00000001;FFFFFFFF"});
}

TEST_F(RebindTest, TheOriginalGetsTheArguments) {
  Add(wait_);
  Add(notify_);
  BindToOrca();
  CallWait(1LL << 40);
  reinterpret_cast<Native>(notify_->function)(r_.jni, lock_->Ref());
  ASSERT_EQ(calls.size(), 2u);
  EXPECT_EQ(calls[0].function, "wait");
  EXPECT_EQ(calls[0].jni, r_.jni);
  EXPECT_EQ(calls[0].self, lock_->Ref());
  EXPECT_EQ(calls[0].value, 1LL << 40);
  EXPECT_EQ(calls[1].function, "notify");
  EXPECT_EQ(calls[1].self, lock_->Ref());
}

TEST_F(RebindTest, AStaticMethodHasNoObject) {
  Add(sleep_);
  BindToOrca();
  jclass self = r_.jvm.ThreadClass()->Ref();
  reinterpret_cast<NativeOfLong>(sleep_->function)(r_.jni, self, 5);
  EXPECT_EQ(r_.Events(), (Lines{"ThreadSleep,0000000A,1;00000001;FFFFFFFF",
                                "ThreadSlept,0000000A,1;00000001;FFFFFFFF"}));
  EXPECT_EQ(r_.Objects().size(), 1u);  // the thread, and not the class
  ASSERT_EQ(calls.size(), 1u);
  EXPECT_EQ(calls[0].self, self);
}

TEST_F(RebindTest, AnExceptionOfTheOriginalStaysPending) {
  Add(wait_);
  BindToOrca();
  action = FakeJvm::Throw;
  CallWait(1);
  EXPECT_TRUE(r_.jni->ExceptionCheck());
  r_.jni->ExceptionClear();
  EXPECT_EQ(r_.Events().size(), 2u);
}

TEST_F(RebindTest, ACallInsideACallIsNotRecorded) {
  Add(wait_);
  Add(notify_);
  BindToOrca();
  action = [&] {
    action = nullptr;
    thread_->frames.insert(thread_->frames.begin(), {notify_->Id(), -1});
    reinterpret_cast<Native>(notify_->function)(r_.jni, lock_->Ref());
    thread_->frames.erase(thread_->frames.begin());
  };
  CallWait(1);
  EXPECT_EQ(calls.size(), 2u);
  EXPECT_EQ(r_.Events().size(), 2u);  // the wait
}

// Compiled code may still call Orca's function after the method was bound back.
TEST_F(RebindTest, OrcasFunctionOnlyCallsTheOriginalWhileNothingIsRecorded) {
  Add(wait_);
  BindToOrca();
  recorder_switch(r_.recorder, false);
  CallWait(7);
  EXPECT_EQ(calls.size(), 1u);
  action = [&] { recorder_switch(r_.recorder, true); };
  CallWait(7);
  EXPECT_EQ(calls.size(), 2u);
  EXPECT_EQ(r_.Records(), Lines{});
  action = nullptr;
  CallWait(7);
  EXPECT_EQ(r_.Events().size(), 2u);
}

TEST_F(RebindTest, OrcasFunctionOnlyCallsTheOriginalIfItsEventIsNotWanted) {
  Add(wait_);
  Add(notify_);
  BindToOrca();
  r_.Again("events=notify");
  CallWait(7);
  EXPECT_EQ(calls.size(), 1u);
  EXPECT_EQ(r_.Records(), Lines{});
  thread_->frames = {{notify_->Id(), -1}};
  reinterpret_cast<Native>(notify_->function)(r_.jni, lock_->Ref());
  EXPECT_EQ(r_.Events().size(), 1u);
}

TEST_F(RebindTest, AFailedBindingLeavesNoExceptionAndTheOthersAreBound) {
  Add(wait_);
  Add(notify_);
  r_.jvm.Fail(CALL_RegisterNatives);
  EXPECT_FALSE(BindToOrca());
  EXPECT_FALSE(r_.jni->ExceptionCheck());
  EXPECT_NE(wait_->function, nullptr);
  r_.jvm.Fail(CALL_FindClass);
  EXPECT_FALSE(BindBack());
  EXPECT_FALSE(r_.jni->ExceptionCheck());
  EXPECT_EQ(wait_->function, reinterpret_cast<void *>(JVM_MonitorWait));
}

}  // namespace
