#pragma once
/* Makes the ticks of the sampler and records what each tick finds. There are two kinds of tick:
   - A full tick takes the stacks of all threads in one safepoint pause.
   - A light tick takes only the stacks of threads that used CPU time since the last tick. It takes
     them one by one while the other threads run.
   A light tick assumes that a thread that used no CPU time has not changed. Both kinds ask about a
   thread that stays runnable without using CPU time whether it waits for another thread to
   initialize a class (class_waits.h), and what a thread lacks that has been parked for long
   (missing_parties.h). All functions run on the sampler's thread. */
#include "agent/base/extern_c.h"
#include "agent/thread/context.h"
#include "sampler/carriers.h"
#include "sampler/class_waits.h"
#include "sampler/ended_threads.h"
#include "sampler/sightings.h"

BEGIN_C

/* Initially all zero except the pointers. */
struct round {
  struct threads *threads;
  struct carriers *carriers;
  struct ended_threads *ended;
  struct class_waits class_waits;
  jvmtiEnv *ti;
  JNIEnv *jni;
  struct sightings before, now;   /* at the last tick, and at the current tick */
  struct hashmap base;            /* identity hash -> CPU time when the recording began */
  int64_t number;                 /* of the current tick, from 1 */
  uint64_t tick_ns, last_tick_ns; /* start of the current tick and of the last tick */
  bool is_last;                   /* the current tick */
  jfieldID blocker;               /* of missing_parties.h; NULL: not known */
};

/* round_take_base reads the CPU times of all threads. CPU time before it is not recorded. Called
   before the first tick. */
void round_take_base(struct round *r);

/* round_make_full_tick returns the length of its safepoint pause in nanoseconds; 0 if the JVM
   refuses the tick. */
uint64_t round_make_full_tick(struct round *r);

void round_make_light_tick(struct round *r);

/* round_wants_tick returns whether the next light tick may ask about a thread that stands, will ask
   about one that has been parked for long, or looks again at one that went on meanwhile: then the
   tick is not superfluous though the process is idle. */
bool round_wants_tick(const struct round *r);

/* round_make_last_tick makes a light tick that also confirms all known waits for classes. */
void round_make_last_tick(struct round *r);

/* round_free releases the memory of `r`. */
void round_free(struct round *r);

END_C
