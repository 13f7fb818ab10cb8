#pragma once
/* Which JVM this is, and calls of JNI and JVMTI that several folders make in the same way. Each
   function may be called by any thread that is attached to the JVM. */
#include <jvmti.h>
#include <stdbool.h>
#include <stddef.h>

#include "agent/base/extern_c.h"

BEGIN_C

/* jvm_clear_exception clears the pending exception. Returns whether there was one. */
bool jvm_clear_exception(JNIEnv *jni);

/* jvm_reserve_references makes room for `n` local references, for example those that a function of
   JVMTI has returned: -Xcheck:jni warns if there are more of them than were reserved. */
void jvm_reserve_references(JNIEnv *jni, jint n);

/* jvm_define_class defines a class in the boot loader, or finds it if it is defined already.
   Returns a local reference, NULL if the JVM refuses. No exception is pending afterwards. */
jclass jvm_define_class(JNIEnv *jni, const char *name, const unsigned char *bytes, size_t len);

/* jvm_is_alive returns whether the JVM still runs `thread`: it has started, and has not ended. A
   thread that has ended is no longer among the threads that JVMTI lists. If the JVM refuses to
   answer, the thread counts as alive. Calls Java. Live phase; no exception may be pending. */
bool jvm_is_alive(JNIEnv *jni, jthread thread);

/* jvm_is_program_class returns whether a class is code of the program. Code that the boot loader
   loaded counts as code of the JDK. jvm_is_program_method is about the class of a method; false if
   the class is not known. */
bool jvm_is_program_class(jvmtiEnv *ti, JNIEnv *jni, jclass klass);
bool jvm_is_program_method(jvmtiEnv *ti, JNIEnv *jni, jmethodID method);

/* jvm_is_supported returns whether Orca knows this JVM: it is none of product.def. Otherwise
   `error` contains one sentence. A JVM that does not tell its name is supported. May be called in
   Agent_OnLoad. */
bool jvm_is_supported(jvmtiEnv *ti, char *error, size_t error_size);

END_C
