#include "agent/track/engine_weave.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "agent/tracked/tracked.h"
#include "gtest/gtest.h"
#include "tests/agent/classfile/class_bytes.h"
#include "tests/agent/track/kept_hooks.h"
#include "tests/support/recording.h"

// The JVM's own. It shows no other.
extern "C" {
void JVM_MonitorNotify(JNIEnv *, jobject) {}
void JVM_MonitorWait(JNIEnv *, jobject, jlong) {}
}

namespace {

const char kSemaphore[] = "java/util/concurrent/Semaphore";
const std::string kReturn = Bytes({0x00, 0xb1});  // behind something that might throw

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
    all.push_back(engine_ = weave_engine_new(KeptHooks(r_)));
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

TEST_F(WeaveTest, ClassesWithTrackedMethodsInJavaAreRetransformedInOneCall) {
  r_.jvm.AddMethod(r_.jvm.ThreadClass(), "start", "()V");
  ASSERT_TRUE(Start());
  EXPECT_EQ(r_.jvm.Retransformed(),
            (std::vector<Lines>{{"Ljava/lang/Thread;", "Ljava/util/concurrent/Semaphore;"}}));
}

// It has no methods yet, but its class file was read already.
TEST_F(WeaveTest, AClassThatIsLoadedAndNotPreparedIsRetransformedToo) {
  semaphore_->prepared = false;
  ASSERT_TRUE(Start());
  EXPECT_EQ(r_.jvm.Retransformed(),
            (std::vector<Lines>{{"Ljava/lang/Thread;", "Ljava/util/concurrent/Semaphore;"}}));
}

TEST_F(WeaveTest, OneThatMayNotBeChangedIsNot) {
  semaphore_->modifiable = false;
  ASSERT_TRUE(Start());
  EXPECT_EQ(r_.jvm.Retransformed(), (std::vector<Lines>{{"Ljava/lang/Thread;"}}));
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

TEST_F(WeaveTest, WhenTheJvmRefusesItDoesNotStart) {
  for (FakeCall call : {CALL_DefineClass, CALL_GetStaticMethodID, CALL_RegisterNatives}) {
    r_.jvm.Fail(call);
    EXPECT_FALSE(Start()) << call;
    EXPECT_FALSE(r_.jni->ExceptionCheck()) << call;
    EXPECT_FALSE(r_.jvm.IsEnabled(JVMTI_EVENT_CLASS_FILE_LOAD_HOOK)) << call;
    EXPECT_EQ(Load(kSemaphore), "") << call;
  }
  EXPECT_EQ(r_.jvm.Calls(CALL_RetransformClasses), 0);
  r_.jvm.Fail(CALL_RetransformClasses);
  EXPECT_FALSE(Start());
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
  Lines hooks = HooksIn(woven);
  EXPECT_EQ(std::set<std::string>(hooks.begin(), hooks.end()),
            (std::set<std::string>{"java/lang/OrcaHook.enter(Ljava/lang/Object;I)V",
                                   "java/lang/OrcaHook.exit(I)V",
                                   "java/lang/OrcaHook.thrown(Ljava/lang/Throwable;I)V"}));
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

TEST_F(WeaveTest, WithoutMemoryForTheWovenClassItStaysAsItIsWhichIsSaid) {
  ASSERT_TRUE(Start());
  r_.jvm.Fail(CALL_Allocate, 1, JVMTI_ERROR_OUT_OF_MEMORY);
  testing::internal::CaptureStderr();
  EXPECT_EQ(Load(kSemaphore), "");
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "orca: no memory for the hooks of java/util/concurrent/Semaphore\n");
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

// Else a class that is changed would take ours along.
TEST_F(WeaveTest, NativesAreBoundBackBeforeAnythingIsRetransformed) {
  ASSERT_TRUE(Start());
  int retransformed = 0;
  r_.jvm.During(CALL_RetransformClasses, [&] {
    retransformed++;
    EXPECT_EQ(wait_->function, reinterpret_cast<void *>(JVM_MonitorWait));
    EXPECT_EQ(notify_->function, reinterpret_cast<void *>(JVM_MonitorNotify));
  });
  Stop();
  EXPECT_EQ(retransformed, 1);
}

TEST_F(WeaveTest, AClassOfWhichOnlyNativesAreTrackedStaysAsItIs) {
  const Lines without = {"Ljava/lang/Thread;", "Ljava/util/concurrent/Semaphore;"};
  const Lines with = {"Ljava/lang/Thread;", "Ljava/lang/Object;",
                      "Ljava/util/concurrent/Semaphore;"};
  ASSERT_TRUE(Start());
  Stop();
  r_.jvm.AddMethod(object_class_, "wait", "()V");  // one in Java
  ASSERT_TRUE(Start());
  EXPECT_EQ(r_.jvm.Retransformed(), (std::vector<Lines>{without, without, with}));
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

/* --- how each row is hooked ------------------------------------------------------------------ */

const char kTimed[] = "(JLjava/util/concurrent/TimeUnit;)Z";
const std::string kReturnZero = Bytes({0x03, 0xac}), kReturnLong = Bytes({0x09, 0xad}),
                  kReturnNull = Bytes({0x01, 0xb0});

// A class file with one method that is not static.
std::string ClassWith(const char *name, const std::string &descriptor, uint32_t flags = 0) {
  const std::map<char, std::string> bodies = {
      {'V', kReturn}, {'Z', kReturnZero}, {'J', kReturnLong}, {'L', kReturnNull}};
  CodeBytes code;
  code.max_stack = 2;
  code.max_locals = 8;
  code.code = bodies.at(descriptor[descriptor.find(')') + 1]);
  ClassMaker maker;
  if (std::string(name) == "<init>") {
    code.code = Bytes({0x2a, 0xb7}) + U2(maker.Method("java/lang/Object", name, "()V")) + kReturn;
  }
  maker.AddMethod(flags, name, descriptor, code);
  return maker.Make();
}

// What is woven into a method of the JDK: the static methods that its class then refers to.
struct Woven {
  const char *klass, *name, *descriptor;
  Lines waits, all; /* with locks=waits and locks=all */
  bool is_static = false;
};

const std::string kEnter = "java/lang/OrcaHook.enter(Ljava/lang/Object;I)V";
const std::string kThrown = "java/lang/OrcaHook.thrown(Ljava/lang/Throwable;I)V";
const std::string kExit = "java/lang/OrcaHook.exit(I)V";
const std::string kExitBoolean = "java/lang/OrcaHook.exit(ZI)V";
const std::string kExitLong = "java/lang/OrcaHook.exit(JI)V";
const std::string kExitObject = "java/lang/OrcaHook.exit(Ljava/lang/Object;I)V";
const std::string kMade = "java/lang/OrcaHook.made(Ljava/lang/Object;)V";
const std::string kLocks = "java/util/concurrent/locks/OrcaLocks.";
const std::string kReentrant = "(LMade;";  // as the class file says
const Lines kPlain = {kEnter, kExit, kThrown}, kBoolean = {kEnter, kExitBoolean, kThrown},
            kLong = {kEnter, kExitLong, kThrown}, kObject = {kEnter, kExitObject, kThrown};

Lines With(Lines hooks, const std::string &more) {
  hooks.push_back(more);
  return hooks;
}

const Woven kWoven[] = {
    {"java/util/concurrent/Semaphore", "acquire", "()V", kPlain, kPlain},
    {"java/util/concurrent/Semaphore", "tryAcquire", "()Z", kBoolean, kBoolean},
    {"java/util/concurrent/CountDownLatch", "await", kTimed, kBoolean, kBoolean},
    {"java/util/concurrent/DelayQueue", "take", "()Ljava/lang/Object;", kPlain, kPlain},
    {"java/util/concurrent/DelayQueue", "poll",
     "(JLjava/util/concurrent/TimeUnit;)Ljava/lang/Object;", kObject, kObject},
    {"java/util/concurrent/locks/AbstractQueuedSynchronizer$ConditionObject", "awaitNanos", "(J)J",
     kLong, kLong},
    {"java/util/concurrent/locks/LockSupport", "unpark", "(Ljava/lang/Thread;)V", kPlain, kPlain,
     true},
    {"java/util/concurrent/locks/ReentrantLock", "lock", "()V",
     With(kPlain, kLocks + "lock" + kReentrant + ")Z"), kPlain},
    {"java/util/concurrent/locks/ReentrantLock", "tryLock", kTimed,
     With(kBoolean, kLocks + "tryLock" + kReentrant + "JLjava/util/concurrent/TimeUnit;)Z"),
     kBoolean},
    {"java/util/concurrent/locks/ReentrantLock", "unlock", "()V", {}, kPlain},
    {"java/util/concurrent/locks/ReentrantReadWriteLock", "<init>", "(Z)V", {kMade}, {kMade}},
    {"java/util/concurrent/locks/StampedLock",
     "readLock",
     "()J",
     {kLocks + "countShared(Ljava/lang/Object;)V"},
     kLong},
    {"java/util/concurrent/locks/StampedLock",
     "writeLock",
     "()J",
     {kLocks + "countAlone(Ljava/lang/Object;)V"},
     kLong},
    {"java/util/concurrent/locks/StampedLock", "tryWriteLock", "()J", {}, kLong},
    {"java/util/concurrent/locks/StampedLock", "acquireWrite", "(ZZJ)J", kLong, {}},
};

class WeaveRowsTest : public WeaveTest {
 protected:
  void ExpectWoven(const Woven &row, Lines expected, const std::string &info = "") {
    std::string bytes = ClassWith(row.name, row.descriptor, row.is_static ? 8 : 0);
    std::string woven = Load(row.klass, bytes);
    Lines hooks = woven == "" ? Lines{} : HooksIn(woven);
    Lines of_ours;
    for (const std::string &hook : hooks) {
      if (hook.find("Orca") != std::string::npos) of_ours.push_back(hook);
    }
    std::sort(of_ours.begin(), of_ours.end());
    std::sort(expected.begin(), expected.end());
    EXPECT_EQ(of_ours, expected) << row.klass << "." << row.name << row.descriptor;
    EXPECT_EQ(Info(), info);
  }
};

TEST_F(WeaveRowsTest, EachIsHookedAsItsWayIs) {
  ASSERT_TRUE(Start());
  for (const Woven &row : kWoven) ExpectWoven(row, row.waits);
}

TEST_F(WeaveRowsTest, WithEachAcquisitionInALineNothingIsTried) {
  r_.Again("locks=all");
  ASSERT_TRUE(Start());
  for (const Woven &row : kWoven) ExpectWoven(row, row.all);
}

// Each acquisition has its line then, but for those of a StampedLock that need not wait.
TEST_F(WeaveRowsTest, InAJvmWhereNothingCanBeCountedNothingIsTried) {
  r_.jvm.Answer(false);
  ASSERT_TRUE(Start());
  for (const Woven &row : kWoven) {
    bool counted = std::string(row.name) == "readLock" || std::string(row.name) == "writeLock";
    bool tried = row.waits.size() == 4;
    ExpectWoven(row,
                counted ? Lines{}
                : tried ? row.all
                        : row.waits,
                "locks.in.force=all (StampedLock: waits)\n");
  }
}

TEST_F(WeaveRowsTest, WhatCannotBeCountedInOneRecordingMayBeInTheNext) {
  r_.jvm.Answer(false);
  ASSERT_TRUE(Start());
  Stop();
  r_.jvm.Answer(true);
  ASSERT_TRUE(Start());
  for (const Woven &row : kWoven) ExpectWoven(row, row.waits);
}

/* --- what the user chose --------------------------------------------------------------------- */

class WeaveChosenTest : public WeaveTest {
 protected:
  explicit WeaveChosenTest(const std::string &options = "track=Made.*") : WeaveTest(options) {}

  FakeClass *made_ = r_.jvm.AddClass("LMade;", 0xC4);
};

TEST_F(WeaveChosenTest, ItsClassesAreRetransformedWithThoseOfTheRowsAndWovenWhereverTheyAreFrom) {
  made_->loader = lock_;
  FakeClass *other = r_.jvm.AddClass("LMader;", 0xC5);
  other->loader = lock_;
  std::string woven;
  r_.jvm.During(CALL_RetransformClasses, [&] { woven = Load("Made", ClassFile(), lock_); });
  ASSERT_TRUE(Start());
  EXPECT_EQ(
      r_.jvm.Retransformed(),
      (std::vector<Lines>{{"Ljava/lang/Thread;", "Ljava/util/concurrent/Semaphore;", "LMade;"}}));
  ClassParts parts = TakeToPieces(woven);
  EXPECT_NE(parts.methods["release()V"].code, kReturn);
  EXPECT_NE(parts.methods["other()V"].code, kReturn);
}

TEST_F(WeaveChosenTest, WhatCannotBeHookedIsSaid) {
  ClassMaker maker;
  maker.AddMethodWithoutCode(0x100, "add", "(I)V");
  const std::string why = "Made.add(I)V: it is native";
  r_.jvm.During(CALL_RetransformClasses, [&] { Load("Made", maker.Make()); });
  EXPECT_TRUE(Start());
  EXPECT_EQ(said_, "orca: not recorded: " + why + "\n");
  EXPECT_EQ(Info(), "hooks.missing=" + why + "\n");
}

TEST_F(WeaveChosenTest, NoMethodOfItsClassesIsDefinedUncalled) {
  r_.jvm.AddMethod(made_, "add", "()V");
  ASSERT_TRUE(Start());
  EXPECT_EQ(r_.Methods().size(), 3u);  // of the rows
}

TEST_F(WeaveChosenTest, WithoutRoomForReferencesAClassStaysAsItIs) {
  r_.jvm.FailAt(CALL_EnsureLocalCapacity, 2);
  ASSERT_TRUE(Start());
  ASSERT_EQ(r_.jvm.Retransformed().size(), 1u);
  EXPECT_EQ(r_.jvm.Retransformed()[0], (Lines{"Ljava/util/concurrent/Semaphore;", "LMade;"}));
}

TEST_F(WeaveChosenTest, ManyClassesAreRetransformedInOneCall) {
  r_.Again("track=many.*");
  for (int i = 0; i < 1000; i++) {
    r_.jvm.AddClass("Lmany/C" + std::to_string(i) + ";")->loader = lock_;
  }
  ASSERT_TRUE(Start());
  ASSERT_EQ(r_.jvm.Retransformed().size(), 1u);
  EXPECT_EQ(r_.jvm.Retransformed()[0].size(), 1002u);
}

// Only natives of java.lang.Object are tracked, but the user chose others of its methods.
TEST_F(WeaveChosenTest, AClassOfWhichOnlyNativesAreTrackedIsRetransformedWhereItIsChosen) {
  r_.Again("events=notify+method,track=java.lang.Object.equals");
  ASSERT_TRUE(Start());
  EXPECT_EQ(r_.jvm.Retransformed(), (std::vector<Lines>{{"Ljava/lang/Object;"}}));
  EXPECT_NE(notify_->function, nullptr);
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
  EXPECT_EQ(r_.jvm.Retransformed(), std::vector<Lines>{}) << "of the others only natives are";
  EXPECT_EQ(Load(kSemaphore), "");
  EXPECT_EQ(wait_->function, nullptr);
  EXPECT_NE(notify_->function, nullptr);
}

}  // namespace
