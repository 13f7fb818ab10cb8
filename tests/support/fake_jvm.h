#pragma once
// A JVM made of tables: just as much JVMTI and JNI as the agent calls, with classes, methods,
// objects and threads that a test makes up. A std::thread becomes one of its Java threads by
// `FakeJvm::Running`. Any function can be told to fail.
//
// What the agent must give back (local references, the JVM's memory) is counted; what is left when
// the FakeJvm goes fails the test.
#include <jvmti.h>

#include <array>
#include <atomic>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

// clang-format off
#define FAKE_JVMTI_CALLS(X)                                                                        \
  X(Allocate) X(Deallocate) X(GetAllStackTraces) X(GetAllThreads) X(GetClassLoader)                \
  X(GetClassMethods) X(GetClassSignature) X(GetClassStatus) X(GetCurrentThread)                    \
  X(GetCurrentThreadCpuTime) X(GetExtensionFunctions) X(GetLineNumberTable) X(GetLoadedClasses)    \
  X(GetLocalInstance) X(GetLocalObject) X(GetMethodDeclaringClass) X(GetMethodName)                \
  X(GetObjectHashCode) X(GetObjectMonitorUsage) X(GetSourceFileName) X(GetStackTrace) X(GetTag)    \
  X(GetThreadCpuTime) X(GetThreadInfo) X(GetThreadLocalStorage) X(GetThreadState)                  \
  X(IsMethodNative) X(IsModifiableClass) X(RetransformClasses) X(RunAgentThread)                   \
  X(SetEventNotificationMode) X(SetTag) X(SetThreadLocalStorage)

// Extensions of JVMTI.
#define FAKE_EXTENSION_CALLS(X) X(GetVirtualThread)

#define FAKE_JNI_CALLS(X)                                                                          \
  X(CallStaticBooleanMethod) X(CallStaticVoidMethod) X(DefineClass) X(DeleteGlobalRef)             \
  X(DeleteLocalRef) X(DeleteWeakGlobalRef) X(EnsureLocalCapacity) X(ExceptionCheck)                \
  X(ExceptionClear) X(FindClass) X(GetFieldID) X(GetMethodID) X(GetObjectClass) X(GetObjectField)  \
  X(GetStaticFieldID) X(GetStaticMethodID) X(GetVersion) X(IsInstanceOf) X(IsSameObject) X(NewGlobalRef)         \
  X(NewLocalRef) X(NewObject) X(NewStringUTF) X(NewWeakGlobalRef) X(RegisterNatives)               \
  X(SetStaticLongField)
// clang-format on

enum FakeCall {
#define X(name) CALL_##name,
  FAKE_JVMTI_CALLS(X) FAKE_EXTENSION_CALLS(X) FAKE_JNI_CALLS(X) NUM_FAKE_CALLS
#undef X
};

struct FakeClass;
struct FakeField;
struct FakeThread;
struct FakeObject;

// What a jobject points to.
struct FakeRef {
  enum Kind { kLocal, kGlobal, kWeak, kHandle, kFound } kind;
  FakeObject *object;
};

struct FakeObject {
  FakeClass *klass = nullptr;
  jint hash = 0;
  std::atomic<jlong> tag{0};
  std::atomic<FakeThread *> owner{nullptr};    // of its monitor
  std::atomic<bool> collected{false};          // weak references to it are then cleared
  std::string text;                            // of a java.lang.String
  std::map<FakeField *, FakeObject *> fields;  // those that are not null
  FakeRef handle{FakeRef::kHandle, this};      // a reference of the test's, which nobody deletes

  virtual ~FakeObject() = default;
  jobject Ref() { return reinterpret_cast<jobject>(&handle); }
};

struct FakeMethod {
  FakeClass *klass;
  std::string name, descriptor;
  std::vector<jvmtiLineNumberEntry> lines;  // empty: the JVM has no table
  bool native = false;
  void *function = nullptr;  // that a native one was bound to by RegisterNatives
  std::atomic<bool> unloaded{false};

  jmethodID Id() { return reinterpret_cast<jmethodID>(this); }
};

struct FakeField {
  std::string name, descriptor;
  jlong value = 0;  // of a static long
};

struct FakeClass : FakeObject {
  std::string signature, source;  // source: empty for none
  std::string bytes;              // of DefineClass: it has the methods whose names stand in them
  FakeObject *loader = nullptr;   // nullptr: the boot loader
  FakeClass *super = nullptr;
  bool prepared = true, modifiable = true;
  std::vector<FakeMethod *> methods;
  std::deque<FakeField> fields_of_class;  // its own: static ones, and those that its objects have
  FakeRef found{FakeRef::kFound, this};   // of FindClass: may be deleted, but need not be

  jclass Ref() { return reinterpret_cast<jclass>(&handle); }
};

struct FakeThread : FakeObject {
  std::string name;
  bool alive = true;
  std::vector<jvmtiFrameInfo> frames;  // innermost first
  FakeObject *self_on_top = nullptr;   // `this` of the innermost frame; nullptr: a static method
  FakeObject *first_on_top = nullptr;  // its first argument then
  jint state = JVMTI_THREAD_STATE_ALIVE | JVMTI_THREAD_STATE_RUNNABLE;
  jlong cpu_ns = 0;
  bool is_virtual = false;               // not among those that JVMTI lists
  FakeThread *mounted = nullptr;         // the virtual thread that this one carries
  std::atomic<void *> storage{nullptr};  // JVMTI's
};

class FakeJvm {
 public:
  FakeJvm();
  ~FakeJvm();
  FakeJvm(const FakeJvm &) = delete;
  FakeJvm &operator=(const FakeJvm &) = delete;

  jvmtiEnv *Ti() { return &ti_; }
  JNIEnv *Jni() { return &jni_; }

  // --- what there is. Hash 0: the next one that nobody has. -------------------------------
  FakeClass *AddClass(const std::string &signature, jint hash = 0, const std::string &source = "");
  FakeMethod *AddMethod(FakeClass *klass, const std::string &name, const std::string &descriptor,
                        std::vector<jvmtiLineNumberEntry> lines = {});
  FakeField *AddField(FakeClass *klass, const std::string &name, const std::string &descriptor);
  FakeObject *AddObject(FakeClass *klass, jint hash = 0);
  FakeThread *AddThread(const std::string &name, jint hash = 0);
  FakeClass *ThreadClass() { return thread_class_; }  // java.lang.Thread
  std::vector<FakeThread *> Threads() { return threads_; }

  // A class of the boot loader, a method and a field of a class; nullptr for one that is not there.
  FakeClass *BootClass(const std::string &name);  // "java/lang/Thread"
  FakeMethod *Method(FakeClass *klass, const std::string &name, const std::string &descriptor);
  FakeField *Field(FakeClass *klass, const std::string &name, const std::string &descriptor);

  // Change runs `act`, which may add things too, while no other thread sees what there is.
  void Change(const std::function<void()> &act);

  // --- what goes on -------------------------------------------------------------------------
  // As long as it lives, the current std::thread is this Java thread.
  class Running {
   public:
    explicit Running(FakeThread *thread);
    ~Running();
    Running(const Running &) = delete;
    Running &operator=(const Running &) = delete;

   private:
    FakeThread *before_;
  };

  // Fail makes the next `times` calls of a function fail: a JVMTI one with `error`, a JNI one with
  // NULL and a pending exception.
  void Fail(FakeCall call, int times = 1, jvmtiError error = JVMTI_ERROR_INTERNAL);

  // Throw leaves an exception pending in the current thread, as a native that is called may.
  static void Throw();

  // FailAt makes only the `nth` call from now fail. In place of what During has set.
  void FailAt(FakeCall call, int nth, jvmtiError error = JVMTI_ERROR_INTERNAL);

  // During sets what happens inside a function, before it answers. Before threads start.
  void During(FakeCall call, std::function<void()> act) { during_[call] = std::move(act); }

  // Answer is what static methods that give a boolean answer; true unless it is said.
  void Answer(bool answer) { answer_ = answer; }

  // ShowMounted lets the JVM have HotSpot's extension function that tells what a carrier runs,
  // among others.
  void ShowMounted() { shows_mounted_ = true; }

  int Calls(FakeCall call) const { return calls_[call]; }
  bool IsEnabled(jvmtiEvent event) const { return enabled_[event]; }
  // The signatures of each call of RetransformClasses.
  std::vector<std::vector<std::string>> Retransformed() const { return retransformed_; }
  int NumLocalRefs() const { return num_refs_[FakeRef::kLocal]; }
  int NumWeakRefs() const { return num_refs_[FakeRef::kWeak]; }

  // JoinAgentThreads waits for the ends of the threads of RunAgentThread.
  void JoinAgentThreads();

 private:
  friend struct FakeFunctions;
  friend struct FakeJvmtiFunctions;
  friend struct FakeJniFunctions;
  struct TiEnv : jvmtiEnv {
    FakeJvm *jvm;
  };
  struct JniEnv : JNIEnv {
    FakeJvm *jvm;
  };

  jint NextHash(jint wanted) { return wanted != 0 ? wanted : next_hash_++; }

  TiEnv ti_;
  JniEnv jni_;
  std::recursive_mutex world_;  // the lists of what there is, and what threads do
  std::deque<std::unique_ptr<FakeObject>> objects_;
  std::deque<std::unique_ptr<FakeMethod>> methods_;
  std::vector<FakeClass *> classes_;
  std::vector<FakeThread *> threads_;
  std::vector<std::thread> agent_threads_;
  std::vector<std::vector<std::string>> retransformed_;
  FakeClass *thread_class_;
  std::atomic<jint> next_hash_{0x1000};

  std::array<std::atomic<int>, NUM_FAKE_CALLS> calls_{}, failures_{};
  std::array<std::atomic<jvmtiError>, NUM_FAKE_CALLS> errors_{};
  std::array<std::function<void()>, NUM_FAKE_CALLS> during_;
  std::atomic<bool> answer_{true}, shows_mounted_{false};
  std::array<std::atomic<int>, 5> num_refs_{};
  std::atomic<int> num_allocated_{0};
  std::array<std::atomic<bool>, 256> enabled_{};
};
