#pragma once
// A fake JVM for unit tests: the JVMTI and JNI functions that the agent calls, with classes,
// methods, objects and threads that the test adds. FakeJvm::Running makes a std::thread one of its
// Java threads. A test can let any function fail.
//
// The destructor of FakeJvm fails the test if the agent has not deleted all local references and
// deallocated all memory of the JVM.
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
#include <utility>
#include <vector>

// clang-format off
#define FAKE_JVMTI_CALLS(X)                                                                        \
  X(Allocate) X(Deallocate) X(GetAllStackTraces) X(GetAllThreads) X(GetBytecodes) X(GetClassLoader) X(GetConstantPool) X(IsMethodObsolete)               \
  X(GetClassMethods) X(GetClassSignature) X(GetClassStatus) X(GetCurrentThread)                    \
  X(GetCurrentThreadCpuTime) X(GetExtensionFunctions) X(GetFrameCount) X(GetLineNumberTable) X(GetLoadedClasses)    \
  X(GetLocalInstance) X(GetLocalObject) X(GetMethodDeclaringClass) X(GetMethodName)                \
  X(GetObjectHashCode) X(GetObjectMonitorUsage) X(GetOwnedMonitorStackDepthInfo)                   \
  X(GetSourceFileName) X(GetStackTrace) X(GetSystemProperty) X(GetTag)                             \
  X(GetThreadCpuTime) X(GetThreadInfo) X(GetThreadLocalStorage) X(GetThreadState) X(GetVersionNumber)                  \
  X(IsMethodNative) X(IsModifiableClass) X(RetransformClasses) X(RunAgentThread)                   \
  X(SetEventNotificationMode) X(SetTag) X(SetThreadLocalStorage)

// Extension functions of JVMTI.
#define FAKE_EXTENSION_CALLS(X) X(GetVirtualThread)

#define FAKE_JNI_CALLS(X)                                                                          \
  X(CallBooleanMethod) X(CallStaticBooleanMethod) X(CallStaticObjectMethod) X(CallStaticVoidMethod) X(DefineClass) X(DeleteGlobalRef)             \
  X(DeleteLocalRef) X(DeleteWeakGlobalRef) X(EnsureLocalCapacity) X(ExceptionCheck)                \
  X(ExceptionClear) X(FindClass) X(GetArrayLength) X(GetFieldID) X(GetIntArrayRegion) X(GetIntField) X(GetLongField) X(GetMethodID) X(GetObjectArrayElement) X(GetObjectClass) X(GetObjectField)  \
  X(GetStaticFieldID) X(GetStaticMethodID) X(GetStringUTFChars) X(GetVersion) X(IsInstanceOf) X(IsSameObject) X(NewGlobalRef)         \
  X(NewLocalRef) X(NewObject) X(NewStringUTF) X(NewWeakGlobalRef) X(PopLocalFrame) X(PushLocalFrame) X(RegisterNatives) X(ReleaseStringUTFChars)               \
  X(SetStaticBooleanField) X(SetStaticLongField)
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

// A jobject points to a FakeRef. kHandle is a reference of the test, which the agent must not
// delete. kFound is a result of FindClass, which the agent may delete or keep.
struct FakeRef {
  enum Kind { kLocal, kGlobal, kWeak, kHandle, kFound } kind;
  FakeObject *object;
};

struct FakeObject {
  FakeClass *klass = nullptr;
  jint hash = 0;
  std::atomic<jlong> tag{0};
  std::atomic<FakeThread *> owner{nullptr};  // the owner of its monitor
  std::atomic<bool> collected{false};  // by the garbage collector: weak references are cleared
  std::string text;                    // if it is a java.lang.String
  std::map<FakeField *, FakeObject *> fields;  // the fields that are not null
  std::map<FakeField *, jlong> values;         // the fields of a number that are not 0
  std::vector<FakeObject *> items;             // if it is an array of objects
  std::vector<jint> numbers;                   // if it is an int[]
  FakeRef handle{FakeRef::kHandle, this};      // the test's reference

  virtual ~FakeObject() = default;
  jobject Ref() { return reinterpret_cast<jobject>(&handle); }
};

struct FakeMethod {
  FakeClass *klass;
  std::string name, descriptor;
  std::vector<jvmtiLineNumberEntry> lines;  // empty: the JVM has no table
  std::vector<unsigned char> bytecodes;
  bool native = false, obsolete = false;
  void *function = nullptr;  // set by RegisterNatives
  std::atomic<bool> unloaded{false};

  jmethodID Id() { return reinterpret_cast<jmethodID>(this); }
};

struct FakeField {
  std::string name, descriptor;
  jlong value = 0;  // if it is a static long or boolean
};

struct FakeClass : FakeObject {
  std::string signature, source;  // source: may be empty
  std::string bytes;              // from DefineClass: it has the methods that these name
  FakeObject *loader = nullptr;   // nullptr: the boot loader
  FakeClass *super = nullptr;
  bool prepared = true, modifiable = true;
  std::string pool;                   // the entries of its constant pool
  jint pool_count = 1;                // constant_pool_count
  std::atomic<bool> unloaded{false};  // JVMTI does not list it
  std::vector<FakeMethod *> methods;
  std::deque<FakeField> fields_of_class;  // declared in this class, static or not
  FakeRef found{FakeRef::kFound, this};   // the reference that FindClass returns

  jclass Ref() { return reinterpret_cast<jclass>(&handle); }
};

struct FakeThread : FakeObject {
  std::string name;
  bool alive = true;
  std::vector<jvmtiFrameInfo> frames;   // innermost first
  FakeObject *self_on_top = nullptr;    // `this` of the innermost frame; nullptr: a static method
  FakeObject *first_on_top = nullptr;   // its first argument, if it is static
  FakeObject *second_on_top = nullptr;  // its first argument, if it is not static
  std::vector<std::pair<FakeObject *, jint>> held;  // its monitors and the depths of their frames
  jint state = JVMTI_THREAD_STATE_ALIVE | JVMTI_THREAD_STATE_RUNNABLE;
  jlong cpu_ns = 0;
  bool is_virtual = false;               // JVMTI does not list it
  FakeThread *mounted = nullptr;         // the virtual thread that this carrier runs
  std::atomic<void *> storage{nullptr};  // thread-local storage of JVMTI
};

class FakeJvm {
 public:
  FakeJvm();
  ~FakeJvm();
  FakeJvm(const FakeJvm &) = delete;
  FakeJvm &operator=(const FakeJvm &) = delete;

  jvmtiEnv *Ti() { return &ti_; }
  JNIEnv *Jni() { return &jni_; }

  // --- classes, methods, objects and threads. Hash 0 stands for an unused hash. ------------
  FakeClass *AddClass(const std::string &signature, jint hash = 0, const std::string &source = "");
  FakeMethod *AddMethod(FakeClass *klass, const std::string &name, const std::string &descriptor,
                        std::vector<jvmtiLineNumberEntry> lines = {});
  FakeField *AddField(FakeClass *klass, const std::string &name, const std::string &descriptor);
  FakeObject *AddObject(FakeClass *klass, jint hash = 0);
  FakeThread *AddThread(const std::string &name, jint hash = 0);
  FakeClass *ThreadClass() { return thread_class_; }  // java.lang.Thread
  std::vector<FakeThread *> Threads() { return threads_; }

  // These functions find a class of the boot loader, and a method or a field of a class; nullptr if
  // there is none.
  FakeClass *BootClass(const std::string &name);  // "java/lang/Thread"
  FakeMethod *Method(FakeClass *klass, const std::string &name, const std::string &descriptor);
  FakeField *Field(FakeClass *klass, const std::string &name, const std::string &descriptor);

  // Runs `act` under the lock of the fake JVM. `act` may add objects and change fields.
  void Change(const std::function<void()> &act);

  // The version of JVMTI, as GetVersionNumber returns it.
  jint version = 0x30110000;  // 17

  // The system property java.vm.name.
  std::string vm_name = "OpenJDK 64-Bit Server VM";

  // --- calls ----------------------------------------------------------------------------------
  // Makes the current std::thread a Java thread, until the object is destroyed.
  class Running {
   public:
    explicit Running(FakeThread *thread);
    ~Running();
    Running(const Running &) = delete;
    Running &operator=(const Running &) = delete;

   private:
    FakeThread *before_;
  };

  // Makes the next `times` calls of a function fail. A JVMTI function then returns `error`. A JNI
  // function returns NULL with a pending exception.
  void Fail(FakeCall call, int times = 1, jvmtiError error = JVMTI_ERROR_INTERNAL);

  // Makes an exception pending in the current thread, like a native method that throws.
  static void Throw();

  // Makes only the `nth` call from now on fail. Replaces the function of During.
  void FailAt(FakeCall call, int nth, jvmtiError error = JVMTI_ERROR_INTERNAL);

  // Sets a function that runs inside each call of a function, before it returns. Called before
  // threads start.
  void During(FakeCall call, std::function<void()> act) { during_[call] = std::move(act); }

  // Sets the result of all static boolean methods, which is initially true.
  void Answer(bool answer) { answer_ = answer; }

  // Sets the function that computes the result of all static methods that return an object. `first`
  // is their first argument if that is an object, else nullptr. Without it the result is null.
  using ObjectMethod = std::function<FakeObject *(const FakeMethod &method, FakeObject *first)>;
  void AnswerObjects(ObjectMethod answer) { answer_object_ = std::move(answer); }

  // Makes this a JVM of version 21, which has virtual threads.
  void HaveVirtualThreads() { has_virtual_ = true; }

  // Makes the JVM offer GetVirtualThread, HotSpot's extension function that returns the virtual
  // thread of a carrier, and others.
  void ShowMounted() { shows_mounted_ = true; }

  int Calls(FakeCall call) const { return calls_[call]; }
  bool IsEnabled(jvmtiEvent event) const { return enabled_[event]; }
  // Returns the signatures of the classes in each call of RetransformClasses.
  std::vector<std::vector<std::string>> Retransformed() const { return retransformed_; }
  int NumLocalRefs() const { return num_refs_[FakeRef::kLocal]; }
  int NumWeakRefs() const { return num_refs_[FakeRef::kWeak]; }
  int NumGlobalRefs() const { return calls_[CALL_NewGlobalRef] - calls_[CALL_DeleteGlobalRef]; }

  // Sets a function that each thread of RunAgentThread runs after the agent's function, while the
  // thread is still alive. Called before these threads start.
  void BeforeAgentThreadsEnd(std::function<void()> act) { before_end_ = std::move(act); }

  // Waits until all threads that RunAgentThread started have ended.
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
  struct {
    JNINativeInterface_ functions;
    void (*newer[4])();  // of JNI 21, if the header is older
  } jni_table_;
  std::recursive_mutex world_;  // guards the lists below and the fields of threads
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
  std::function<void()> before_end_;
  ObjectMethod answer_object_;
  std::atomic<bool> answer_{true}, shows_mounted_{false}, has_virtual_{false};
  std::array<std::atomic<int>, 5> num_refs_{};
  std::atomic<int> num_allocated_{0};
  std::array<std::atomic<bool>, 256> enabled_{};
};
