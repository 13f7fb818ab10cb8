// The JNI functions of the fake JVM.
#include <stdarg.h>

#include "tests/support/fake_functions.h"

#include <algorithm>

// Each function has the name of its entry in the function table.
struct FakeJniFunctions : FakeFunctions {
  // --- references ------------------------------------------------------------------

  static void DeleteLocalRef(JNIEnv *env, jobject o) {
    GetJvm(env)->calls_[CALL_DeleteLocalRef]++; /* also allowed while an exception is pending */
    DeleteRef(GetJvm(env), FakeRef::kLocal, o);
  }

  static void DeleteWeakGlobalRef(JNIEnv *env, jweak o) {
    GetJvm(env)->calls_[CALL_DeleteWeakGlobalRef]++;
    DeleteRef(GetJvm(env), FakeRef::kWeak, o);
  }

  static jobject NewLocalRef(JNIEnv *env, jobject o) {
    if (!EnterJniCall(GetJvm(env), CALL_NewLocalRef)) return nullptr;
    FakeObject *object = GetObject(o);
    if (object == nullptr || object->collected) return nullptr;
    return NewLocal(GetJvm(env), object);
  }

  static jobject NewGlobalRef(JNIEnv *env, jobject o) {
    ExpectNoException();
    if (!EnterCall(GetJvm(env), CALL_NewGlobalRef)) return nullptr; /* without an exception */
    /* Not counted, since the agent never deletes some of its global references. */
    return GetObject(o)->Ref();
  }

  static void DeleteGlobalRef(JNIEnv *env, jobject) { GetJvm(env)->calls_[CALL_DeleteGlobalRef]++; }

  static jweak NewWeakGlobalRef(JNIEnv *env, jobject o) {
    if (!EnterJniCall(GetJvm(env), CALL_NewWeakGlobalRef)) return nullptr;
    return NewRef(GetJvm(env), FakeRef::kWeak, GetObject(o));
  }

  static jint GetVersion(JNIEnv *env) {
    if (!EnterJniCall(GetJvm(env), CALL_GetVersion)) return JNI_ERR;
    return GetJvm(env)->has_virtual_ ? 0x00150000 : JNI_VERSION_10;
  }

  static jboolean IsVirtualThread(JNIEnv *, jobject thread) {
    ExpectNoException();
    return GetThread(thread)->is_virtual;
  }

  static jint EnsureLocalCapacity(JNIEnv *env, jint) {
    return EnterJniCall(GetJvm(env), CALL_EnsureLocalCapacity) ? 0 : -1;
  }

  // Returns nullptr for a weak reference to an object that was collected.
  static FakeObject *GetLiving(jobject o) {
    FakeObject *object = GetObject(o);
    bool is_cleared = object != nullptr && GetRef(o)->kind == FakeRef::kWeak && object->collected;
    return is_cleared ? nullptr : object;
  }

  static jboolean IsSameObject(JNIEnv *env, jobject a, jobject b) {
    EnterJniCall(GetJvm(env), CALL_IsSameObject);
    return GetLiving(a) == GetLiving(b);
  }

  static jclass GetObjectClass(JNIEnv *env, jobject o) {
    if (!EnterJniCall(GetJvm(env), CALL_GetObjectClass)) return nullptr;
    return static_cast<jclass>(NewLocal(GetJvm(env), GetObject(o)->klass));
  }

  static jboolean IsInstanceOf(JNIEnv *env, jobject o, jclass c) {
    EnterJniCall(GetJvm(env), CALL_IsInstanceOf);
    FakeClass *klass = GetObject(o)->klass;
    while (klass != nullptr && klass != GetClass(c)) klass = klass->super;
    return klass != nullptr;
  }

  static jint PushLocalFrame(JNIEnv *env, jint) {
    if (!EnterJniCall(GetJvm(env), CALL_PushLocalFrame)) return JNI_ENOMEM;
    local_frames.emplace_back();
    return JNI_OK;
  }

  static jobject PopLocalFrame(JNIEnv *env, jobject result) {
    GetJvm(env)->calls_[CALL_PopLocalFrame]++; /* also allowed while an exception is pending */
    EXPECT_EQ(result, nullptr);
    std::vector<jobject> refs = local_frames.back();
    local_frames.pop_back();
    for (jobject ref : refs) DeleteRef(GetJvm(env), FakeRef::kLocal, ref);
    return nullptr;
  }

  // --- arrays and strings ------------------------------------------------------------

  static jsize GetArrayLength(JNIEnv *env, jarray array) {
    EnterJniCall(GetJvm(env), CALL_GetArrayLength);
    return static_cast<jsize>(
        std::max(GetObject(array)->items.size(), GetObject(array)->numbers.size()));
  }

  static jobject GetObjectArrayElement(JNIEnv *env, jobjectArray array, jsize at) {
    if (!EnterJniCall(GetJvm(env), CALL_GetObjectArrayElement)) return nullptr;
    return NewLocal(GetJvm(env), GetObject(array)->items.at(static_cast<size_t>(at)));
  }

  static void GetIntArrayRegion(JNIEnv *env, jintArray array, jsize from, jsize n, jint *out) {
    if (!EnterJniCall(GetJvm(env), CALL_GetIntArrayRegion)) return;
    for (jsize i = 0; i < n; i++) {
      out[i] = GetObject(array)->numbers.at(static_cast<size_t>(from + i));
    }
  }

  static const char *GetStringUTFChars(JNIEnv *env, jstring s, jboolean *) {
    if (!EnterJniCall(GetJvm(env), CALL_GetStringUTFChars)) return nullptr;
    return NewText(GetJvm(env), GetObject(s)->text);
  }

  static void ReleaseStringUTFChars(JNIEnv *env, jstring, const char *text) {
    GetJvm(env)->calls_[CALL_ReleaseStringUTFChars]++;
    GetJvm(env)->num_allocated_--;
    free(const_cast<char *>(text));
  }

  // --- fields ----------------------------------------------------------------------

  static FakeField *GetField(jfieldID field) { return reinterpret_cast<FakeField *>(field); }

  // A class of DefineClass has each field whose name its bytes contain.
  static jfieldID FindField(FakeJvm *jvm, FakeClass *klass, const char *name,
                            const char *descriptor) {
    FakeField *field = jvm->Field(klass, name, descriptor);
    if (field == nullptr && klass->bytes.find(name) != std::string::npos) {
      field = jvm->AddField(klass, name, descriptor);
    }
    exception_pending = field == nullptr;
    return reinterpret_cast<jfieldID>(field);
  }

  static jfieldID GetFieldID(JNIEnv *env, jclass c, const char *name, const char *descriptor) {
    if (!EnterJniCall(GetJvm(env), CALL_GetFieldID)) return nullptr;
    return FindField(GetJvm(env), GetClass(c), name, descriptor);
  }

  static jobject GetObjectField(JNIEnv *env, jobject o, jfieldID field) {
    if (!EnterJniCall(GetJvm(env), CALL_GetObjectField)) return nullptr;
    std::lock_guard<std::recursive_mutex> lock(GetJvm(env)->world_);
    auto value = GetObject(o)->fields.find(GetField(field));
    return value == GetObject(o)->fields.end() ? nullptr : NewLocal(GetJvm(env), value->second);
  }

  static jlong ReadNumber(JNIEnv *env, FakeCall call, jobject o, jfieldID field) {
    if (!EnterJniCall(GetJvm(env), call)) return 0;
    auto value = GetObject(o)->values.find(GetField(field));
    return value == GetObject(o)->values.end() ? 0 : value->second;
  }
  static jint GetIntField(JNIEnv *env, jobject o, jfieldID field) {
    return static_cast<jint>(ReadNumber(env, CALL_GetIntField, o, field));
  }
  static jlong GetLongField(JNIEnv *env, jobject o, jfieldID field) {
    return ReadNumber(env, CALL_GetLongField, o, field);
  }

  static jfieldID GetStaticFieldID(JNIEnv *env, jclass c, const char *name,
                                   const char *descriptor) {
    if (!EnterJniCall(GetJvm(env), CALL_GetStaticFieldID)) return nullptr;
    return FindField(GetJvm(env), GetClass(c), name, descriptor);
  }

  static void SetStaticBooleanField(JNIEnv *env, jclass, jfieldID field, jboolean value) {
    if (EnterJniCall(GetJvm(env), CALL_SetStaticBooleanField)) GetField(field)->value = value;
  }

  static void SetStaticLongField(JNIEnv *env, jclass, jfieldID field, jlong value) {
    if (EnterJniCall(GetJvm(env), CALL_SetStaticLongField)) GetField(field)->value = value;
  }

  // --- new Thread(name) ------------------------------------------------------------

  static jboolean ExceptionCheck(JNIEnv *env) {
    GetJvm(env)->calls_[CALL_ExceptionCheck]++;
    return exception_pending;
  }

  static void ExceptionClear(JNIEnv *env) {
    GetJvm(env)->calls_[CALL_ExceptionClear]++;
    exception_pending = false;
  }

  static jclass FindClass(JNIEnv *env, const char *name) {
    if (!EnterJniCall(GetJvm(env), CALL_FindClass)) return nullptr;
    FakeClass *klass = GetJvm(env)->BootClass(name);
    exception_pending = klass == nullptr;
    return klass == nullptr ? nullptr : reinterpret_cast<jclass>(&klass->found);
  }

  static jmethodID GetIsAlive(FakeJvm *jvm) {
    return reinterpret_cast<jmethodID>(&jvm->thread_class_);
  }

  // Every class has the constructor and isAlive of java.lang.Thread.
  static jmethodID GetMethodID(JNIEnv *env, jclass ref, const char *name, const char *descriptor) {
    FakeJvm *jvm = GetJvm(env);
    if (!EnterJniCall(jvm, CALL_GetMethodID)) return nullptr;
    if (std::string(name) + descriptor == "<init>(Ljava/lang/String;)V") {
      return reinterpret_cast<jmethodID>(jvm->thread_class_);
    }
    if (std::string(name) + descriptor == "isAlive()Z") return GetIsAlive(jvm);
    for (auto *klass = static_cast<FakeClass *>(GetObject(ref)); klass != nullptr;
         klass = klass->super) {
      FakeMethod *method = jvm->Method(klass, name, descriptor);
      if (method != nullptr) return method->Id();
    }
    exception_pending = true;
    return nullptr;
  }

  static jstring NewStringUTF(JNIEnv *env, const char *text) {
    if (!EnterJniCall(GetJvm(env), CALL_NewStringUTF)) return nullptr;
    FakeObject *string = GetJvm(env)->AddObject(GetJvm(env)->thread_class_);
    string->text = text;
    return static_cast<jstring>(string->Ref());
  }

  static jobject NewObject(JNIEnv *env, jclass, jmethodID init, ...) {
    if (!EnterJniCall(GetJvm(env), CALL_NewObject)) return nullptr;
    va_list args;
    va_start(args, init);
    FakeThread *thread = GetJvm(env)->AddThread(GetObject(va_arg(args, jobject))->text);
    va_end(args);
    thread->alive = false; /* not started yet */
    return thread->Ref();
  }

  // Only Thread.isAlive.
  static jboolean CallBooleanMethod(JNIEnv *env, jobject o, jmethodID method, ...) {
    FakeJvm *jvm = GetJvm(env);
    EXPECT_EQ(method, GetIsAlive(jvm));
    if (!EnterJniCall(jvm, CALL_CallBooleanMethod)) return JNI_FALSE;
    std::lock_guard<std::recursive_mutex> lock(jvm->world_);
    return GetThread(o)->alive;
  }

  // --- classes of the agent and their native methods ----------------------------------

  static jclass DefineClass(JNIEnv *env, const char *name, jobject loader, const jbyte *bytes,
                            jsize len) {
    if (!EnterJniCall(GetJvm(env), CALL_DefineClass)) return nullptr;
    EXPECT_EQ(loader, nullptr);
    exception_pending = GetJvm(env)->BootClass(name) != nullptr;
    if (exception_pending) return nullptr;
    FakeClass *klass = GetJvm(env)->AddClass("L" + std::string(name) + ";");
    klass->bytes.assign(reinterpret_cast<const char *>(bytes), static_cast<size_t>(len));
    return static_cast<jclass>(NewLocal(GetJvm(env), klass));
  }

  // Returns a static or native method; nullptr with a pending exception if the class does not have
  // it. A class of DefineClass has each method whose name and descriptor its bytes contain.
  static FakeMethod *FindMethod(FakeJvm *jvm, FakeClass *klass, const std::string &name,
                                const std::string &descriptor) {
    FakeMethod *method = jvm->Method(klass, name, descriptor);
    bool is_in_bytes = klass->bytes.find(name) != std::string::npos &&
                       klass->bytes.find(descriptor) != std::string::npos;
    if (method == nullptr && is_in_bytes) {
      method = jvm->AddMethod(klass, name, descriptor);
      method->native = true;
    }
    exception_pending = method == nullptr;
    return method;
  }

  static jmethodID GetStaticMethodID(JNIEnv *env, jclass c, const char *name,
                                     const char *descriptor) {
    if (!EnterJniCall(GetJvm(env), CALL_GetStaticMethodID)) return nullptr;
    return reinterpret_cast<jmethodID>(FindMethod(GetJvm(env), GetClass(c), name, descriptor));
  }

  // A test sets the effect of the method with FakeJvm::During.
  static void CallStaticVoidMethod(JNIEnv *env, jclass c, jmethodID method, ...) {
    EXPECT_EQ(GetMethod(method)->klass, GetClass(c));
    EnterJniCall(GetJvm(env), CALL_CallStaticVoidMethod);
  }

  static jboolean CallStaticBooleanMethod(JNIEnv *env, jclass c, jmethodID method, ...) {
    EXPECT_EQ(GetMethod(method)->klass, GetClass(c));
    return EnterJniCall(GetJvm(env), CALL_CallStaticBooleanMethod) && GetJvm(env)->answer_;
  }

  static jobject CallStaticObjectMethod(JNIEnv *env, jclass c, jmethodID method, ...) {
    EXPECT_EQ(GetMethod(method)->klass, GetClass(c));
    if (!EnterJniCall(GetJvm(env), CALL_CallStaticObjectMethod)) return nullptr;
    va_list args;
    va_start(args, method);
    bool takes_object = GetMethod(method)->descriptor[1] == 'L';
    FakeObject *first = takes_object ? GetObject(va_arg(args, jobject)) : nullptr;
    va_end(args);
    if (!GetJvm(env)->answer_object_) return nullptr;
    return NewLocal(GetJvm(env), GetJvm(env)->answer_object_(*GetMethod(method), first));
  }

  static jint RegisterNatives(JNIEnv *env, jclass c, const JNINativeMethod *natives, jint n) {
    if (!EnterJniCall(GetJvm(env), CALL_RegisterNatives)) return JNI_ERR;
    for (jint i = 0; i < n; i++) {
      FakeMethod *method =
          FindMethod(GetJvm(env), GetClass(c), natives[i].name, natives[i].signature);
      exception_pending = method == nullptr || !method->native;
      if (exception_pending) return JNI_ERR;
      method->function = natives[i].fnPtr;
    }
    return JNI_OK;
  }
};

void SetJniFunctions(JNINativeInterface_ *table) {
  /* Function 234: older headers do not have its name. */
  auto is_virtual = FakeJniFunctions::IsVirtualThread;
  memcpy(reinterpret_cast<char *>(table) + 234 * sizeof is_virtual, &is_virtual, sizeof is_virtual);
#define X(name) table->name = FakeJniFunctions::name;
  FAKE_JNI_CALLS(X)
#undef X
}
