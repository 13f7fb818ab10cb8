// The JNI functions of the fake JVM.
#include <stdarg.h>

#include "tests/support/fake_functions.h"

// Under the names that they have in the table.
struct FakeJniFunctions : FakeFunctions {
  // --- references ------------------------------------------------------------------

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

  // --- fields ----------------------------------------------------------------------

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

  // --- new Thread(name) ------------------------------------------------------------

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

  // --- classes of the agent's and their natives --------------------------------------

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

void FakeJni(JNINativeInterface_ *table) {
#define X(name) table->name = FakeJniFunctions::name;
  FAKE_JNI_CALLS(X)
#undef X
}
