// The JVMTI functions of the fake JVM.
#include "tests/support/fake_functions.h"

#include <algorithm>

// Each function has the name of its entry in the function table.
struct FakeJvmtiFunctions : FakeFunctions {
// The start of each function: defines `jvm`, and returns an error if the call must fail.
#define ENTER_CALL(name)                                              \
  FakeJvm *jvm = GetJvm(env);                                         \
  if (!EnterCall(jvm, CALL_##name)) return jvm->errors_[CALL_##name]; \
  static_assert(true)

  // --- memory, classes, methods --------------------------------------------------

  static jvmtiError Allocate(jvmtiEnv *env, jlong size, unsigned char **out) {
    ENTER_CALL(Allocate);
    *out = static_cast<unsigned char *>(NewMemory(jvm, static_cast<size_t>(size)));
    return JVMTI_ERROR_NONE;
  }

  static jvmtiError Deallocate(jvmtiEnv *env, unsigned char *memory) {
    ENTER_CALL(Deallocate);
    if (memory != nullptr) jvm->num_allocated_--;
    free(memory);
    return JVMTI_ERROR_NONE;
  }

  static jvmtiError GetSystemProperty(jvmtiEnv *env, const char *name, char **out) {
    ENTER_CALL(GetSystemProperty);
    if (strcmp(name, "java.vm.name") != 0) return JVMTI_ERROR_NOT_AVAILABLE;
    *out = NewText(jvm, jvm->vm_name);
    return JVMTI_ERROR_NONE;
  }

  static jvmtiError GetVersionNumber(jvmtiEnv *env, jint *out) {
    ENTER_CALL(GetVersionNumber);
    *out = jvm->version;
    return JVMTI_ERROR_NONE;
  }

  static jvmtiError GetClassSignature(jvmtiEnv *env, jclass c, char **out, char **out_generic) {
    ENTER_CALL(GetClassSignature);
    *out = NewText(jvm, GetClass(c)->signature);
    if (out_generic != nullptr) *out_generic = nullptr;
    return JVMTI_ERROR_NONE;
  }

  static jvmtiError GetSourceFileName(jvmtiEnv *env, jclass c, char **out) {
    ENTER_CALL(GetSourceFileName);
    if (GetClass(c)->source.empty()) return JVMTI_ERROR_ABSENT_INFORMATION;
    *out = NewText(jvm, GetClass(c)->source);
    return JVMTI_ERROR_NONE;
  }

  static jvmtiError GetClassLoader(jvmtiEnv *env, jclass c, jobject *out) {
    ENTER_CALL(GetClassLoader);
    *out = NewLocal(jvm, GetClass(c)->loader);
    return JVMTI_ERROR_NONE;
  }

  static jvmtiError GetClassStatus(jvmtiEnv *env, jclass c, jint *out) {
    ENTER_CALL(GetClassStatus);
    *out = GetClass(c)->prepared ? JVMTI_CLASS_STATUS_PREPARED : 0;
    return JVMTI_ERROR_NONE;
  }

  static jvmtiError GetClassMethods(jvmtiEnv *env, jclass c, jint *out_n, jmethodID **out) {
    ENTER_CALL(GetClassMethods);
    if (!GetClass(c)->prepared) return JVMTI_ERROR_CLASS_NOT_PREPARED;
    std::vector<jmethodID> ids;
    for (FakeMethod *m : GetClass(c)->methods) ids.push_back(m->Id());
    *out = NewList(jvm, ids);
    *out_n = static_cast<jint>(ids.size());
    return JVMTI_ERROR_NONE;
  }

  static jvmtiError GetLoadedClasses(jvmtiEnv *env, jint *out_n, jclass **out) {
    ENTER_CALL(GetLoadedClasses);
    std::lock_guard<std::recursive_mutex> lock(jvm->world_);
    std::vector<jclass> refs;
    for (FakeClass *c : jvm->classes_) {
      if (!c->unloaded) refs.push_back(static_cast<jclass>(NewLocal(jvm, c)));
    }
    *out = NewList(jvm, refs);
    *out_n = static_cast<jint>(refs.size());
    return JVMTI_ERROR_NONE;
  }

  static jvmtiError RetransformClasses(jvmtiEnv *env, jint n, const jclass *classes) {
    ENTER_CALL(RetransformClasses);
    std::vector<std::string> signatures;
    for (jint i = 0; i < n; i++) signatures.push_back(GetClass(classes[i])->signature);
    jvm->retransformed_.push_back(signatures);
    return JVMTI_ERROR_NONE;
  }

  static jvmtiError IsModifiableClass(jvmtiEnv *env, jclass c, jboolean *out) {
    ENTER_CALL(IsModifiableClass);
    *out = GetClass(c)->modifiable;
    return JVMTI_ERROR_NONE;
  }

  static jvmtiError IsMethodNative(jvmtiEnv *env, jmethodID m, jboolean *out) {
    ENTER_CALL(IsMethodNative);
    *out = GetMethod(m)->native;
    return JVMTI_ERROR_NONE;
  }

  static jvmtiError GetMethodDeclaringClass(jvmtiEnv *env, jmethodID m, jclass *out) {
    ENTER_CALL(GetMethodDeclaringClass);
    if (GetMethod(m)->unloaded) return JVMTI_ERROR_INVALID_METHODID;
    *out = static_cast<jclass>(NewLocal(jvm, GetMethod(m)->klass));
    return JVMTI_ERROR_NONE;
  }

  static jvmtiError GetMethodName(jvmtiEnv *env, jmethodID m, char **out_name,
                                  char **out_descriptor, char **out_generic) {
    ENTER_CALL(GetMethodName);
    if (GetMethod(m)->unloaded) return JVMTI_ERROR_INVALID_METHODID;
    *out_name = NewText(jvm, GetMethod(m)->name);
    if (out_descriptor != nullptr) *out_descriptor = NewText(jvm, GetMethod(m)->descriptor);
    if (out_generic != nullptr) *out_generic = nullptr;
    return JVMTI_ERROR_NONE;
  }

  static jvmtiError GetLineNumberTable(jvmtiEnv *env, jmethodID m, jint *out_n,
                                       jvmtiLineNumberEntry **out) {
    ENTER_CALL(GetLineNumberTable);
    if (GetMethod(m)->unloaded) return JVMTI_ERROR_INVALID_METHODID;
    if (GetMethod(m)->lines.empty()) return JVMTI_ERROR_ABSENT_INFORMATION;
    *out = NewList(jvm, GetMethod(m)->lines);
    *out_n = static_cast<jint>(GetMethod(m)->lines.size());
    return JVMTI_ERROR_NONE;
  }

  static jvmtiError GetBytecodes(jvmtiEnv *env, jmethodID m, jint *out_n, unsigned char **out) {
    ENTER_CALL(GetBytecodes);
    if (GetMethod(m)->native) return JVMTI_ERROR_NATIVE_METHOD;
    *out = NewList(jvm, GetMethod(m)->bytecodes);
    *out_n = static_cast<jint>(GetMethod(m)->bytecodes.size());
    return JVMTI_ERROR_NONE;
  }

  static jvmtiError IsMethodObsolete(jvmtiEnv *env, jmethodID m, jboolean *out) {
    ENTER_CALL(IsMethodObsolete);
    *out = GetMethod(m)->obsolete;
    return JVMTI_ERROR_NONE;
  }

  static jvmtiError GetConstantPool(jvmtiEnv *env, jclass c, jint *out_n, jint *out_len,
                                    unsigned char **out) {
    ENTER_CALL(GetConstantPool);
    const std::string &pool = GetClass(c)->pool;
    *out_n = GetClass(c)->pool_count;
    *out = NewList(jvm, std::vector<unsigned char>(pool.begin(), pool.end()));
    *out_len = static_cast<jint>(pool.size());
    return JVMTI_ERROR_NONE;
  }

  // --- objects -------------------------------------------------------------------

  static jvmtiError GetObjectHashCode(jvmtiEnv *env, jobject o, jint *out) {
    ENTER_CALL(GetObjectHashCode);
    *out = GetObject(o)->hash;
    return JVMTI_ERROR_NONE;
  }

  static jvmtiError GetTag(jvmtiEnv *env, jobject o, jlong *out) {
    ENTER_CALL(GetTag);
    *out = GetObject(o)->tag.load(std::memory_order_relaxed);
    return JVMTI_ERROR_NONE;
  }

  static jvmtiError SetTag(jvmtiEnv *env, jobject o, jlong tag) {
    ENTER_CALL(SetTag);
    GetObject(o)->tag.store(tag, std::memory_order_relaxed);
    return JVMTI_ERROR_NONE;
  }

  static jvmtiError GetObjectMonitorUsage(jvmtiEnv *env, jobject o, jvmtiMonitorUsage *out) {
    ENTER_CALL(GetObjectMonitorUsage);
    FakeObject *object = GetObject(o);
    if (object == nullptr) return JVMTI_ERROR_INVALID_OBJECT;
    *out = {};
    FakeThread *owner = object->owner;
    std::vector<jthread> waiters = {NewLocal(jvm, object), NewLocal(jvm, object)};
    out->owner = NewLocal(jvm, owner);
    out->entry_count = owner != nullptr;
    out->waiter_count = 2; /* any two threads: the agent must delete their references */
    out->waiters = NewList(jvm, waiters);
    out->notify_waiter_count = 0;
    out->notify_waiters = NewList<jthread>(jvm, {});
    return JVMTI_ERROR_NONE;
  }

  // --- threads -------------------------------------------------------------------

  static jvmtiError GetCurrentThread(jvmtiEnv *env, jthread *out) {
    ENTER_CALL(GetCurrentThread);
    *out = NewLocal(jvm, current_thread);
    return JVMTI_ERROR_NONE;
  }

  static jvmtiError GetAllThreads(jvmtiEnv *env, jint *out_n, jthread **out) {
    ENTER_CALL(GetAllThreads);
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
    ENTER_CALL(GetThreadInfo);
    *out = {};
    out->name = NewText(jvm, GetThread(t)->name);
    out->thread_group = NewLocal(jvm, jvm->thread_class_); /* any object */
    out->context_class_loader = NewLocal(jvm, jvm->thread_class_);
    return JVMTI_ERROR_NONE;
  }

  static jvmtiError GetThreadLocalStorage(jvmtiEnv *env, jthread t, void **out) {
    ENTER_CALL(GetThreadLocalStorage);
    *out = GetThread(t)->storage.load(std::memory_order_acquire);
    return JVMTI_ERROR_NONE;
  }

  static jvmtiError SetThreadLocalStorage(jvmtiEnv *env, jthread t, const void *data) {
    ENTER_CALL(SetThreadLocalStorage);
    std::lock_guard<std::recursive_mutex> lock(jvm->world_);
    if (!GetThread(t)->alive) return JVMTI_ERROR_THREAD_NOT_ALIVE;
    GetThread(t)->storage.store(const_cast<void *>(data), std::memory_order_release);
    return JVMTI_ERROR_NONE;
  }

  static jvmtiError GetThreadCpuTime(jvmtiEnv *env, jthread t, jlong *out) {
    ENTER_CALL(GetThreadCpuTime);
    std::lock_guard<std::recursive_mutex> lock(jvm->world_);
    *out = GetThread(t)->cpu_ns;
    return JVMTI_ERROR_NONE;
  }

  static jvmtiError GetCurrentThreadCpuTime(jvmtiEnv *env, jlong *out) {
    ENTER_CALL(GetCurrentThreadCpuTime);
    *out = current_thread->cpu_ns;
    return JVMTI_ERROR_NONE;
  }

  static jvmtiError GetThreadState(jvmtiEnv *env, jthread t, jint *out) {
    ENTER_CALL(GetThreadState);
    std::lock_guard<std::recursive_mutex> lock(jvm->world_);
    *out = GetThread(t)->state;
    return JVMTI_ERROR_NONE;
  }

  static jvmtiError GetStackTrace(jvmtiEnv *env, jthread t, jint start, jint max,
                                  jvmtiFrameInfo *out, jint *out_n) {
    ENTER_CALL(GetStackTrace);
    /* No lock for the own stack: only the thread itself changes it. */
    std::unique_lock<std::recursive_mutex> lock(jvm->world_, std::defer_lock);
    if (t != nullptr) lock.lock();
    const std::vector<jvmtiFrameInfo> &frames = GetThread(t)->frames;
    size_t from = static_cast<size_t>(start);
    if (from > 0 && from >= frames.size()) return JVMTI_ERROR_ILLEGAL_ARGUMENT;
    size_t n = std::min(frames.size() - from, static_cast<size_t>(max));
    std::copy_n(frames.begin() + start, n, out);
    *out_n = static_cast<jint>(n);
    return JVMTI_ERROR_NONE;
  }

  static jvmtiError GetFrameCount(jvmtiEnv *env, jthread t, jint *out) {
    ENTER_CALL(GetFrameCount);
    std::lock_guard<std::recursive_mutex> lock(jvm->world_);
    *out = static_cast<jint>(GetThread(t)->frames.size());
    return JVMTI_ERROR_NONE;
  }

  static jvmtiError GetOwnedMonitorStackDepthInfo(jvmtiEnv *env, jthread t, jint *out_n,
                                                  jvmtiMonitorStackDepthInfo **out) {
    ENTER_CALL(GetOwnedMonitorStackDepthInfo);
    std::lock_guard<std::recursive_mutex> lock(jvm->world_);
    std::vector<jvmtiMonitorStackDepthInfo> held;
    for (const auto &monitor : GetThread(t)->held) {
      held.push_back({NewLocal(jvm, monitor.first), monitor.second});
    }
    *out = NewList(jvm, held);
    *out_n = static_cast<jint>(held.size());
    return JVMTI_ERROR_NONE;
  }

  static jvmtiError GetLocalInstance(jvmtiEnv *env, jthread t, jint depth, jobject *out) {
    ENTER_CALL(GetLocalInstance);
    EXPECT_EQ(depth, 0);
    if (GetThread(t)->self_on_top == nullptr) return JVMTI_ERROR_INVALID_SLOT;
    *out = NewLocal(jvm, GetThread(t)->self_on_top);
    return JVMTI_ERROR_NONE;
  }

  static jvmtiError GetLocalObject(jvmtiEnv *env, jthread t, jint depth, jint slot, jobject *out) {
    ENTER_CALL(GetLocalObject);
    EXPECT_EQ(depth, 0);
    EXPECT_TRUE(slot == 0 || slot == 1);
    FakeThread *thread = GetThread(t);
    *out = NewLocal(jvm, slot == 0 ? thread->first_on_top : thread->second_on_top);
    return JVMTI_ERROR_NONE;
  }

  // The specification requires one block of memory for the infos and all frames.
  static jvmtiError GetAllStackTraces(jvmtiEnv *env, jint max, jvmtiStackInfo **out, jint *out_n) {
    ENTER_CALL(GetAllStackTraces);
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
    ENTER_CALL(RunAgentThread);
    FakeThread *thread = GetThread(t);
    std::lock_guard<std::recursive_mutex> lock(jvm->world_);
    thread->alive = true;
    jvm->agent_threads_.emplace_back([=] {
      FakeJvm::Running running(thread);
      run(jvm->Ti(), jvm->Jni(), const_cast<void *>(arg));
      if (jvm->before_end_) jvm->before_end_();
      std::lock_guard<std::recursive_mutex> end(jvm->world_);
      thread->alive = false;
    });
    return JVMTI_ERROR_NONE;
  }

  static jvmtiError SetEventNotificationMode(jvmtiEnv *env, jvmtiEventMode mode, jvmtiEvent event,
                                             jthread thread, ...) {
    ENTER_CALL(SetEventNotificationMode);
    EXPECT_EQ(thread, nullptr);
    jvm->enabled_[event] = mode == JVMTI_ENABLE;
    return JVMTI_ERROR_NONE;
  }

  // --- extensions ------------------------------------------------------------------

  // The arguments after `env` are: jthread carrier, jthread *virtual_thread.
  static jvmtiError GetVirtualThread(jvmtiEnv *env, ...) {
    ENTER_CALL(GetVirtualThread);
    va_list args;
    va_start(args, env);
    FakeThread *carrier = GetThread(va_arg(args, jthread));
    jthread *out = va_arg(args, jthread *);
    va_end(args);
    std::lock_guard<std::recursive_mutex> lock(jvm->world_);
    *out = NewLocal(jvm, carrier->mounted);
    return JVMTI_ERROR_NONE;
  }

  static jvmtiError NoFunction(jvmtiEnv *, ...) {
    ADD_FAILURE() << "the agent calls an extension function that it does not need";
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
    ENTER_CALL(GetExtensionFunctions);
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
#undef ENTER_CALL
};

void SetJvmtiFunctions(jvmtiInterface_1_ *table) {
#define X(name) table->name = FakeJvmtiFunctions::name;
  FAKE_JVMTI_CALLS(X)
#undef X
}
