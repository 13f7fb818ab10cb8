#pragma once
/* Which class a thread waits for, and which thread initializes that. The JVM shows a thread that
   waits until another thread has initialized a class as runnable, and no event of JVMTI tells. This
   asks HotSpot's own data (agent/hotspot/class_state.h) about a thread that is runnable, has used
   no CPU time for a while, and is blocked inside the JVM. */
#include <jvmti.h>
#include <stdbool.h>
#include <stdint.h>

#include "agent/base/extern_c.h"
#include "agent/hotspot/class_state.h"

BEGIN_C

/* Initially all zero. The functions run on the sampler's thread. */
struct class_waits {
  bool is_open;
  struct class_states states;
};

/* class_waits_open prepares it. If this JVM does not tell, class_waits_find finds nothing. */
void class_waits_open(struct class_waits *w, jvmtiEnv *ti, JNIEnv *jni);
void class_waits_close(struct class_waits *w, JNIEnv *jni);

/* Local references; the caller deletes them. */
struct class_wait {
  jclass klass;
  jthread initializer; /* a platform thread */
};

/* class_waits_find returns whether `thread` waits for another thread to initialize a class, and
   then sets `*out`. `platform` is the platform thread that runs it: its carrier, or itself. It is
   certain if the thread has not run between two calls. Takes milliseconds if many classes are
   loaded. */
bool class_waits_find(const struct class_waits *w, jvmtiEnv *ti, JNIEnv *jni, jthread thread,
                      jthread platform, struct class_wait *out);

END_C
