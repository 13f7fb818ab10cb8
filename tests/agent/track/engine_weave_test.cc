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

// The functions that the JVM exports.
extern "C" {
void JVM_MonitorNotify(JNIEnv *, jobject) {}
void JVM_MonitorWait(JNIEnv *, jobject, jlong) {}
}

namespace {

const char kSemaphore[] = "java/util/concurrent/Semaphore";
const std::string kReturn = Bytes({0x00, 0xb1});  // the handler covers the nop

// Returns a class file with release()V and other()V. It can be loaded under any name.
std::string MakeClassFile() {
  CodeBytes code;
  code.max_locals = 1;
  code.code = kReturn;
  ClassMaker maker;
  maker.AddMethod(0, "release", "()V", code);
  maker.AddMethod(0, "other", "()V", code);
  return maker.Make();
}

// Returns the methods that the constant pool of a class file refers to.
Lines FindMethodNames(const std::string &class_file) {
  ClassParts parts = ReadParts(class_file);
  Lines names;
  for (uint32_t i = 1; i < parts.pool.size(); i++) {
    if (parts.pool[i][0] == 10) names.push_back(parts.MethodName(i));
  }
  return names;
}

// FakeJvm counts references and memory: a leak fails the test.
class WeaveTest : public testing::Test {
 protected:
  explicit WeaveTest(const std::string &options = "") : r_(options) {
    static auto &all = *new std::vector<struct weave_engine *>; /* never freed */
    all.push_back(engine_ = weave_engine_new(MakeHooks(r_)));
    r_.jvm.During(CALL_CallStaticVoidMethod, [this] { RunBind(); });
  }

  FakeMethod *AddNative(FakeClass *klass, const char *name, const char *descriptor) {
    FakeMethod *method = r_.jvm.AddMethod(klass, name, descriptor);
    method->native = true;
    return method;
  }

  // Does the same as OrcaBoot.bind.
  void RunBind() {
    FakeClass *boot = r_.jvm.BootClass("OrcaBoot");
    FakeMethod *method = r_.jvm.Method(boot, "bindFromHere", "()V");
    reinterpret_cast<void (*)(JNIEnv *, jclass)>(method->function)(r_.jni, boot->Ref());
  }

  // Returns a native of OrcaHook; nullptr if there is none.
  FakeMethod *FindHook(const char *name, const char *descriptor) {
    FakeClass *hook = r_.jvm.BootClass("java/lang/OrcaHook");
    return hook == nullptr ? nullptr : r_.jvm.Method(hook, name, descriptor);
  }
  FakeMethod *FindEnter() { return FindHook("enter", "(Ljava/lang/Object;I)V"); }
  FakeMethod *FindExit() { return FindHook("exit", "(I)V"); }
  bool Start() {
    testing::internal::CaptureStderr();
    bool good = weave_engine_start(engine_, r_.jni);
    stderr_ = testing::internal::GetCapturedStderr();
    return good;
  }
  void Stop() { weave_engine_stop(engine_, r_.jni); }

  // Loads a class. Returns the woven class file; "" if the class stays unchanged.
  std::string Load(const char *name, const std::string &bytes = MakeClassFile(),
                   FakeObject *loader = nullptr) {
    unsigned char *out = nullptr;
    jint len = 0;
    weave_engine_transform_class(engine_, loader == nullptr ? nullptr : loader->Ref(), name,
                                 reinterpret_cast<const unsigned char *>(bytes.data()),
                                 static_cast<jint>(bytes.size()), &out, &len);
    std::string woven(reinterpret_cast<char *>(out), static_cast<size_t>(len));
    r_.ti->Deallocate(out);
    return woven;
  }

  std::string Info() {
    std::string info;
    struct recording_figures *figures = &r_.recorder->figures;
    if (figures->locks_in_force != nullptr) {
      info = std::string("locks.in.force=") + figures->locks_in_force + "\n";
    }
    auto add = [](void *to, const char *text) {
      *static_cast<std::string *>(to) += std::string("hooks.missing=") + text + "\n";
    };
    missing_hooks_visit(&figures->missing_hooks, add, &info);
    return info;
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
  std::string stderr_;  // the output of Start
};

/* --- start -------------------------------------------------------------------------------- */

TEST_F(WeaveTest, NativesAreBoundBeforeClassesAreRetransformed) {
  int retransformed = 0;
  r_.jvm.During(CALL_RetransformClasses, [&] {
    retransformed++;
    ASSERT_NE(FindEnter(), nullptr);
    EXPECT_NE(FindEnter()->function, nullptr);
    EXPECT_NE(FindExit()->function, nullptr);
    EXPECT_NE(wait_->function, nullptr);
    EXPECT_NE(notify_->function, nullptr);
    EXPECT_TRUE(r_.jvm.IsEnabled(JVMTI_EVENT_CLASS_FILE_LOAD_HOOK));
  });
  EXPECT_TRUE(Start());
  EXPECT_EQ(retransformed, 1);
  EXPECT_EQ(stderr_, "");
  EXPECT_EQ(Info(), "");
}

TEST_F(WeaveTest, ClassesWithTrackedJavaMethodsAreRetransformedInOneCall) {
  r_.jvm.AddMethod(r_.jvm.ThreadClass(), "start", "()V");
  ASSERT_TRUE(Start());
  EXPECT_EQ(r_.jvm.Retransformed(),
            (std::vector<Lines>{{"Ljava/lang/Thread;", "Ljava/util/concurrent/Semaphore;"}}));
}

// JVMTI does not list its methods yet, but the JVM has read its class file already.
TEST_F(WeaveTest, ALoadedButUnpreparedClassIsRetransformed) {
  semaphore_->prepared = false;
  ASSERT_TRUE(Start());
  EXPECT_EQ(r_.jvm.Retransformed(),
            (std::vector<Lines>{{"Ljava/lang/Thread;", "Ljava/util/concurrent/Semaphore;"}}));
}

TEST_F(WeaveTest, AnUnmodifiableClassIsNotRetransformed) {
  semaphore_->modifiable = false;
  ASSERT_TRUE(Start());
  EXPECT_EQ(r_.jvm.Retransformed(), (std::vector<Lines>{{"Ljava/lang/Thread;"}}));
}

TEST_F(WeaveTest, TrackedMethodsAreDefinedWithoutACall) {
  ASSERT_TRUE(Start());
  EXPECT_EQ(r_.Methods().size(), 3u);  // wait, notify and release
}

TEST_F(WeaveTest, TrackedMethodsOfAClassThatIsLoadedLaterAreDefinedWhenItIsPrepared) {
  semaphore_->prepared = false;
  ASSERT_TRUE(Start());
  r_.Methods();
  semaphore_->prepared = true;
  weave_engine_define_methods(engine_, r_.jni, semaphore_->Ref());
  EXPECT_EQ(r_.Methods().size(), 1u);
  EXPECT_TRUE(r_.jvm.IsEnabled(JVMTI_EVENT_CLASS_PREPARE));
}

TEST_F(WeaveTest, StartFailsIfTheJvmRefusesACall) {
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

TEST_F(WeaveTest, StartSucceedsWithoutRoomForReferences) {
  r_.jvm.Fail(CALL_EnsureLocalCapacity);
  EXPECT_TRUE(Start());
}

/* --- loading ------------------------------------------------------------------------------ */

TEST_F(WeaveTest, ATrackedClassIsWoven) {
  ASSERT_TRUE(Start());
  std::string woven = Load(kSemaphore);
  ASSERT_NE(woven, "");
  Lines hooks = FindMethodNames(woven);
  EXPECT_EQ(std::set<std::string>(hooks.begin(), hooks.end()),
            (std::set<std::string>{"java/lang/OrcaHook.enter(Ljava/lang/Object;I)V",
                                   "java/lang/OrcaHook.exit(I)V",
                                   "java/lang/OrcaHook.thrown(Ljava/lang/Throwable;I)V"}));
  ClassParts parts = ReadParts(woven);
  EXPECT_NE(parts.methods["release()V"].code, kReturn);
  EXPECT_EQ(parts.methods["other()V"].code, kReturn);
}

TEST_F(WeaveTest, NoOtherClassIsWoven) {
  EXPECT_EQ(Load(kSemaphore), "") << "before the start";
  ASSERT_TRUE(Start());
  EXPECT_EQ(Load(kSemaphore, MakeClassFile(), lock_), "") << "a class of another loader";
  EXPECT_EQ(Load("java/lang/String"), "");
  EXPECT_EQ(Load(nullptr), "");
  EXPECT_EQ(Load("java/lang/Object"), "") << "it has no such method";
  Stop();
  EXPECT_EQ(Load(kSemaphore), "") << "after the stop";
  EXPECT_EQ(Info(), "");
}

TEST_F(WeaveTest, AClassIsWovenDuringTheStart) {
  std::string woven;
  r_.jvm.During(CALL_RetransformClasses, [&] { woven = Load(kSemaphore); });
  ASSERT_TRUE(Start());
  EXPECT_NE(woven, "");
}

/* --- methods that could not be hooked ----------------------------------------------------- */

TEST_F(WeaveTest, MissingMethodsAreLoggedOnceAndWrittenToTheInfo) {
  const std::string notify_all = "java.lang.Object.notifyAll()V: it is native, and this JVM does ";
  const std::string release = "java.util.concurrent.Semaphore.release()V: the class file is ";
  AddNative(object_class_, "notifyAll", "()V");
  r_.jvm.During(CALL_RetransformClasses, [&] { Load(kSemaphore, MakeClassFile() + "and more"); });
  EXPECT_TRUE(Start());
  EXPECT_EQ(stderr_.rfind("orca: not recorded: " + notify_all, 0), 0u) << stderr_;
  EXPECT_NE(stderr_.find("; " + release), std::string::npos) << stderr_;
  EXPECT_EQ(stderr_.find('\n'), stderr_.size() - 1) << stderr_;
  EXPECT_NE(Info().find("hooks.missing=" + notify_all), std::string::npos) << Info();
  EXPECT_NE(Info().find("\nhooks.missing=" + release), std::string::npos) << Info();

  testing::internal::CaptureStderr();
  Stop();
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST_F(WeaveTest, AClassStaysUnchangedAndIsLoggedIfThereIsNoMemoryForIt) {
  ASSERT_TRUE(Start());
  r_.jvm.Fail(CALL_Allocate, 1, JVMTI_ERROR_OUT_OF_MEMORY);
  testing::internal::CaptureStderr();
  EXPECT_EQ(Load(kSemaphore), "");
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "orca: no memory for the hooks of java/util/concurrent/Semaphore\n");
}

/* --- stop --------------------------------------------------------------------------------- */

TEST_F(WeaveTest, StopRestoresClassesAndNativesAndDisablesEvents) {
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

// Compiled code may call the functions that are bound now during later recordings, too.
TEST_F(WeaveTest, NativesStayBoundToOrcaUntilClassesAreRetransformed) {
  ASSERT_TRUE(Start());
  void *wait = wait_->function, *notify = notify_->function;
  int retransformed = 0;
  r_.jvm.During(CALL_RetransformClasses, [&] {
    retransformed++;
    EXPECT_EQ(wait_->function, wait);
    EXPECT_EQ(notify_->function, notify);
  });
  Stop();
  EXPECT_EQ(retransformed, 1);
}

TEST_F(WeaveTest, AClassWhoseTrackedMethodsAreAllNativeIsNotRetransformed) {
  const Lines without = {"Ljava/lang/Thread;", "Ljava/util/concurrent/Semaphore;"};
  const Lines with = {"Ljava/lang/Thread;", "Ljava/lang/Object;",
                      "Ljava/util/concurrent/Semaphore;"};
  ASSERT_TRUE(Start());
  Stop();
  r_.jvm.AddMethod(object_class_, "wait", "()V");  // a Java method
  ASSERT_TRUE(Start());
  EXPECT_EQ(r_.jvm.Retransformed(), (std::vector<Lines>{without, without, with}));
}

TEST_F(WeaveTest, StopDoesNothingBeforeTheStart) {
  Stop();
  EXPECT_EQ(r_.jvm.Calls(CALL_RetransformClasses), 0);
  EXPECT_EQ(r_.jvm.Calls(CALL_DefineClass), 0);
}

TEST_F(WeaveTest, CanStartAgainAfterAStop) {
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

// Returns a class file with one method.
std::string MakeClassWith(const char *name, const std::string &descriptor, uint32_t flags = 0) {
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

// A method of the JDK, and the static methods that its woven class refers to.
struct Woven {
  const char *klass, *name, *descriptor;
  Lines waits, all; /* the static methods with locks=waits, and with locks=all */
  bool is_static = false;
};

const std::string kEnter = "java/lang/OrcaHook.enter(Ljava/lang/Object;I)V";
const std::string kEnterWithThis =
    "java/lang/OrcaHook.enter(Ljava/lang/Object;Ljava/lang/Object;I)V";
const std::string kThrown = "java/lang/OrcaHook.thrown(Ljava/lang/Throwable;I)V";
const std::string kExit = "java/lang/OrcaHook.exit(I)V";
const std::string kExitBoolean = "java/lang/OrcaHook.exit(ZI)V";
const std::string kExitLong = "java/lang/OrcaHook.exit(JI)V";
const std::string kExitObject = "java/lang/OrcaHook.exit(Ljava/lang/Object;I)V";
const std::string kMade = "java/util/concurrent/locks/OrcaLocks.made(Ljava/lang/Object;)V";
const std::string kLocks = "java/util/concurrent/locks/OrcaLocks.";
const std::string kReentrant = "(LMade;";  // the name in the test's class file
const Lines kPlain = {kEnter, kExit, kThrown}, kBoolean = {kEnter, kExitBoolean, kThrown},
            kLong = {kEnter, kExitLong, kThrown}, kObject = {kEnter, kExitObject, kThrown};

Lines Append(Lines lines, const std::string &line) {
  lines.push_back(line);
  return lines;
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
    {"java/util/concurrent/locks/LockSupport",
     "unpark",
     "(Ljava/lang/Thread;)V",
     {kEnter},
     {kEnter},
     true},
    {"java/util/concurrent/ThreadPoolExecutor",
     "execute",
     "(Ljava/lang/Runnable;)V",
     {kEnterWithThis},
     {kEnterWithThis}},
    {"java/util/concurrent/ThreadPoolExecutor",
     "getTask",
     "()Ljava/lang/Runnable;",
     {kExitObject, kThrown},
     {kExitObject, kThrown}},
    {"java/util/concurrent/locks/ReentrantLock", "lock", "()V",
     Append(kPlain, kLocks + "lock" + kReentrant + ")Z"), kPlain},
    {"java/util/concurrent/locks/ReentrantLock", "tryLock", kTimed,
     Append(kBoolean, kLocks + "tryLock" + kReentrant + "JLjava/util/concurrent/TimeUnit;)Z"),
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
    std::string bytes = MakeClassWith(row.name, row.descriptor, row.is_static ? 8 : 0);
    std::string woven = Load(row.klass, bytes);
    Lines names = woven == "" ? Lines{} : FindMethodNames(woven);
    Lines orca_names;
    for (const std::string &name : names) {
      if (name.find("Orca") != std::string::npos) orca_names.push_back(name);
    }
    std::sort(orca_names.begin(), orca_names.end());
    std::sort(expected.begin(), expected.end());
    EXPECT_EQ(orca_names, expected) << row.klass << "." << row.name << row.descriptor;
    EXPECT_EQ(Info(), info);
  }
};

TEST_F(WeaveRowsTest, EachRowIsHookedInItsWay) {
  ASSERT_TRUE(Start());
  for (const Woven &row : kWoven) ExpectWoven(row, row.waits);
}

TEST_F(WeaveRowsTest, NoRowIsCountedIfEveryAcquisitionIsRecorded) {
  r_.Again("locks=all");
  ASSERT_TRUE(Start());
  for (const Woven &row : kWoven) ExpectWoven(row, row.all);
}

// Every acquisition is recorded then, except uncontended acquisitions of a StampedLock.
TEST_F(WeaveRowsTest, NoRowIsCountedIfTheJvmCannotCount) {
  r_.jvm.Answer(false);
  ASSERT_TRUE(Start());
  for (const Woven &row : kWoven) {
    const std::string name = row.name;
    bool is_of_locks = name == "readLock" || name == "writeLock" || name == "<init>";
    bool has_try = row.waits.size() == 4;
    ExpectWoven(row,
                is_of_locks ? Lines{}
                : has_try   ? row.all
                            : row.waits,
                "locks.in.force=all (StampedLock: waits)\n");
  }
}

TEST_F(WeaveRowsTest, EachRecordingChecksAgainWhetherTheJvmCanCount) {
  r_.jvm.Answer(false);
  ASSERT_TRUE(Start());
  Stop();
  r_.jvm.Answer(true);
  ASSERT_TRUE(Start());
  for (const Woven &row : kWoven) ExpectWoven(row, row.waits);
}

/* --- the user's selection -------------------------------------------------------------------- */

class WeaveSelectionTest : public WeaveTest {
 protected:
  explicit WeaveSelectionTest(const std::string &options = "track=Made.*") : WeaveTest(options) {}

  FakeClass *made_ = r_.jvm.AddClass("LMade;", 0xC4);
};

TEST_F(WeaveSelectionTest, SelectedClassesOfAnyLoaderAreRetransformedWithTheTrackedOnes) {
  made_->loader = lock_;
  FakeClass *other = r_.jvm.AddClass("LMader;", 0xC5);
  other->loader = lock_;
  std::string woven;
  r_.jvm.During(CALL_RetransformClasses, [&] { woven = Load("Made", MakeClassFile(), lock_); });
  ASSERT_TRUE(Start());
  EXPECT_EQ(
      r_.jvm.Retransformed(),
      (std::vector<Lines>{{"Ljava/lang/Thread;", "Ljava/util/concurrent/Semaphore;", "LMade;"}}));
  ClassParts parts = ReadParts(woven);
  EXPECT_NE(parts.methods["release()V"].code, kReturn);
  EXPECT_NE(parts.methods["other()V"].code, kReturn);
}

TEST_F(WeaveSelectionTest, MissingMethodsAreLoggedAndWrittenToTheInfo) {
  ClassMaker maker;
  maker.AddMethodWithoutCode(0x100, "add", "(I)V");
  const std::string reason = "Made.add(I)V: it is native";
  r_.jvm.During(CALL_RetransformClasses, [&] { Load("Made", maker.Make()); });
  EXPECT_TRUE(Start());
  EXPECT_EQ(stderr_, "orca: not recorded: " + reason + "\n");
  EXPECT_EQ(Info(), "hooks.missing=" + reason + "\n");
}

TEST_F(WeaveSelectionTest, SelectedMethodsAreNotDefinedWithoutACall) {
  r_.jvm.AddMethod(made_, "add", "()V");
  ASSERT_TRUE(Start());
  EXPECT_EQ(r_.Methods().size(), 3u);  // the rows
}

TEST_F(WeaveSelectionTest, AClassThatOrcaLocksLoadsIsRetransformed) {
  r_.jvm.During(CALL_CallStaticBooleanMethod, [&] {
    FakeClass *latch = r_.jvm.AddClass("Ljava/util/concurrent/CountDownLatch;");
    r_.jvm.AddMethod(latch, "countDown", "()V");
  });
  ASSERT_TRUE(Start());
  ASSERT_EQ(r_.jvm.Retransformed().size(), 1u);
  EXPECT_EQ(r_.jvm.Retransformed()[0].back(), "Ljava/util/concurrent/CountDownLatch;");
}

TEST_F(WeaveSelectionTest, AClassWithoutRoomForItsReferenceIsNotRetransformed) {
  r_.jvm.FailAt(CALL_EnsureLocalCapacity,
                5); /* after those of the first collection and of rebind_bind */
  ASSERT_TRUE(Start());
  ASSERT_EQ(r_.jvm.Retransformed().size(), 1u);
  EXPECT_EQ(r_.jvm.Retransformed()[0], (Lines{"Ljava/util/concurrent/Semaphore;", "LMade;"}));
}

TEST_F(WeaveSelectionTest, ManyClassesAreRetransformedInOneCall) {
  r_.Again("track=many.*");
  for (int i = 0; i < 1000; i++) {
    r_.jvm.AddClass("Lmany/C" + std::to_string(i) + ";")->loader = lock_;
  }
  ASSERT_TRUE(Start());
  ASSERT_EQ(r_.jvm.Retransformed().size(), 1u);
  EXPECT_EQ(r_.jvm.Retransformed()[0].size(), 1002u);
}

// The tracked methods of java.lang.Object are native, but the user selected another of its methods.
TEST_F(WeaveSelectionTest, AClassWhoseTrackedMethodsAreAllNativeIsRetransformedIfItIsSelected) {
  r_.Again("events=notify+method,track=java.lang.Object.equals");
  ASSERT_TRUE(Start());
  EXPECT_EQ(r_.jvm.Retransformed(), (std::vector<Lines>{{"Ljava/lang/Object;"}}));
  EXPECT_NE(notify_->function, nullptr);
}

/* --- the option events -------------------------------------------------------------------- */

class WeaveSemaphoresTest : public WeaveTest {
 protected:
  WeaveSemaphoresTest() : WeaveTest("events=semaphore") {}
};

TEST_F(WeaveSemaphoresTest, OnlyClassesOfTheGroupAreRetransformed) {
  AddNative(object_class_, "notifyAll", "()V");
  ASSERT_TRUE(Start());
  EXPECT_EQ(r_.jvm.Retransformed(), (std::vector<Lines>{{"Ljava/util/concurrent/Semaphore;"}}));
  EXPECT_EQ(wait_->function, nullptr);
  EXPECT_EQ(Info(), "");
  EXPECT_EQ(r_.Methods().size(), 1u);
  EXPECT_NE(Load(kSemaphore), "");
}

TEST_F(WeaveSemaphoresTest, NoClassIsRetransformedIfNoneOfTheGroupIsLoaded) {
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
  EXPECT_EQ(r_.jvm.Retransformed(), std::vector<Lines>{}) << "the methods of the group are native";
  EXPECT_EQ(Load(kSemaphore), "");
  EXPECT_NE(notify_->function, nullptr);
}

class WeaveWaitTest : public WeaveTest {
 protected:
  WeaveWaitTest() : WeaveTest("events=wait") {}
};

TEST_F(WeaveWaitTest, NativesOfOtherGroupsAreBoundBeforeTheirClassIsRetransformed) {
  AddNative(object_class_, "notifyAll", "()V");  // this JVM does not export its function
  wait_->native = false;
  int retransformed = 0;
  r_.jvm.During(CALL_RetransformClasses, [&] {
    retransformed++;
    EXPECT_NE(notify_->function, nullptr);
    EXPECT_NE(notify_->function, reinterpret_cast<void *>(JVM_MonitorNotify));
  });
  ASSERT_TRUE(Start());
  Stop();
  EXPECT_EQ(r_.jvm.Retransformed(), std::vector<Lines>(2, {"Ljava/lang/Object;"}));
  EXPECT_EQ(retransformed, 2);
  EXPECT_EQ(notify_->function, reinterpret_cast<void *>(JVM_MonitorNotify));
  EXPECT_EQ(Info(), "");
}

}  // namespace
