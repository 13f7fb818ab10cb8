#include "tests/support/fake_jvm.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <algorithm>
#include <utility>

#include "gtest/gtest.h"

namespace {

thread_local FakeThread *current_thread;
thread_local bool exception_pending;

FakeRef *RefOf(jobject o) { return reinterpret_cast<FakeRef *>(o); }

FakeObject *ObjectOf(jobject o) { return o == nullptr ? nullptr : RefOf(o)->object; }

FakeClass *ClassOf(jclass c) { return static_cast<FakeClass *>(ObjectOf(c)); }

FakeMethod *MethodOf(jmethodID m) { return reinterpret_cast<FakeMethod *>(m); }

// JVMTI takes NULL as the current thread.
FakeThread *ThreadOf(jthread t) {
  return t == nullptr ? current_thread : static_cast<FakeThread *>(ObjectOf(t));
}

// Stands in every place of a function table that has no fake.
void NotFaked() {
  fprintf(stderr, "the agent calls a function of the JVM that fake_jvm.cc does not have\n");
  abort();
}

template <typename Table>
void FillWithNotFaked(Table *table) {
  void (*not_faked)() = NotFaked;
  static_assert(sizeof(Table) % sizeof not_faked == 0);
  for (size_t at = 0; at < sizeof(Table); at += sizeof not_faked) {
    memcpy(reinterpret_cast<char *>(table) + at, &not_faked, sizeof not_faked);
  }
}

}  // namespace

// The functions, under the names that they have in the tables.
struct FakeFunctions {
  static FakeJvm *Of(jvmtiEnv *ti) { return static_cast<FakeJvm::TiEnv *>(ti)->jvm; }
  static FakeJvm *Of(JNIEnv *jni) { return static_cast<FakeJvm::JniEnv *>(jni)->jvm; }

  // Begin counts the call; false when it is to fail.
  static bool Begin(FakeJvm *jvm, FakeCall call) {
    jvm->calls_[call]++;
    if (jvm->during_[call]) jvm->during_[call]();
    if (jvm->failures_[call] <= 0) return true;
    jvm->failures_[call]--;
    return false;
  }

  static void ExpectNoException() {
    if (exception_pending) ADD_FAILURE() << "a JNI function is called under a pending exception";
  }

  static bool BeginJni(FakeJvm *jvm, FakeCall call) {
    ExpectNoException();
    exception_pending = !Begin(jvm, call);
    return !exception_pending;
  }

  static jobject NewRef(FakeJvm *jvm, FakeRef::Kind kind, FakeObject *object) {
    jvm->num_refs_[kind]++;
    return reinterpret_cast<jobject>(new FakeRef{kind, object});
  }

  static jobject NewLocal(FakeJvm *jvm, FakeObject *object) {
    return object == nullptr ? nullptr : NewRef(jvm, FakeRef::kLocal, object);
  }

  static void DeleteRef(FakeJvm *jvm, FakeRef::Kind kind, jobject o) {
    if (o == nullptr || (kind == FakeRef::kLocal && RefOf(o)->kind == FakeRef::kFound)) return;
    if (RefOf(o)->kind != kind) {
      ADD_FAILURE() << "a reference is deleted as what it is not";
      return;
    }
    jvm->num_refs_[kind]--;
    delete RefOf(o);
  }

  static void *NewMemory(FakeJvm *jvm, size_t size) {
    jvm->num_allocated_++;
    return malloc(size == 0 ? 1 : size);
  }

  static char *NewText(FakeJvm *jvm, const std::string &text) {
    return strcpy(static_cast<char *>(NewMemory(jvm, text.size() + 1)), text.c_str());
  }

  template <typename T>
  static T *NewList(FakeJvm *jvm, const std::vector<T> &values) {
    T *list = static_cast<T *>(NewMemory(jvm, values.size() * sizeof(T)));
    std::copy(values.begin(), values.end(), list);
    return list;
  }

// Where a JVMTI function begins: its FakeJvm, and out when it is to fail.
#define BEGIN(name)                                               \
  FakeJvm *jvm = Of(env);                                         \
  if (!Begin(jvm, CALL_##name)) return jvm->errors_[CALL_##name]; \
  static_assert(true)

  // --- JVMTI: memory, classes, methods --------------------------------------------------

  static jvmtiError Allocate(jvmtiEnv *env, jlong size, unsigned char **out) {
    BEGIN(Allocate);
    *out = static_cast<unsigned char *>(NewMemory(jvm, static_cast<size_t>(size)));
    return JVMTI_ERROR_NONE;
  }

  static jvmtiError Deallocate(jvmtiEnv *env, unsigned char *memory) {
    BEGIN(Deallocate);
    if (memory != nullptr) jvm->num_allocated_--;
    free(memory);
    return JVMTI_ERROR_NONE;
  }

  static jvmtiError GetClassSignature(jvmtiEnv *env, jclass c, char **out, char **out_generic) {
    BEGIN(GetClassSignature);
    *out = NewText(jvm, ClassOf(c)->signature);
    if (out_generic != nullptr) *out_generic = nullptr;
    return JVMTI_ERROR_NONE;
  }

  static jvmtiError GetSourceFileName(jvmtiEnv *env, jclass c, char **out) {
    BEGIN(GetSourceFileName);
    if (ClassOf(c)->source.empty()) return JVMTI_ERROR_ABSENT_INFORMATION;
    *out = NewText(jvm, ClassOf(c)->source);
    return JVMTI_ERROR_NONE;
  }

  static jvmtiError GetClassLoader(jvmtiEnv *env, jclass c, jobject *out) {
    BEGIN(GetClassLoader);
    *out = NewLocal(jvm, ClassOf(c)->loader);
    return JVMTI_ERROR_NONE;
  }

  static jvmtiError GetClassStatus(jvmtiEnv *env, jclass c, jint *out) {
    BEGIN(GetClassStatus);
    *out = ClassOf(c)->prepared ? JVMTI_CLASS_STATUS_PREPARED : 0;
    return JVMTI_ERROR_NONE;
  }

  static jvmtiError GetClassMethods(jvmtiEnv *env, jclass c, jint *out_n, jmethodID **out) {
    BEGIN(GetClassMethods);
    if (!ClassOf(c)->prepared) return JVMTI_ERROR_CLASS_NOT_PREPARED;
    std::vector<jmethodID> ids;
    for (FakeMethod *m : ClassOf(c)->methods) ids.push_back(m->Id());
    *out = NewList(jvm, ids);
    *out_n = static_cast<jint>(ids.size());
    return JVMTI_ERROR_NONE;
  }

  static jvmtiError GetLoadedClasses(jvmtiEnv *env, jint *out_n, jclass **out) {
    BEGIN(GetLoadedClasses);
    std::lock_guard<std::recursive_mutex> lock(jvm->world_);
    std::vector<jclass> refs;
    for (FakeClass *c : jvm->classes_) refs.push_back(static_cast<jclass>(NewLocal(jvm, c)));
    *out = NewList(jvm, refs);
    *out_n = static_cast<jint>(refs.size());
    return JVMTI_ERROR_NONE;
  }

  static jvmtiError RetransformClasses(jvmtiEnv *env, jint n, const jclass *classes) {
    BEGIN(RetransformClasses);
    std::vector<std::string> signatures;
    for (jint i = 0; i < n; i++) signatures.push_back(ClassOf(classes[i])->signature);
    jvm->retransformed_.push_back(signatures);
    return JVMTI_ERROR_NONE;
  }

  static jvmtiError IsModifiableClass(jvmtiEnv *env, jclass c, jboolean *out) {
    BEGIN(IsModifiableClass);
    *out = ClassOf(c)->modifiable;
    return JVMTI_ERROR_NONE;
  }

  static jvmtiError IsMethodNative(jvmtiEnv *env, jmethodID m, jboolean *out) {
    BEGIN(IsMethodNative);
    *out = MethodOf(m)->native;
    return JVMTI_ERROR_NONE;
  }

  static jvmtiError GetMethodDeclaringClass(jvmtiEnv *env, jmethodID m, jclass *out) {
    BEGIN(GetMethodDeclaringClass);
    if (MethodOf(m)->unloaded) return JVMTI_ERROR_INVALID_METHODID;
    *out = static_cast<jclass>(NewLocal(jvm, MethodOf(m)->klass));
    return JVMTI_ERROR_NONE;
  }

  static jvmtiError GetMethodName(jvmtiEnv *env, jmethodID m, char **out_name,
                                  char **out_descriptor, char **out_generic) {
    BEGIN(GetMethodName);
    if (MethodOf(m)->unloaded) return JVMTI_ERROR_INVALID_METHODID;
    *out_name = NewText(jvm, MethodOf(m)->name);
    *out_descriptor = NewText(jvm, MethodOf(m)->descriptor);
    if (out_generic != nullptr) *out_generic = nullptr;
    return JVMTI_ERROR_NONE;
  }

  static jvmtiError GetLineNumberTable(jvmtiEnv *env, jmethodID m, jint *out_n,
                                       jvmtiLineNumberEntry **out) {
    BEGIN(GetLineNumberTable);
    if (MethodOf(m)->unloaded) return JVMTI_ERROR_INVALID_METHODID;
    if (MethodOf(m)->lines.empty()) return JVMTI_ERROR_ABSENT_INFORMATION;
    *out = NewList(jvm, MethodOf(m)->lines);
    *out_n = static_cast<jint>(MethodOf(m)->lines.size());
    return JVMTI_ERROR_NONE;
  }

  // --- JVMTI: objects -------------------------------------------------------------------

  static jvmtiError GetObjectHashCode(jvmtiEnv *env, jobject o, jint *out) {
    BEGIN(GetObjectHashCode);
    *out = ObjectOf(o)->hash;
    return JVMTI_ERROR_NONE;
  }

  static jvmtiError GetTag(jvmtiEnv *env, jobject o, jlong *out) {
    BEGIN(GetTag);
    *out = ObjectOf(o)->tag.load(std::memory_order_relaxed);
    return JVMTI_ERROR_NONE;
  }

  static jvmtiError SetTag(jvmtiEnv *env, jobject o, jlong tag) {
    BEGIN(SetTag);
    ObjectOf(o)->tag.store(tag, std::memory_order_relaxed);
    return JVMTI_ERROR_NONE;
  }

  static jvmtiError GetObjectMonitorUsage(jvmtiEnv *env, jobject o, jvmtiMonitorUsage *out) {
    BEGIN(GetObjectMonitorUsage);
    *out = {};
    FakeThread *owner = ObjectOf(o)->owner;
    std::vector<jthread> waiters = {NewLocal(jvm, ObjectOf(o)), NewLocal(jvm, ObjectOf(o))};
    out->owner = NewLocal(jvm, owner);
    out->entry_count = owner != nullptr;
    out->waiter_count = 2; /* whoever they are: they have to be given back */
    out->waiters = NewList(jvm, waiters);
    out->notify_waiter_count = 0;
    out->notify_waiters = NewList<jthread>(jvm, {});
    return JVMTI_ERROR_NONE;
  }

  // --- JVMTI: threads -------------------------------------------------------------------

  static jvmtiError GetCurrentThread(jvmtiEnv *env, jthread *out) {
    BEGIN(GetCurrentThread);
    *out = NewLocal(jvm, current_thread);
    return JVMTI_ERROR_NONE;
  }

  static jvmtiError GetAllThreads(jvmtiEnv *env, jint *out_n, jthread **out) {
    BEGIN(GetAllThreads);
    std::lock_guard<std::recursive_mutex> lock(jvm->world_);
    std::vector<jthread> refs;
    for (FakeThread *t : jvm->threads_) {
      if (t->alive && !t->is_virtual) refs.push_back(NewLocal(jvm, t));
    }
    *out = NewList(jvm, refs);
    *out_n = static_cast<jint>(refs.size());
    return JVMTI_ERROR_NONE;
  }

  static jvmtiError GetThreadInfo(jvmtiEnv *env, jthread t, jvmtiThreadInfo *out) {
    BEGIN(GetThreadInfo);
    *out = {};
    out->name = NewText(jvm, ThreadOf(t)->name);
    out->thread_group = NewLocal(jvm, jvm->thread_class_); /* some object will do */
    out->context_class_loader = NewLocal(jvm, jvm->thread_class_);
    return JVMTI_ERROR_NONE;
  }

  static jvmtiError GetThreadLocalStorage(jvmtiEnv *env, jthread t, void **out) {
    BEGIN(GetThreadLocalStorage);
    *out = ThreadOf(t)->storage.load(std::memory_order_acquire);
    return JVMTI_ERROR_NONE;
  }

  static jvmtiError SetThreadLocalStorage(jvmtiEnv *env, jthread t, const void *data) {
    BEGIN(SetThreadLocalStorage);
    std::lock_guard<std::recursive_mutex> lock(jvm->world_);
    if (!ThreadOf(t)->alive) return JVMTI_ERROR_THREAD_NOT_ALIVE;
    ThreadOf(t)->storage.store(const_cast<void *>(data), std::memory_order_release);
    return JVMTI_ERROR_NONE;
  }

  static jvmtiError GetThreadCpuTime(jvmtiEnv *env, jthread t, jlong *out) {
    BEGIN(GetThreadCpuTime);
    std::lock_guard<std::recursive_mutex> lock(jvm->world_);
    *out = ThreadOf(t)->cpu_ns;
    return JVMTI_ERROR_NONE;
  }

  static jvmtiError GetCurrentThreadCpuTime(jvmtiEnv *env, jlong *out) {
    BEGIN(GetCurrentThreadCpuTime);
    *out = current_thread->cpu_ns;
    return JVMTI_ERROR_NONE;
  }

  static jvmtiError GetThreadState(jvmtiEnv *env, jthread t, jint *out) {
    BEGIN(GetThreadState);
    std::lock_guard<std::recursive_mutex> lock(jvm->world_);
    *out = ThreadOf(t)->state;
    return JVMTI_ERROR_NONE;
  }

  static jvmtiError GetStackTrace(jvmtiEnv *env, jthread t, jint start, jint max,
                                  jvmtiFrameInfo *out, jint *out_n) {
    BEGIN(GetStackTrace);
    /* A thread changes its own frames as it likes. */
    std::unique_lock<std::recursive_mutex> lock(jvm->world_, std::defer_lock);
    if (t != nullptr) lock.lock();
    const std::vector<jvmtiFrameInfo> &frames = ThreadOf(t)->frames;
    size_t from = static_cast<size_t>(start);
    if (from > 0 && from >= frames.size()) return JVMTI_ERROR_ILLEGAL_ARGUMENT;
    size_t n = std::min(frames.size() - from, static_cast<size_t>(max));
    std::copy_n(frames.begin() + start, n, out);
    *out_n = static_cast<jint>(n);
    return JVMTI_ERROR_NONE;
  }

  static jvmtiError GetLocalInstance(jvmtiEnv *env, jthread t, jint depth, jobject *out) {
    BEGIN(GetLocalInstance);
    EXPECT_EQ(depth, 0);
    if (ThreadOf(t)->self_on_top == nullptr) return JVMTI_ERROR_INVALID_SLOT;
    *out = NewLocal(jvm, ThreadOf(t)->self_on_top);
    return JVMTI_ERROR_NONE;
  }

  static jvmtiError GetLocalObject(jvmtiEnv *env, jthread t, jint depth, jint slot, jobject *out) {
    BEGIN(GetLocalObject);
    EXPECT_EQ(depth, 0);
    EXPECT_EQ(slot, 0);
    *out = NewLocal(jvm, ThreadOf(t)->first_on_top);
    return JVMTI_ERROR_NONE;
  }

  // All in one piece of memory, as the specification has it.
  static jvmtiError GetAllStackTraces(jvmtiEnv *env, jint max, jvmtiStackInfo **out, jint *out_n) {
    BEGIN(GetAllStackTraces);
    std::lock_guard<std::recursive_mutex> lock(jvm->world_);
    std::vector<FakeThread *> alive;
    for (FakeThread *t : jvm->threads_) {
      if (t->alive && !t->is_virtual) alive.push_back(t);
    }
    size_t room = static_cast<size_t>(max);
    void *memory =
        NewMemory(jvm, alive.size() * (sizeof(jvmtiStackInfo) + room * sizeof(jvmtiFrameInfo)));
    jvmtiStackInfo *infos = static_cast<jvmtiStackInfo *>(memory);
    jvmtiFrameInfo *frames = reinterpret_cast<jvmtiFrameInfo *>(infos + alive.size());
    for (size_t i = 0; i < alive.size(); i++, frames += room) {
      size_t n = std::min(alive[i]->frames.size(), room);
      std::copy_n(alive[i]->frames.begin(), n, frames);
      infos[i] = {NewLocal(jvm, alive[i]), alive[i]->state, frames, static_cast<jint>(n)};
    }
    *out = infos;
    *out_n = static_cast<jint>(alive.size());
    return JVMTI_ERROR_NONE;
  }

  static jvmtiError RunAgentThread(jvmtiEnv *env, jthread t, jvmtiStartFunction run,
                                   const void *arg, jint) {
    BEGIN(RunAgentThread);
    FakeThread *thread = ThreadOf(t);
    std::lock_guard<std::recursive_mutex> lock(jvm->world_);
    thread->alive = true;
    jvm->agent_threads_.emplace_back([=] {
      FakeJvm::Running running(thread);
      run(jvm->Ti(), jvm->Jni(), const_cast<void *>(arg));
      std::lock_guard<std::recursive_mutex> end(jvm->world_);
      thread->alive = false;
    });
    return JVMTI_ERROR_NONE;
  }

  static jvmtiError SetEventNotificationMode(jvmtiEnv *env, jvmtiEventMode mode, jvmtiEvent event,
                                             jthread thread, ...) {
    BEGIN(SetEventNotificationMode);
    EXPECT_EQ(thread, nullptr);
    jvm->enabled_[event] = mode == JVMTI_ENABLE;
    return JVMTI_ERROR_NONE;
  }

  // --- JVMTI: extensions ------------------------------------------------------------------

  // (env, carrier, &virtual thread)
  static jvmtiError GetVirtualThread(jvmtiEnv *env, ...) {
    BEGIN(GetVirtualThread);
    va_list args;
    va_start(args, env);
    FakeThread *carrier = ThreadOf(va_arg(args, jthread));
    jthread *out = va_arg(args, jthread *);
    va_end(args);
    std::lock_guard<std::recursive_mutex> lock(jvm->world_);
    *out = NewLocal(jvm, carrier->mounted);
    return JVMTI_ERROR_NONE;
  }

  static jvmtiError NoFunction(jvmtiEnv *, ...) {
    ADD_FAILURE() << "the agent calls an extension function that it has no use for";
    return JVMTI_ERROR_INTERNAL;
  }

  static jvmtiExtensionFunctionInfo NewExtension(FakeJvm *jvm, const char *id,
                                                 jvmtiExtensionFunction function) {
    std::vector<jvmtiParamInfo> params(2);
    for (jvmtiParamInfo &param : params) param.name = NewText(jvm, "thread");
    std::vector<jvmtiError> errors = {JVMTI_ERROR_INVALID_THREAD};
    return {function,
            NewText(jvm, id),
            NewText(jvm, "what it does"),
            static_cast<jint>(params.size()),
            NewList(jvm, params),
            static_cast<jint>(errors.size()),
            NewList(jvm, errors)};
  }

  static jvmtiError GetExtensionFunctions(jvmtiEnv *env, jint *out_n,
                                          jvmtiExtensionFunctionInfo **out) {
    BEGIN(GetExtensionFunctions);
    std::vector<jvmtiExtensionFunctionInfo> all;
    all.push_back(
        NewExtension(jvm, "com.sun.hotspot.functions.IsClassUnloadingEnabled", NoFunction));
    if (jvm->shows_mounted_) {
      all.push_back(
          NewExtension(jvm, "com.sun.hotspot.functions.GetVirtualThread", GetVirtualThread));
      all.push_back(NewExtension(jvm, "com.sun.hotspot.functions.GetCarrierThread", NoFunction));
    }
    *out = NewList(jvm, all);
    *out_n = static_cast<jint>(all.size());
    return JVMTI_ERROR_NONE;
  }
#undef BEGIN

  // --- JNI: references ------------------------------------------------------------------

  static void DeleteLocalRef(JNIEnv *env, jobject o) {
    Of(env)->calls_[CALL_DeleteLocalRef]++; /* right under a pending exception, too */
    DeleteRef(Of(env), FakeRef::kLocal, o);
  }

  static void DeleteWeakGlobalRef(JNIEnv *env, jweak o) {
    Of(env)->calls_[CALL_DeleteWeakGlobalRef]++;
    DeleteRef(Of(env), FakeRef::kWeak, o);
  }

  static jobject NewLocalRef(JNIEnv *env, jobject o) {
    if (!BeginJni(Of(env), CALL_NewLocalRef) || ObjectOf(o)->collected) return nullptr;
    return NewLocal(Of(env), ObjectOf(o));
  }

  static jobject NewGlobalRef(JNIEnv *env, jobject o) {
    ExpectNoException();
    if (!Begin(Of(env), CALL_NewGlobalRef)) return nullptr; /* it throws nothing */
    /* Not counted: who makes a global one may keep it for ever. */
    return ObjectOf(o)->Ref();
  }

  static void DeleteGlobalRef(JNIEnv *env, jobject) { Of(env)->calls_[CALL_DeleteGlobalRef]++; }

  static jweak NewWeakGlobalRef(JNIEnv *env, jobject o) {
    if (!BeginJni(Of(env), CALL_NewWeakGlobalRef)) return nullptr;
    return NewRef(Of(env), FakeRef::kWeak, ObjectOf(o));
  }

  static jint GetVersion(JNIEnv *env) {
    return BeginJni(Of(env), CALL_GetVersion) ? JNI_VERSION_10 : JNI_ERR;
  }

  static jint EnsureLocalCapacity(JNIEnv *env, jint) {
    return BeginJni(Of(env), CALL_EnsureLocalCapacity) ? 0 : -1;
  }

  static jboolean IsSameObject(JNIEnv *env, jobject a, jobject b) {
    BeginJni(Of(env), CALL_IsSameObject);
    return ObjectOf(a) == ObjectOf(b);
  }

  static jclass GetObjectClass(JNIEnv *env, jobject o) {
    if (!BeginJni(Of(env), CALL_GetObjectClass)) return nullptr;
    return static_cast<jclass>(NewLocal(Of(env), ObjectOf(o)->klass));
  }

  static jboolean IsInstanceOf(JNIEnv *env, jobject o, jclass c) {
    BeginJni(Of(env), CALL_IsInstanceOf);
    FakeClass *klass = ObjectOf(o)->klass;
    while (klass != nullptr && klass != ClassOf(c)) klass = klass->super;
    return klass != nullptr;
  }

  // --- JNI: fields ----------------------------------------------------------------------

  static FakeField *FieldOf(jfieldID field) { return reinterpret_cast<FakeField *>(field); }

  static jfieldID GetFieldID(JNIEnv *env, jclass c, const char *name, const char *descriptor) {
    if (!BeginJni(Of(env), CALL_GetFieldID)) return nullptr;
    FakeField *field = Of(env)->Field(ClassOf(c), name, descriptor);
    exception_pending = field == nullptr;
    return reinterpret_cast<jfieldID>(field);
  }

  static jobject GetObjectField(JNIEnv *env, jobject o, jfieldID field) {
    if (!BeginJni(Of(env), CALL_GetObjectField)) return nullptr;
    std::lock_guard<std::recursive_mutex> lock(Of(env)->world_);
    auto value = ObjectOf(o)->fields.find(FieldOf(field));
    return value == ObjectOf(o)->fields.end() ? nullptr : NewLocal(Of(env), value->second);
  }

  // Of a class that was defined: one whose name stands in its bytes.
  static jfieldID GetStaticFieldID(JNIEnv *env, jclass c, const char *name,
                                   const char *descriptor) {
    if (!BeginJni(Of(env), CALL_GetStaticFieldID)) return nullptr;
    FakeField *field = Of(env)->Field(ClassOf(c), name, descriptor);
    if (field == nullptr && ClassOf(c)->bytes.find(name) != std::string::npos) {
      field = Of(env)->AddField(ClassOf(c), name, descriptor);
    }
    exception_pending = field == nullptr;
    return reinterpret_cast<jfieldID>(field);
  }

  static void SetStaticLongField(JNIEnv *env, jclass, jfieldID field, jlong value) {
    if (BeginJni(Of(env), CALL_SetStaticLongField)) FieldOf(field)->value = value;
  }

  // --- JNI: new Thread(name) ------------------------------------------------------------

  static jboolean ExceptionCheck(JNIEnv *env) {
    Of(env)->calls_[CALL_ExceptionCheck]++;
    return exception_pending;
  }

  static void ExceptionClear(JNIEnv *env) {
    Of(env)->calls_[CALL_ExceptionClear]++;
    exception_pending = false;
  }

  static jclass FindClass(JNIEnv *env, const char *name) {
    if (!BeginJni(Of(env), CALL_FindClass)) return nullptr;
    FakeClass *klass = Of(env)->BootClass(name);
    exception_pending = klass == nullptr;
    return klass == nullptr ? nullptr : reinterpret_cast<jclass>(&klass->found);
  }

  static jmethodID GetMethodID(JNIEnv *env, jclass, const char *name, const char *descriptor) {
    if (!BeginJni(Of(env), CALL_GetMethodID)) return nullptr;
    EXPECT_EQ(std::string(name) + descriptor, "<init>(Ljava/lang/String;)V");
    return reinterpret_cast<jmethodID>(Of(env)->thread_class_);
  }

  static jstring NewStringUTF(JNIEnv *env, const char *text) {
    if (!BeginJni(Of(env), CALL_NewStringUTF)) return nullptr;
    FakeObject *string = Of(env)->AddObject(Of(env)->thread_class_);
    string->text = text;
    return static_cast<jstring>(string->Ref());
  }

  static jobject NewObject(JNIEnv *env, jclass, jmethodID init, ...) {
    if (!BeginJni(Of(env), CALL_NewObject)) return nullptr;
    va_list args;
    va_start(args, init);
    FakeThread *thread = Of(env)->AddThread(ObjectOf(va_arg(args, jobject))->text);
    va_end(args);
    thread->alive = false; /* until it is started */
    return thread->Ref();
  }

  // --- JNI: classes of the agent's and their natives --------------------------------------

  static jclass DefineClass(JNIEnv *env, const char *name, jobject loader, const jbyte *bytes,
                            jsize len) {
    if (!BeginJni(Of(env), CALL_DefineClass)) return nullptr;
    EXPECT_EQ(loader, nullptr);
    exception_pending = Of(env)->BootClass(name) != nullptr;
    if (exception_pending) return nullptr;
    FakeClass *klass = Of(env)->AddClass("L" + std::string(name) + ";");
    klass->bytes.assign(reinterpret_cast<const char *>(bytes), static_cast<size_t>(len));
    return static_cast<jclass>(NewLocal(Of(env), klass));
  }

  // A static or a native method; nullptr with an exception for one that is not there.
  static FakeMethod *Find(FakeJvm *jvm, FakeClass *klass, const std::string &name,
                          const std::string &descriptor) {
    FakeMethod *method = jvm->Method(klass, name, descriptor);
    bool has = klass->bytes.find(name) != std::string::npos &&
               klass->bytes.find(descriptor) != std::string::npos;
    if (method == nullptr && has) {
      method = jvm->AddMethod(klass, name, descriptor);
      method->native = true;
    }
    exception_pending = method == nullptr;
    return method;
  }

  static jmethodID GetStaticMethodID(JNIEnv *env, jclass c, const char *name,
                                     const char *descriptor) {
    if (!BeginJni(Of(env), CALL_GetStaticMethodID)) return nullptr;
    return reinterpret_cast<jmethodID>(Find(Of(env), ClassOf(c), name, descriptor));
  }

  // What the method does is for FakeJvm::During.
  static void CallStaticVoidMethod(JNIEnv *env, jclass c, jmethodID method, ...) {
    EXPECT_EQ(MethodOf(method)->klass, ClassOf(c));
    BeginJni(Of(env), CALL_CallStaticVoidMethod);
  }

  static jboolean CallStaticBooleanMethod(JNIEnv *env, jclass c, jmethodID method, ...) {
    EXPECT_EQ(MethodOf(method)->klass, ClassOf(c));
    return BeginJni(Of(env), CALL_CallStaticBooleanMethod) && Of(env)->answer_;
  }

  static jint RegisterNatives(JNIEnv *env, jclass c, const JNINativeMethod *natives, jint n) {
    if (!BeginJni(Of(env), CALL_RegisterNatives)) return JNI_ERR;
    for (jint i = 0; i < n; i++) {
      FakeMethod *method = Find(Of(env), ClassOf(c), natives[i].name, natives[i].signature);
      exception_pending = method == nullptr || !method->native;
      if (exception_pending) return JNI_ERR;
      method->function = natives[i].fnPtr;
    }
    return JNI_OK;
  }
};

FakeJvm::FakeJvm() {
  auto *jvmti = new jvmtiInterface_1_;
  FillWithNotFaked(jvmti);
#define X(name) jvmti->name = FakeFunctions::name;
  FAKE_JVMTI_CALLS(X)
#undef X
  ti_.functions = jvmti;
  ti_.jvm = this;
  auto *jni = new JNINativeInterface_;
  FillWithNotFaked(jni);
#define X(name) jni->name = FakeFunctions::name;
  FAKE_JNI_CALLS(X)
#undef X
  jni_.functions = jni;
  jni_.jvm = this;
  thread_class_ = AddClass("Ljava/lang/Thread;", 0, "Thread.java");
}

FakeJvm::~FakeJvm() {
  JoinAgentThreads();
  EXPECT_EQ(NumLocalRefs(), 0) << "local references were not deleted";
  EXPECT_EQ(num_allocated_, 0) << "memory of the JVM was not given back";
  delete ti_.functions;
  delete jni_.functions;
}

FakeClass *FakeJvm::AddClass(const std::string &signature, jint hash, const std::string &source) {
  auto c = std::make_unique<FakeClass>();
  FakeClass *out = c.get();
  out->hash = NextHash(hash);
  out->signature = signature;
  out->source = source;
  std::lock_guard<std::recursive_mutex> lock(world_);
  classes_.push_back(out);
  objects_.push_back(std::move(c));
  return out;
}

FakeMethod *FakeJvm::AddMethod(FakeClass *klass, const std::string &name,
                               const std::string &descriptor,
                               std::vector<jvmtiLineNumberEntry> lines) {
  std::lock_guard<std::recursive_mutex> lock(world_);
  methods_.push_back(std::make_unique<FakeMethod>());
  FakeMethod *out = methods_.back().get();
  out->klass = klass;
  out->name = name;
  out->descriptor = descriptor;
  out->lines = std::move(lines);
  klass->methods.push_back(out);
  return out;
}

FakeField *FakeJvm::AddField(FakeClass *klass, const std::string &name,
                             const std::string &descriptor) {
  std::lock_guard<std::recursive_mutex> lock(world_);
  klass->fields_of_class.push_back({name, descriptor, 0});
  return &klass->fields_of_class.back();
}

FakeObject *FakeJvm::AddObject(FakeClass *klass, jint hash) {
  std::lock_guard<std::recursive_mutex> lock(world_);
  objects_.push_back(std::make_unique<FakeObject>());
  FakeObject *out = objects_.back().get();
  out->klass = klass;
  out->hash = NextHash(hash);
  return out;
}

FakeThread *FakeJvm::AddThread(const std::string &name, jint hash) {
  auto t = std::make_unique<FakeThread>();
  FakeThread *out = t.get();
  out->klass = thread_class_;
  out->hash = NextHash(hash);
  out->name = name;
  std::lock_guard<std::recursive_mutex> lock(world_);
  threads_.push_back(out);
  objects_.push_back(std::move(t));
  return out;
}

FakeClass *FakeJvm::BootClass(const std::string &name) {
  std::lock_guard<std::recursive_mutex> lock(world_);
  for (FakeClass *c : classes_) {
    if (c->loader == nullptr && c->signature == "L" + name + ";") return c;
  }
  return nullptr;
}

FakeMethod *FakeJvm::Method(FakeClass *klass, const std::string &name,
                            const std::string &descriptor) {
  std::lock_guard<std::recursive_mutex> lock(world_);
  for (FakeMethod *m : klass->methods) {
    if (m->name == name && m->descriptor == descriptor) return m;
  }
  return nullptr;
}

FakeField *FakeJvm::Field(FakeClass *klass, const std::string &name,
                          const std::string &descriptor) {
  std::lock_guard<std::recursive_mutex> lock(world_);
  for (FakeClass *c = klass; c != nullptr; c = c->super) {
    for (FakeField &f : c->fields_of_class) {
      if (f.name == name && f.descriptor == descriptor) return &f;
    }
  }
  return nullptr;
}

void FakeJvm::Throw() { exception_pending = true; }

void FakeJvm::Change(const std::function<void()> &act) {
  std::lock_guard<std::recursive_mutex> lock(world_);
  act();
}

void FakeJvm::Fail(FakeCall call, int times, jvmtiError error) {
  errors_[call] = error;
  failures_[call] = times;
}

void FakeJvm::FailAt(FakeCall call, int nth, jvmtiError error) {
  int at = calls_[call] + nth;
  during_[call] = [=] {
    if (calls_[call] == at) Fail(call, 1, error);
  };
}

void FakeJvm::JoinAgentThreads() {
  for (std::thread &t : agent_threads_) t.join();
  agent_threads_.clear();
}

FakeJvm::Running::Running(FakeThread *thread) : before_(current_thread) { current_thread = thread; }

FakeJvm::Running::~Running() { current_thread = before_; }
