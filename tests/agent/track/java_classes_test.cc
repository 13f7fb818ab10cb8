#include "agent/track/java_classes.h"

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "agent/record/stack.h"
#include "agent/track/selection.h"
#include "gtest/gtest.h"
#include "tests/agent/track/kept_hooks.h"
#include "tests/support/fake_locks.h"
#include "tests/support/recording.h"

// A function that the JVM exports.
extern "C" {
void JVM_MonitorNotify(JNIEnv *, jobject) {}
}

namespace {

// FakeJvm counts references and memory: a leak fails the test.
class JavaClassesTest : public testing::Test {
 protected:
  explicit JavaClassesTest(const std::string &options = "locks=all") : r_(options) {
    static auto &all = *new std::vector<struct rebind *>; /* never freed */
    all.push_back(rebind_ = rebind_new(hooks_));
    notify_->native = true;
    r_.jvm.During(CALL_CallStaticVoidMethod, [this] { RunBind(); });
    thread_->frames = {{hook_frame_->Id(), -1}, {method_->Id(), 5}};
  }

  // Does the same as OrcaBoot.bind.
  void RunBind() {
    FakeClass *boot = r_.jvm.BootClass("OrcaBoot");
    FakeMethod *method = r_.jvm.Method(boot, "bindFromHere", "()V");
    reinterpret_cast<void (*)(JNIEnv *, jclass)>(method->function)(r_.jni, boot->Ref());
  }
  bool Bind(bool to_orca = true) { return java_classes_bind(hooks_, rebind_, r_.jni, to_orca); }
  bool StartCounting() { return java_classes_start_counting(hooks_, r_.jni); }

  // Returns a native of Orca's classes; nullptr if there is none.
  FakeMethod *FindNative(const char *klass, const char *name, const char *descriptor) {
    FakeClass *found = r_.jvm.BootClass(klass);
    return found == nullptr ? nullptr : r_.jvm.Method(found, name, descriptor);
  }
  template <typename Result, typename... Arguments>
  Result Call(const char *klass, const char *name, const char *descriptor, Arguments... arguments) {
    FakeMethod *method = FindNative(klass, name, descriptor);
    return reinterpret_cast<Result (*)(JNIEnv *, jclass, Arguments...)>(method->function)(
        r_.jni, method->klass->Ref(), arguments...);
  }
  void Enter(jint row, FakeObject *object) {
    Call<void, jobject, jint>(ORCA_HOOK_CLASS, "enter", "(Ljava/lang/Object;I)V",
                              object == nullptr ? nullptr : object->Ref(), row);
  }
  void Exit(jint row) { Call<void, jint>(ORCA_HOOK_CLASS, "exit", "(I)V", row); }
  void ExitBoolean(jboolean value, jint row) {
    Call<void, jboolean, jint>(ORCA_HOOK_CLASS, "exit", "(ZI)V", value, row);
  }
  void ExitLong(jlong value, jint row) {
    Call<void, jlong, jint>(ORCA_HOOK_CLASS, "exit", "(JI)V", value, row);
  }
  void ExitObject(jobject value, jint row) {
    Call<void, jobject, jint>(ORCA_HOOK_CLASS, "exit", "(Ljava/lang/Object;I)V", value, row);
  }
  void Throw(jint row) {
    Call<void, jobject, jint>(ORCA_HOOK_CLASS, "thrown", "(Ljava/lang/Throwable;I)V", lock_->Ref(),
                              row);
  }
  void CallMonitorHook(const char *hook, FakeObject *monitor, jint id) {
    Call<void, jobject, jint>(ORCA_HOOK_CLASS, hook, "(Ljava/lang/Object;I)V",
                              monitor == nullptr ? nullptr : monitor->Ref(), id);
  }
  void CallNoteMade(FakeObject *lock) {
    Call<void, jobject>(ORCA_LOCKS_CLASS, "noteMade", "(Ljava/lang/Object;)V", lock->Ref());
  }
  bool MakeEntry(FakeObject *lock) {
    return Call<jboolean, jobject>(ORCA_LOCKS_CLASS, "makeEntry", "(Ljava/lang/Object;)Z",
                                   lock->Ref());
  }

  // Returns the value of a static field of OrcaLocks; 0: the field was never set.
  jlong GetField(const char *name, const char *descriptor) {
    FakeField *field = r_.jvm.Field(r_.jvm.BootClass(ORCA_LOCKS_CLASS), name, descriptor);
    return field == nullptr ? 0 : field->value;
  }
  jlong GetTable() { return GetField("table", "J"); }
  bool SkipsNew() { return GetField("skipsNew", "Z") != 0; }

  Recording r_;
  FakeLocks locks_{&r_.jvm};
  FakeClass *object_class_ = r_.jvm.AddClass("Ljava/lang/Object;", 0xC1);
  FakeMethod *notify_ = r_.jvm.AddMethod(object_class_, "notify", "()V");
  FakeMethod *method_ = r_.jvm.AddMethod(object_class_, "method", "()V");
  FakeMethod *hook_frame_ = r_.jvm.AddMethod(object_class_, "hook", "()V");
  FakeObject *lock_ = r_.jvm.AddObject(object_class_, 0x10);
  FakeThread *thread_ = r_.jvm.AddThread("T", 0xA);
  FakeJvm::Running running_{thread_};
  struct hooks *hooks_ = MakeHooks(r_);
  struct rebind *rebind_;
};

/* --- binding --------------------------------------------------------------------------------- */

const struct {
  const char *klass, *name, *descriptor;
} kNatives[] = {
    {ORCA_HOOK_CLASS, "enter", "(Ljava/lang/Object;I)V"},
    {ORCA_HOOK_CLASS, "enter", "(Ljava/lang/Object;Ljava/lang/Object;I)V"},
    {ORCA_HOOK_CLASS, "exit", "(I)V"},
    {ORCA_HOOK_CLASS, "exit", "(ZI)V"},
    {ORCA_HOOK_CLASS, "exit", "(JI)V"},
    {ORCA_HOOK_CLASS, "exit", "(Ljava/lang/Object;I)V"},
    {ORCA_HOOK_CLASS, "thrown", "(Ljava/lang/Throwable;I)V"},
    {ORCA_LOCKS_CLASS, "noteMade", "(Ljava/lang/Object;)V"},
    {ORCA_HOOK_CLASS, "monitorEnter", "(Ljava/lang/Object;I)V"},
    {ORCA_HOOK_CLASS, "monitorEntered", "(Ljava/lang/Object;I)V"},
    {ORCA_HOOK_CLASS, "monitorExit", "(Ljava/lang/Object;I)V"},
    {ORCA_LOCKS_CLASS, "makeEntry", "(Ljava/lang/Object;)Z"},
};

TEST_F(JavaClassesTest, EachNativeIsBoundToAFunctionOfItsOwn) {
  EXPECT_TRUE(Bind());
  std::set<void *> functions;
  for (const auto &native : kNatives) {
    FakeMethod *method = FindNative(native.klass, native.name, native.descriptor);
    ASSERT_NE(method, nullptr) << native.name << native.descriptor;
    EXPECT_NE(method->function, nullptr) << native.name << native.descriptor;
    EXPECT_TRUE(functions.insert(method->function).second) << native.name << native.descriptor;
  }
  EXPECT_EQ(r_.jvm.BootClass(ORCA_HOOK_CLASS)->methods.size() +
                r_.jvm.BootClass(ORCA_LOCKS_CLASS)->methods.size(),
            sizeof kNatives / sizeof *kNatives);
}

TEST_F(JavaClassesTest, MarkedNativesAreBoundToOrcaAndBack) {
  const char *reason = nullptr;
  int row = tracked_find("Ljava/lang/Object;", "notify", "()V");
  ASSERT_TRUE(rebind_add(rebind_, row, &reason)) << reason;
  EXPECT_TRUE(Bind());
  EXPECT_NE(notify_->function, nullptr);
  EXPECT_NE(notify_->function, reinterpret_cast<void *>(JVM_MonitorNotify));
  EXPECT_TRUE(Bind(/* to_orca */ false));
  EXPECT_EQ(notify_->function, reinterpret_cast<void *>(JVM_MonitorNotify));
}

TEST_F(JavaClassesTest, TheNextRecordingUsesTheDefinedClasses) {
  ASSERT_TRUE(Bind());
  FakeClass *hook = r_.jvm.BootClass(ORCA_HOOK_CLASS);
  for (FakeMethod *method : hook->methods) method->function = nullptr;
  EXPECT_TRUE(Bind());
  EXPECT_EQ(r_.jvm.BootClass(ORCA_HOOK_CLASS), hook);
  for (FakeMethod *method : hook->methods) EXPECT_NE(method->function, nullptr) << method->name;
}

/* OrcaLocks uses the names of Unsafe that the JVM has. */
TEST_F(JavaClassesTest, OrcaLocksHasTheNamesOfOlderJvms) {
  const std::string unsafe = "jdk/internal/misc/Unsafe";
  const struct {
    bool has_class, has_method;
    std::string klass, method; /* the names in the bytes of OrcaLocks */
  } jvms[] = {
      {false, false, "sun/misc/Unsafe", "getObject"},
      {true, false, unsafe, "getObject"},
      {true, true, unsafe, "getReference"},
  };
  for (const auto &jvm : jvms) {
    FakeJvm fresh;
    FakeJvm::Running running(fresh.AddThread("T"));
    struct hooks *hooks = MakeHooks(r_);
    hooks->ti = fresh.Ti();
    FakeClass *klass = jvm.has_class ? fresh.AddClass("L" + unsafe + ";") : nullptr;
    if (jvm.has_method) {
      fresh.AddMethod(klass, "getReference", "(Ljava/lang/Object;J)Ljava/lang/Object;");
    }
    fresh.During(CALL_CallStaticVoidMethod, [&] {
      FakeClass *boot = fresh.BootClass("OrcaBoot");
      FakeMethod *method = fresh.Method(boot, "bindFromHere", "()V");
      reinterpret_cast<void (*)(JNIEnv *, jclass)>(method->function)(fresh.Jni(), boot->Ref());
    });
    ASSERT_TRUE(java_classes_bind(hooks, rebind_, fresh.Jni(), true)) << jvm.klass;
    EXPECT_FALSE(fresh.Jni()->ExceptionCheck());
    const std::string &bytes = fresh.BootClass(ORCA_LOCKS_CLASS)->bytes;
    for (const char *name : {"sun/misc/Unsafe", "jdk/internal/misc/Unsafe"}) {
      EXPECT_EQ(bytes.find(name) != std::string::npos, name == jvm.klass) << jvm.klass << name;
    }
    for (const char *name : {"getObject", "getReference"}) {
      EXPECT_EQ(bytes.find(name) != std::string::npos, name == jvm.method) << jvm.klass << name;
    }
    fresh.During(CALL_CallStaticVoidMethod, nullptr);
  }
}

TEST_F(JavaClassesTest, NoStackContainsTheirFrames) {
  ASSERT_TRUE(Bind());
  std::vector<jvmtiFrameInfo> frames = {{method_->Id(), 1}};
  for (const auto &native : kNatives) {
    frames.push_back({FindNative(native.klass, native.name, native.descriptor)->Id(), 2});
  }
  frames.push_back({notify_->Id(), 3});
  struct stack *stack =
      stack_of(r_.meta, r_.ti, r_.jni, frames.data(), static_cast<int>(frames.size()), 1);
  EXPECT_EQ(std::string(stack->text, stack->text_len), "2;00000001;00000001;00000002;00000003");
}

TEST_F(JavaClassesTest, BindFailsWithoutAnExceptionIfTheJvmRefusesACall) {
  const struct {
    FakeCall call;
    int nth; /* the number of the refused call */
  } refused[] = {
      {CALL_DefineClass, 1},        // OrcaBoot
      {CALL_DefineClass, 2},        // OrcaHook
      {CALL_DefineClass, 3},        // OrcaLocks
      {CALL_RegisterNatives, 1},    // the native of OrcaBoot
      {CALL_RegisterNatives, 2},    // the natives of OrcaHook
      {CALL_RegisterNatives, 3},    // the native of OrcaLocks
      {CALL_GetStaticMethodID, 1},  // OrcaBoot.bind
  };
  for (const auto &row : refused) {
    FakeJvm fresh;  // a JVM that does not have Orca's classes yet
    FakeJvm::Running running(fresh.AddThread("T"));
    struct hooks *hooks = MakeHooks(r_);
    hooks->ti = fresh.Ti();
    fresh.During(CALL_CallStaticVoidMethod, [&] {
      FakeClass *boot = fresh.BootClass("OrcaBoot");
      FakeMethod *method = fresh.Method(boot, "bindFromHere", "()V");
      reinterpret_cast<void (*)(JNIEnv *, jclass)>(method->function)(fresh.Jni(), boot->Ref());
    });
    fresh.FailAt(row.call, row.nth);
    EXPECT_FALSE(java_classes_bind(hooks, rebind_, fresh.Jni(), true))
        << row.call << ", call " << row.nth;
    EXPECT_FALSE(fresh.Jni()->ExceptionCheck()) << row.call << ", call " << row.nth;
    fresh.During(row.call, nullptr);
  }
}

TEST_F(JavaClassesTest, AnExceptionOfOrcaBootIsCleared) {
  r_.jvm.During(CALL_CallStaticVoidMethod, nullptr);
  r_.jvm.Fail(CALL_CallStaticVoidMethod);
  EXPECT_FALSE(Bind());
  EXPECT_FALSE(r_.jni->ExceptionCheck());
}

TEST_F(JavaClassesTest, BindFailsIfAMarkedNativeCannotBeBound) {
  const char *reason = nullptr;
  rebind_add(rebind_, tracked_find("Ljava/lang/Object;", "notify", "()V"), &reason);
  r_.jvm.FailAt(CALL_RegisterNatives, 4);
  EXPECT_FALSE(Bind());
  EXPECT_FALSE(r_.jni->ExceptionCheck());
}

/* --- exits ----------------------------------------------------------------------------------- */

class ExitsTest : public JavaClassesTest {
 protected:
  // A row of each kind of exit.
  const std::map<enum tracked_exit, int> rows_ = {
      {ENDS_SINGLE, tracked_find("Ljava/lang/Object;", "notify", "()V")},
      {ENDS_DEEP, tracked_find("Ljava/lang/VirtualThread;", "parkOnCarrierThread", "(ZJ)V")},
      {ENDS_RETURNED, tracked_find("Ljava/util/concurrent/ThreadPoolExecutor;", "getTask",
                                   "()Ljava/lang/Runnable;")},
      {ENDS_COVER,
       tracked_find("Ljava/lang/VirtualThread;", "start", "(Ljdk/internal/vm/ThreadContainer;)V")},
      {ENDS_HIDDEN, tracked_find("Ljava/lang/VirtualThread;", "unpark", "()V")},
      {ENDS_PAIR, tracked_find("Ljava/util/concurrent/CountDownLatch;", "await", "()V")},
      {ENDS_TRUE, tracked_find("Ljava/util/concurrent/Semaphore;", "tryAcquire", "()Z")},
      {ENDS_POSITIVE,
       tracked_find("Ljava/util/concurrent/locks/AbstractQueuedSynchronizer$ConditionObject;",
                    "awaitNanos", "(J)J")},
      {ENDS_NONZERO,
       tracked_find("Ljava/util/concurrent/locks/StampedLock;", "tryReadLock", "()J")},
      {ENDS_NONNULL, tracked_find("Ljava/util/concurrent/DelayQueue;", "poll",
                                  "(JLjava/util/concurrent/TimeUnit;)Ljava/lang/Object;")},
  };
};

TEST_F(ExitsTest, EachExitFailsIfTheRowSaysSo) {
  ASSERT_TRUE(Bind());
  const std::set<enum tracked_exit> all = {ENDS_PAIR, ENDS_TRUE, ENDS_POSITIVE, ENDS_NONZERO,
                                           ENDS_NONNULL};
  const struct {
    const char *description;
    std::function<void(jint)> act;
    std::set<enum tracked_exit> failures;
  } exits[] = {
      {"returns", [this](jint row) { Exit(row); }, {}},
      {"returns true", [this](jint row) { ExitBoolean(JNI_TRUE, row); }, {}},
      {"returns false", [this](jint row) { ExitBoolean(JNI_FALSE, row); }, {ENDS_TRUE}},
      {"returns 1", [this](jint row) { ExitLong(1, row); }, {}},
      {"returns 1 << 32", [this](jint row) { ExitLong(1LL << 32, row); }, {}},
      {"returns -1", [this](jint row) { ExitLong(-1, row); }, {ENDS_POSITIVE}},
      {"returns 0", [this](jint row) { ExitLong(0, row); }, {ENDS_POSITIVE, ENDS_NONZERO}},
      {"returns an object", [this](jint row) { ExitObject(lock_->Ref(), row); }, {}},
      {"returns null", [this](jint row) { ExitObject(nullptr, row); }, {ENDS_NONNULL}},
      {"throws", [this](jint row) { Throw(row); }, all},
  };
  for (const auto &exit : exits) {
    for (const auto &[ends, row] : rows_) {
      ASSERT_GE(row, 0) << ends;
      ASSERT_EQ(tracked[row].exit, ends);
      if (ends == ENDS_RETURNED || ends == ENDS_HIDDEN) continue; /* no event at the entry */
      Enter(row, lock_);
      EXPECT_EQ(r_.Events().size(), 1u);
      exit.act(row);
      Lines events = r_.Events();
      EXPECT_EQ(events.size(), all.count(ends)) << ends << " " << exit.description;
      if (events.empty()) continue;
      enum event_kind end = event_end(tracked[row].entry, exit.failures.count(ends) == 1);
      EXPECT_EQ(events[0].substr(0, events[0].find(',')), event_infos[end].name)
          << exit.description;
    }
  }
}

TEST_F(ExitsTest, AReturnedObjectIsRecordedWhereItIsReturned) {
  ASSERT_TRUE(Bind());
  int row = rows_.at(ENDS_RETURNED);
  ExitObject(nullptr, row);
  Throw(row);
  EXPECT_EQ(r_.Events(), Lines{});
  ExitObject(lock_->Ref(), row);
  EXPECT_EQ(r_.Events(), Lines{"TaskTaken,0000000A,00000010,1;00000001;00000000"});
}

// The hooks are public, so any code can call them.
TEST_F(ExitsTest, AnInvalidRowIsIgnored) {
  ASSERT_TRUE(Bind());
  for (jint row : {num_tracked, 1 << 30, SELECTED_ID - 1, INT32_MIN}) {
    Enter(row, lock_);
    Exit(row);
    ExitBoolean(JNI_FALSE, row);
    ExitLong(0, row);
    ExitObject(nullptr, row);
    Throw(row);
  }
  EXPECT_EQ(r_.Records(), Lines{});
}

TEST_F(ExitsTest, TheStackStartsAtTheMethodThatCalledTheHook) {
  ASSERT_TRUE(Bind());
  int row = rows_.at(ENDS_SINGLE);
  Enter(row, lock_);
  Exit(row);
  EXPECT_EQ(r_.Events(), Lines{"ObjectNotify,0000000A,00000010,1;00000001;00000000"});
}

/* --- the user's selection -------------------------------------------------------------------- */

TEST_F(JavaClassesTest, ASelectedMethodHasNoObjectAndIgnoresTheReturnedValue) {
  const std::function<void()> returns[] = {
      [this] { Exit(SELECTED_ID); },
      [this] { ExitBoolean(JNI_FALSE, SELECTED_ID); },
      [this] { ExitLong(0, SELECTED_ID); },
      [this] { ExitObject(nullptr, SELECTED_ID); },
  };
  ASSERT_TRUE(Bind());
  const std::string stack = "1;00000001;00000000";
  for (const auto &exit : returns) {
    Enter(SELECTED_ID, lock_);
    exit();
    EXPECT_EQ(r_.Events(),
              (Lines{"MethodEntry,0000000A," + stack, "MethodExit,0000000A,00000000,-1," + stack}));
  }
  Enter(SELECTED_ID, nullptr);
  Throw(SELECTED_ID);
  EXPECT_EQ(r_.Events(),
            (Lines{"MethodEntry,0000000A," + stack, "MethodExit,0000000A,000000C1,-1," + stack}));
  for (const std::string &line : r_.Objects()) EXPECT_NE(line.substr(0, 8), "00000010");
}

TEST_F(JavaClassesTest, EachMonitorHookRecordsItsEventForAnyId) {
  r_.Again("monitors=all,filter=*");
  ASSERT_TRUE(Bind());
  const struct {
    const char *hook, *event;
  } hooks[] = {{"monitorEnter", "MonitorEnter"},
               {"monitorEntered", "MonitorEntered"},
               {"monitorExit", "MonitorExit"}};
  for (const auto &row : hooks) {
    for (jint id : {SELECTED_ID, 0}) {
      CallMonitorHook(row.hook, lock_, id);
      EXPECT_EQ(r_.Events(),
                Lines{row.event + std::string(",0000000A,00000010,1;00000001;00000005")});
    }
    CallMonitorHook(row.hook, nullptr, SELECTED_ID);
    EXPECT_EQ(r_.Events(), Lines{}) << row.hook;
  }
}

/* --- locks ----------------------------------------------------------------------------------- */

TEST_F(JavaClassesTest, NoteMadeConnectsTheSidesOfAReadWriteLockToIt) {
  ASSERT_TRUE(Bind());
  FakeReadWriteLock lock = locks_.AddReadWrite(0x20, 0x30);
  auto find_object = [&] {
    return lock_look(hooks_->lock_fields, r_.meta, r_.ti, r_.jni, lock.reading->Ref()).object;
  };
  recorder_switch(r_.recorder, false);
  CallNoteMade(lock.whole);
  EXPECT_EQ(find_object(), 0x30u) << "nothing was recorded";
  recorder_switch(r_.recorder, true);
  CallNoteMade(lock.whole);
  EXPECT_EQ(find_object(), 0x20u);
}

TEST_F(JavaClassesTest, ALockGetsAnEntryAtThePositionOfItsKey) {
  ASSERT_TRUE(Bind());
  auto *table = static_cast<const uint32_t *>(lock_counts_table(hooks_->lock_counts));
  recorder_switch(r_.recorder, false);
  EXPECT_FALSE(MakeEntry(locks_.AddLock(0x20)));
  recorder_switch(r_.recorder, true);
  EXPECT_EQ(table[0x20 * 8], 0u);
  EXPECT_TRUE(MakeEntry(locks_.AddLock(0x20)));
  EXPECT_EQ(table[0x20 * 8], 0x20u);
  EXPECT_TRUE(MakeEntry(locks_.AddReadWrite(0x21, 0x30).writing));
  EXPECT_EQ(table[0x30 * 8], 0x30u);
  r_.jvm.Fail(CALL_GetObjectHashCode);
  EXPECT_FALSE(MakeEntry(locks_.AddLock(0x22)));
}

TEST_F(JavaClassesTest, CountingStartsIfTheJvmSupportsIt) {
  ASSERT_TRUE(Bind());
  EXPECT_TRUE(StartCounting());
  EXPECT_EQ(reinterpret_cast<const void *>(GetTable()), lock_counts_table(hooks_->lock_counts));
}

TEST_F(JavaClassesTest, CountingDoesNotStartIfTheJvmDoesNotSupportIt) {
  EXPECT_FALSE(StartCounting()) << "the class is not defined yet";
  EXPECT_FALSE(r_.jni->ExceptionCheck());
  ASSERT_TRUE(Bind());
  r_.jvm.Answer(false);
  EXPECT_FALSE(StartCounting());
  EXPECT_EQ(GetTable(), 0);
  r_.jvm.Answer(true);
  for (FakeCall call : {CALL_FindClass, CALL_GetStaticMethodID, CALL_CallStaticBooleanMethod,
                        CALL_GetStaticFieldID}) {
    r_.jvm.Fail(call);
    EXPECT_FALSE(StartCounting()) << call;
    EXPECT_FALSE(r_.jni->ExceptionCheck()) << call;
    EXPECT_EQ(GetTable(), 0) << call;
  }
  EXPECT_TRUE(StartCounting());
}

TEST_F(JavaClassesTest, LocksThatAreNewAreSkippedWhileThereIsAThreshold) {
  ASSERT_TRUE(Bind());
  ASSERT_TRUE(StartCounting());
  EXPECT_FALSE(SkipsNew());
  java_classes_skip_new_locks(r_.jni, true);
  EXPECT_TRUE(SkipsNew());
  java_classes_skip_new_locks(r_.jni, false);
  EXPECT_FALSE(SkipsNew());
  r_.Again("threshold=10ms");
  ASSERT_TRUE(StartCounting());
  EXPECT_TRUE(SkipsNew());
  r_.Again("threshold=0");
  ASSERT_TRUE(StartCounting());
  EXPECT_FALSE(SkipsNew()) << "of the recording before";
}

TEST_F(JavaClassesTest, SkippingNewLocksNeedsTheClass) {
  java_classes_skip_new_locks(r_.jni, true);
  EXPECT_FALSE(r_.jni->ExceptionCheck()) << "the class is not defined yet";
  ASSERT_TRUE(Bind());
  ASSERT_TRUE(StartCounting());
  for (FakeCall call : {CALL_FindClass, CALL_GetStaticFieldID}) {
    r_.jvm.Fail(call);
    java_classes_skip_new_locks(r_.jni, true);
    EXPECT_FALSE(r_.jni->ExceptionCheck()) << call;
    EXPECT_FALSE(SkipsNew()) << call;
  }
}

// OrcaLocks.isSupported acquires locks of its own, which must not be counted.
TEST_F(JavaClassesTest, TheTableIsClearedWhileTheNextRecordingTestsOrcaLocks) {
  ASSERT_TRUE(Bind());
  ASSERT_TRUE(StartCounting());
  jlong table = -1;
  r_.jvm.During(CALL_CallStaticBooleanMethod, [&] { table = GetTable(); });
  EXPECT_TRUE(StartCounting());
  EXPECT_EQ(table, 0);
  EXPECT_EQ(reinterpret_cast<const void *>(GetTable()), lock_counts_table(hooks_->lock_counts));
  r_.jvm.Answer(false);
  EXPECT_FALSE(StartCounting());
  EXPECT_EQ(GetTable(), 0);
}

}  // namespace
