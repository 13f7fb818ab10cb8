#include "agent/track/engine_weave.h"

#include <string>
#include <utility>
#include <vector>

#include "agent/track/tracked.h"
#include "gtest/gtest.h"
#include "tests/agent/classfile/class_bytes.h"
#include "tests/support/recording.h"

// The JVM's own. It shows no other.
extern "C" {
void JVM_MonitorNotify(JNIEnv *, jobject) {}
void JVM_MonitorWait(JNIEnv *, jobject, jlong) {}
}

namespace {

const char kSemaphore[] = "java/util/concurrent/Semaphore";
const std::string kReturn = "\xb1";

// A class file with release()V and other()V, to be loaded under any name.
std::string ClassFile() {
  CodeBytes code;
  code.max_locals = 1;
  code.code = kReturn;
  ClassMaker maker;
  maker.AddMethod(0, "release", "()V", code);
  maker.AddMethod(0, "other", "()V", code);
  return maker.Make();
}

// The methods of OrcaHook that a class file refers to.
Lines HooksIn(const std::string &class_file) {
  ClassParts parts = TakeToPieces(class_file);
  Lines hooks;
  for (uint32_t i = 1; i < parts.pool.size(); i++) {
    if (parts.pool[i][0] == 10) hooks.push_back(parts.MethodName(i));
  }
  return hooks;
}

// What is not given back fails each test: FakeJvm counts it.
class WeaveTest : public testing::Test {
 protected:
  explicit WeaveTest(const std::string &options = "") : r_(options) {
    static auto &all = *new std::vector<struct weave_engine *>; /* never freed */
    all.push_back(engine_ = weave_engine_new(r_.threads, r_.ti));
    r_.jvm.During(CALL_CallStaticVoidMethod, [this] { BootBind(); });
  }

  FakeMethod *AddNative(FakeClass *klass, const char *name, const char *descriptor) {
    FakeMethod *method = r_.jvm.AddMethod(klass, name, descriptor);
    method->native = true;
    return method;
  }

  // What OrcaBoot.bind does.
  void BootBind() {
    FakeClass *boot = r_.jvm.BootClass("OrcaBoot");
    FakeMethod *method = r_.jvm.Method(boot, "bindFromHere", "()V");
    reinterpret_cast<void (*)(JNIEnv *, jclass)>(method->function)(r_.jni, boot->Ref());
  }

  // A native of OrcaHook.
  FakeMethod *Hook(const char *name, const char *descriptor) {
    FakeClass *hook = r_.jvm.BootClass("java/lang/OrcaHook");
    return hook == nullptr ? nullptr : r_.jvm.Method(hook, name, descriptor);
  }
  FakeMethod *HookEnter() { return Hook("enter", "(Ljava/lang/Object;I)V"); }
  FakeMethod *HookExit() { return Hook("exit", "(I)V"); }
  void CallEnter(FakeObject *object, jint row) {
    auto enter = reinterpret_cast<void (*)(JNIEnv *, jclass, jobject, jint)>(HookEnter()->function);
    thread_->frames = {{HookEnter()->Id(), -1}, {release_->Id(), 5}};
    enter(r_.jni, HookEnter()->klass->Ref(), object->Ref(), row);
  }
  void CallExit(jint row) {
    auto exit = reinterpret_cast<void (*)(JNIEnv *, jclass, jint)>(HookExit()->function);
    exit(r_.jni, HookExit()->klass->Ref(), row);
  }
  static int Row(const char *name) {
    return tracked_find("Ljava/util/concurrent/Semaphore;", name, "()V");
  }

  bool Start() {
    testing::internal::CaptureStderr();
    bool good = weave_engine_start(engine_, r_.jni);
    said_ = testing::internal::GetCapturedStderr();
    return good;
  }
  void Stop() { weave_engine_stop(engine_, r_.jni); }

  // What the JVM gets for a class that it loads; "" when it stays as it is.
  std::string Load(const char *name, const std::string &bytes = ClassFile(),
                   FakeObject *loader = nullptr) {
    unsigned char *out = nullptr;
    jint len = 0;
    weave_engine_load(engine_, loader == nullptr ? nullptr : loader->Ref(), name,
                      reinterpret_cast<const unsigned char *>(bytes.data()),
                      static_cast<jint>(bytes.size()), &out, &len);
    std::string woven(reinterpret_cast<char *>(out), static_cast<size_t>(len));
    r_.ti->Deallocate(out);
    return woven;
  }

  std::string Info() {
    struct builder info = {};
    weave_engine_info(engine_, &info);
    return Taken(&info);
  }

  Recording r_;
  FakeClass *object_class_ = r_.jvm.AddClass("Ljava/lang/Object;", 0xC1);
  FakeMethod *wait_ = AddNative(object_class_, "wait", "(J)V");
  FakeMethod *notify_ = AddNative(object_class_, "notify", "()V");
  FakeClass *semaphore_ = r_.jvm.AddClass("Ljava/util/concurrent/Semaphore;", 0xC2);
  FakeMethod *release_ = r_.jvm.AddMethod(semaphore_, "release", "()V");
  FakeClass *string_ = r_.jvm.AddClass("Ljava/lang/String;", 0xC3);
  FakeObject *lock_ = r_.jvm.AddObject(semaphore_, 0x10);
  FakeThread *thread_ = r_.jvm.AddThread("T", 0xA);
  FakeJvm::Running running_{thread_};
  struct weave_engine *engine_;
  std::string said_;  // on stderr, by Start
};

/* --- start -------------------------------------------------------------------------------- */

TEST_F(WeaveTest, NativesAreBoundBeforeAnythingIsRetransformed) {
  int retransformed = 0;
  r_.jvm.During(CALL_RetransformClasses, [&] {
    retransformed++;
    ASSERT_NE(HookEnter(), nullptr);
    EXPECT_NE(HookEnter()->function, nullptr);
    EXPECT_NE(HookExit()->function, nullptr);
    EXPECT_NE(wait_->function, nullptr);
    EXPECT_NE(notify_->function, nullptr);
    EXPECT_TRUE(r_.jvm.IsEnabled(JVMTI_EVENT_CLASS_FILE_LOAD_HOOK));
  });
  EXPECT_TRUE(Start());
  EXPECT_EQ(retransformed, 1);
  EXPECT_EQ(said_, "");
  EXPECT_EQ(Info(), "");
}

TEST_F(WeaveTest, TheLoadedClassesAreRetransformedInOneCall) {
  semaphore_->prepared = false;
  ASSERT_TRUE(Start());
  EXPECT_EQ(r_.jvm.Retransformed(), (std::vector<Lines>{{"Ljava/lang/Thread;", "Ljava/lang/Object;",
                                                         "Ljava/util/concurrent/Semaphore;"}}));
}

TEST_F(WeaveTest, TrackedMethodsAreDefinedWithoutACall) {
  ASSERT_TRUE(Start());
  EXPECT_EQ(r_.Methods().size(), 3u);  // wait, notify and release
}

TEST_F(WeaveTest, ThoseOfAClassThatIsLoadedLaterTooOnceItIsPrepared) {
  semaphore_->prepared = false;
  ASSERT_TRUE(Start());
  r_.Methods();
  semaphore_->prepared = true;
  weave_engine_class(engine_, r_.jni, semaphore_->Ref());
  EXPECT_EQ(r_.Methods().size(), 1u);
  EXPECT_TRUE(r_.jvm.IsEnabled(JVMTI_EVENT_CLASS_PREPARE));
}

TEST_F(WeaveTest, NoStackShowsTheHooks) {
  ASSERT_TRUE(Start());
  EXPECT_EQ(r_.meta->hook_methods[0], HookEnter()->Id());
  EXPECT_EQ(r_.meta->hook_methods[1], HookExit()->Id());
}

TEST_F(WeaveTest, WhenTheJvmRefusesItDoesNotStart) {
  for (auto refused : std::vector<std::pair<FakeCall, int>>{{CALL_DefineClass, 2},
                                                            {CALL_RegisterNatives, 1},
                                                            {CALL_GetStaticMethodID, 3},
                                                            {CALL_RetransformClasses, 1}}) {
    r_.jvm.Fail(refused.first, refused.second);
    EXPECT_FALSE(Start()) << refused.first;
    EXPECT_FALSE(r_.jni->ExceptionCheck()) << refused.first;
  }
  EXPECT_EQ(r_.jvm.Calls(CALL_RetransformClasses), 1);
}

TEST_F(WeaveTest, WithoutRoomForReferencesItStartsAllTheSame) {
  r_.jvm.Fail(CALL_EnsureLocalCapacity);
  EXPECT_TRUE(Start());
}

/* --- loading ------------------------------------------------------------------------------ */

TEST_F(WeaveTest, ATrackedClassIsWoven) {
  ASSERT_TRUE(Start());
  std::string woven = Load(kSemaphore);
  ASSERT_NE(woven, "");
  EXPECT_EQ(HooksIn(woven), (Lines{"java/lang/OrcaHook.exit(I)V",
                                   "java/lang/OrcaHook.enter(Ljava/lang/Object;I)V"}));
  ClassParts parts = TakeToPieces(woven);
  EXPECT_NE(parts.methods["release()V"].code, kReturn);
  EXPECT_EQ(parts.methods["other()V"].code, kReturn);
}

TEST_F(WeaveTest, NothingElseIs) {
  EXPECT_EQ(Load(kSemaphore), "") << "before the start";
  ASSERT_TRUE(Start());
  EXPECT_EQ(Load(kSemaphore, ClassFile(), lock_), "") << "of another loader";
  EXPECT_EQ(Load("java/lang/String"), "");
  EXPECT_EQ(Load(nullptr), "");
  EXPECT_EQ(Load("java/lang/Object"), "") << "it has no such method";
  Stop();
  EXPECT_EQ(Load(kSemaphore), "") << "after the stop";
  EXPECT_EQ(Info(), "");
}

TEST_F(WeaveTest, AClassIsWovenInsideTheStart) {
  std::string woven;
  r_.jvm.During(CALL_RetransformClasses, [&] { woven = Load(kSemaphore); });
  ASSERT_TRUE(Start());
  EXPECT_NE(woven, "");
}

/* --- what is missing ---------------------------------------------------------------------- */

TEST_F(WeaveTest, WhatCannotBeHookedIsSaidOnceAndStandsInTheInfo) {
  const std::string notify_all = "java.lang.Object.notifyAll()V: it is native, and this JVM does ";
  const std::string release = "java.util.concurrent.Semaphore.release()V: the class file is ";
  AddNative(object_class_, "notifyAll", "()V");
  r_.jvm.During(CALL_RetransformClasses, [&] { Load(kSemaphore, ClassFile() + "and more"); });
  EXPECT_TRUE(Start());
  EXPECT_EQ(said_.rfind("orca: not recorded: " + notify_all, 0), 0u) << said_;
  EXPECT_NE(said_.find("; " + release), std::string::npos) << said_;
  EXPECT_EQ(said_.find('\n'), said_.size() - 1) << said_;
  EXPECT_NE(Info().find("hooks.missing=" + notify_all), std::string::npos) << Info();
  EXPECT_NE(Info().find("\nhooks.missing=" + release), std::string::npos) << Info();

  testing::internal::CaptureStderr();
  Stop();
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST_F(WeaveTest, WithoutMemoryForTheWovenClassItStaysAsItIs) {
  ASSERT_TRUE(Start());
  r_.jvm.Fail(CALL_Allocate, 1, JVMTI_ERROR_OUT_OF_MEMORY);
  EXPECT_EQ(Load(kSemaphore), "");
  EXPECT_EQ(Info(), "hooks.missing=java.util.concurrent.Semaphore.release()V: memory ran out\n");
}

/* --- stop --------------------------------------------------------------------------------- */

TEST_F(WeaveTest, StopPutsEverythingBack) {
  ASSERT_TRUE(Start());
  std::string woven = "nothing yet";
  r_.jvm.During(CALL_RetransformClasses, [&] { woven = Load(kSemaphore); });
  Stop();
  EXPECT_EQ(woven, "");
  ASSERT_EQ(r_.jvm.Retransformed().size(), 2u);
  EXPECT_EQ(r_.jvm.Retransformed()[1], r_.jvm.Retransformed()[0]);
  EXPECT_EQ(wait_->function, reinterpret_cast<void *>(JVM_MonitorWait));
  EXPECT_EQ(notify_->function, reinterpret_cast<void *>(JVM_MonitorNotify));
  EXPECT_FALSE(r_.jvm.IsEnabled(JVMTI_EVENT_CLASS_FILE_LOAD_HOOK));
  EXPECT_FALSE(r_.jvm.IsEnabled(JVMTI_EVENT_CLASS_PREPARE));
}

TEST_F(WeaveTest, WithoutAStartThereIsNothingToStop) {
  Stop();
  EXPECT_EQ(r_.jvm.Calls(CALL_RetransformClasses), 0);
  EXPECT_EQ(r_.jvm.Calls(CALL_DefineClass), 0);
}

TEST_F(WeaveTest, ItStartsAgainWithTheClassesOfTheFirstTime) {
  ASSERT_TRUE(Start());
  Stop();
  ASSERT_TRUE(Start());
  EXPECT_NE(Load(kSemaphore), "");
  EXPECT_NE(wait_->function, reinterpret_cast<void *>(JVM_MonitorWait));
}

/* --- the hooks ---------------------------------------------------------------------------- */

TEST_F(WeaveTest, AHookThatIsCalledRecords) {
  ASSERT_TRUE(Start());
  CallEnter(lock_, Row("acquire"));
  CallExit(Row("acquire"));
  EXPECT_EQ(r_.Events(), (Lines{"SemaphoreAcquire,0000000A,00000010,1;00000003;00000000",
                                "SemaphoreAcquired,0000000A,00000010,1;00000003;00000000"}));
}

TEST_F(WeaveTest, ARowThatIsNoneIsIgnored) {
  ASSERT_TRUE(Start());
  CallEnter(lock_, Row("acquire"));
  r_.Records();
  for (jint row : {-1, num_tracked, 1 << 30}) {
    CallEnter(lock_, row);
    CallExit(row);
    CallExit(row);
  }
  EXPECT_EQ(r_.Records(), Lines{});
  CallExit(Row("acquire"));  // still open
  EXPECT_EQ(r_.Events().size(), 1u);
}

/* --- some groups only --------------------------------------------------------------------- */

class WeaveSemaphoresTest : public WeaveTest {
 protected:
  WeaveSemaphoresTest() : WeaveTest("events=semaphore") {}
};

TEST_F(WeaveSemaphoresTest, OnlyClassesOfTheGroupAreTouched) {
  AddNative(object_class_, "notifyAll", "()V");
  ASSERT_TRUE(Start());
  EXPECT_EQ(r_.jvm.Retransformed(), (std::vector<Lines>{{"Ljava/util/concurrent/Semaphore;"}}));
  EXPECT_EQ(wait_->function, nullptr);
  EXPECT_EQ(Info(), "");
  EXPECT_EQ(r_.Methods().size(), 1u);
  EXPECT_NE(Load(kSemaphore), "");
}

TEST_F(WeaveSemaphoresTest, WithoutSuchAClassNothingIsRetransformed) {
  semaphore_->loader = lock_;
  ASSERT_TRUE(Start());
  EXPECT_EQ(r_.jvm.Calls(CALL_RetransformClasses), 0);
}

class WeaveNotifyTest : public WeaveTest {
 protected:
  WeaveNotifyTest() : WeaveTest("events=notify") {}
};

TEST_F(WeaveNotifyTest, AClassOfAnotherGroupIsNotWoven) {
  ASSERT_TRUE(Start());
  EXPECT_EQ(r_.jvm.Retransformed(), (std::vector<Lines>{{"Ljava/lang/Object;"}}));
  EXPECT_EQ(Load(kSemaphore), "");
  EXPECT_EQ(wait_->function, nullptr);
  EXPECT_NE(notify_->function, nullptr);
}

}  // namespace
