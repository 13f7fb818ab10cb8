#pragma once
/* The virtual thread that a carrier runs at the moment. GetAllStackTraces does not show it; HotSpot
   tells by a function of its own, an extension of JVMTI, from 21 on. */
#include <jvmti.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* All zero: nothing is ever mounted. */
struct carriers {
  jvmtiExtensionFunction get; /* (env, carrier, &virtual thread) */
  jclass carriers;            /* global reference, once there is such a thread */
  bool any;                   /* atomic: has a virtual thread begun? */
};

/* carriers_init looks for the function. Live phase. */
void carriers_init(struct carriers *m, jvmtiEnv *ti);

/* carriers_expect: a virtual thread has begun. Any thread. */
void carriers_expect(struct carriers *m);

/* carriers_mounted gives a local reference to what `thread` runs; NULL where it is no carrier, or
   idle. The sampler's thread. */
jthread carriers_mounted(struct carriers *m, jvmtiEnv *ti, JNIEnv *jni, jthread thread);

#ifdef __cplusplus
}
#endif
