#pragma once
// What the functions of the fake JVM have in common: the two tables of them are in fake_jvmti.cc
// and fake_jni.cc.
#include <stdlib.h>
#include <string.h>

#include <algorithm>

#include "gtest/gtest.h"
#include "tests/support/fake_jvm.h"

inline thread_local FakeThread *current_thread;
inline thread_local bool exception_pending;

inline FakeRef *RefOf(jobject o) { return reinterpret_cast<FakeRef *>(o); }

inline FakeObject *ObjectOf(jobject o) { return o == nullptr ? nullptr : RefOf(o)->object; }

inline FakeClass *ClassOf(jclass c) { return static_cast<FakeClass *>(ObjectOf(c)); }

inline FakeMethod *MethodOf(jmethodID m) { return reinterpret_cast<FakeMethod *>(m); }

// JVMTI takes NULL as the current thread.
inline FakeThread *ThreadOf(jthread t) {
  return t == nullptr ? current_thread : static_cast<FakeThread *>(ObjectOf(t));
}

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
    void *memory = nullptr; /* not by malloc: that may fail for the agent (scarce.h) */
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

// Set the functions that there are in a table.
void FakeJvmti(jvmtiInterface_1_ *table);
void FakeJni(JNINativeInterface_ *table);
