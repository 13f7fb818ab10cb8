#pragma once
/* The virtual thread that a carrier runs at the moment. GetAllStackTraces does not show it; HotSpot
   tells by a function of its own, an extension of JVMTI, from 21 on. */
#include <jvmti.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* All zero: nothing is ever mounted. */
struct mounted {
  jvmtiExtensionFunction get; /* (env, carrier, &virtual thread) */
  jclass carriers;            /* global reference, once there is such a thread */
  bool any;                   /* atomic: has a virtual thread begun? */
};

/* mounted_init looks for the function. Live phase. */
void mounted_init(struct mounted *m, jvmtiEnv *ti);

/* mounted_expect: a virtual thread has begun. Any thread. */
void mounted_expect(struct mounted *m);

/* mounted_on gives a local reference to what `thread` runs; NULL where it is no carrier, or idle.
   The sampler's thread. */
jthread mounted_on(struct mounted *m, jvmtiEnv *ti, JNIEnv *jni, jthread thread);

#ifdef __cplusplus
}
#endif
