#pragma once
/* What the sampler sees at its ticks, one after another, and the lines that make of it. Two sorts
   of tick: a full one looks at all threads, and the JVM stands still for it; a light one only at
   those that used the CPU since, one by one, while the others run. What uses no CPU has not
   changed. For the sampler's thread. */
#include "agent/thread/context.h"
#include "sampler/ended.h"
#include "sampler/mounted.h"
#include "sampler/seen.h"

#ifdef __cplusplus
extern "C" {
#endif

struct round {
  struct threads *threads;
  struct mounted *mounted;
  struct ended *ended;
  jvmtiEnv *ti;
  JNIEnv *jni;
  struct seen_list before, now;
  int64_t number;                 /* of the tick */
  uint64_t tick_ns, last_tick_ns; /* when it was asked who is there, now and the time before */
  /* Thread -> CPU time plus one when the recording began; NULL: nothing was used before. */
  const struct hashmap *begun;
};

/* round_full returns how long the JVM stood still, in nanoseconds. */
uint64_t round_full(struct round *r);

void round_light(struct round *r);

/* round_free gives back what the ticks left. */
void round_free(struct round *r);

#ifdef __cplusplus
}
#endif
