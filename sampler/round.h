#pragma once
/* What the sampler sees at its ticks, one after another, and the lines that make of it. Two sorts
   of tick: a full one looks at all threads, and the JVM stands still for it; a light one only at
   those that used the CPU since, one by one, while the others run. What uses no CPU has not
   changed. For the sampler's thread. */
#include "agent/thread/context.h"
#include "sampler/carriers.h"
#include "sampler/ended_threads.h"
#include "sampler/sightings.h"

#ifdef __cplusplus
extern "C" {
#endif

struct round {
  struct threads *threads;
  struct carriers *mounted;
  struct ended_threads *ended;
  jvmtiEnv *ti;
  JNIEnv *jni;
  struct sightings before, now;
  struct hashmap base;            /* hash of a thread -> its CPU time when the recording began */
  int64_t number;                 /* of the tick */
  uint64_t tick_ns, last_tick_ns; /* when it was asked who is there, now and the time before */
};

/* round_base takes the CPU times of all threads as the base line: what they used before belongs to
   no recording. Before the first tick. */
void round_base(struct round *r);

/* round_full returns how long the JVM stood still, in nanoseconds. */
uint64_t round_full(struct round *r);

void round_light(struct round *r);

/* round_free gives back what the ticks left. */
void round_free(struct round *r);

#ifdef __cplusplus
}
#endif
