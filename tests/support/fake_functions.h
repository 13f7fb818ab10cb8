#pragma once
// Shared code of the fake JVM's functions, which are in fake_jvmti.cc and fake_jni.cc.
#include <stdlib.h>
#include <string.h>

#include <algorithm>

#include "gtest/gtest.h"
#include "tests/support/fake_jvm.h"

inline thread_local FakeThread *current_thread;
inline thread_local bool exception_pending;
inline thread_local std::vector<std::vector<jobject>> local_frames;  // of PushLocalFrame

inline FakeRef *GetRef(jobject o) { return reinterpret_cast<FakeRef *>(o); }

inline FakeObject *GetObject(jobject o) { return o == nullptr ? nullptr : GetRef(o)->object; }

inline FakeClass *GetClass(jclass c) { return static_cast<FakeClass *>(GetObject(c)); }

inline FakeMethod *GetMethod(jmethodID m) { return reinterpret_cast<FakeMethod *>(m); }

// JVMTI accepts NULL for the current thread.
inline FakeThread *GetThread(jthread t) {
  return t == nullptr ? current_thread : static_cast<FakeThread *>(GetObject(t));
}

struct FakeFunctions {
  static FakeJvm *GetJvm(jvmtiEnv *ti) { return static_cast<FakeJvm::TiEnv *>(ti)->jvm; }
  static FakeJvm *GetJvm(JNIEnv *jni) { return static_cast<FakeJvm::JniEnv *>(jni)->jvm; }

  // Counts a call and runs the function of FakeJvm::During. Returns false if the call must fail.
  static bool EnterCall(FakeJvm *jvm, FakeCall call) {
    jvm->calls_[call]++;
    if (jvm->during_[call]) jvm->during_[call]();
    if (jvm->failures_[call] <= 0) return true;
    jvm->failures_[call]--;
    return false;
  }

  static void ExpectNoException() {
    if (exception_pending)
      ADD_FAILURE() << "a JNI function is called while an exception is pending";
  }

  static bool EnterJniCall(FakeJvm *jvm, FakeCall call) {
    ExpectNoException();
    exception_pending = !EnterCall(jvm, call);
    return !exception_pending;
  }

  static jobject NewRef(FakeJvm *jvm, FakeRef::Kind kind, FakeObject *object) {
    jvm->num_refs_[kind]++;
    return reinterpret_cast<jobject>(new FakeRef{kind, object});
  }

  static jobject NewLocal(FakeJvm *jvm, FakeObject *object) {
    if (object == nullptr) return nullptr;
    jobject ref = NewRef(jvm, FakeRef::kLocal, object);
    if (!local_frames.empty()) local_frames.back().push_back(ref);
    return ref;
  }

  static void DeleteRef(FakeJvm *jvm, FakeRef::Kind kind, jobject o) {
    if (o == nullptr || (kind == FakeRef::kLocal && GetRef(o)->kind == FakeRef::kFound)) return;
    if (GetRef(o)->kind != kind) {
      ADD_FAILURE() << "a JNI reference is deleted as another kind of reference";
      return;
    }
    jvm->num_refs_[kind]--;
    for (std::vector<jobject> &frame : local_frames) {
      frame.erase(std::remove(frame.begin(), frame.end(), o), frame.end());
    }
    delete GetRef(o);
  }

  static void *NewMemory(FakeJvm *jvm, size_t size) {
    jvm->num_allocated_++;
    void *memory = nullptr; /* not with malloc, which a test may let fail (scarce.h) */
    EXPECT_EQ(posix_memalign(&memory, 16, size == 0 ? 1 : size), 0);
    return memory;
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
};

// These functions set the entries of all functions that the fake JVM has.
void SetJvmtiFunctions(jvmtiInterface_1_ *table);
void SetJniFunctions(JNINativeInterface_ *table);
