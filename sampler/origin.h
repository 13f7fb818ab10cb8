#pragma once
/* Whether a kernel thread was made for its Java thread. If so, all of its CPU time belongs to the
   Java thread. Otherwise the kernel thread is older, and became a Java thread later: a native
   thread that attached to the JVM, or the main thread as DestroyJavaVM. */
#include <jvmti.h>
#include <stdbool.h>

#include "agent/base/extern_c.h"

BEGIN_C

/* The fields hold what a thread runs; NULL: this JDK does not have the field. */
struct origin {
  jclass thread;         /* java.lang.Thread: a global reference that is never deleted */
  jfieldID target;       /* Thread.target, before JDK 19 */
  jfieldID holder, task; /* Thread.holder.task, since JDK 19 */
  bool is_ready;         /* the fields are looked up; atomic */
};

/* origin_init finds the class and the fields in its first call. Live phase; not twice at once. */
void origin_init(struct origin *o, JNIEnv *jni);

/* origin_is_java returns true if the kernel thread of the current thread, which is just starting as
   the platform thread `thread`, was made for it. Called once in each start of a thread. It calls
   the JVM only if the CPU clock shows 5 ms or more. */
bool origin_is_java(const struct origin *o, JNIEnv *jni, jthread thread);

END_C
