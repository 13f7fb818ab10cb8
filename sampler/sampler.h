#pragma once
/* The sampler's thread. It makes ticks (round.h), decodes the captures of CPU samples
   (cpu_sampler.h) and scans the tasks of the process (machine.h). The ticks record only what
   changed, in .samples. */
#include <jvmti.h>
#include <stdbool.h>
#include <stdint.h>

#include "agent/base/extern_c.h"
#include "agent/thread/agent_thread.h"
#include "sampler/carriers.h"
#include "sampler/cpu_sampler.h"
#include "sampler/ended_threads.h"
#include "sampler/machine.h"
#include "sampler/origin.h"

BEGIN_C

struct sampler {
  struct threads *threads;
  struct agent_thread thread;
  struct carriers carriers;
  struct ended_threads ended;
  struct cpu_sampler cpu;
  struct origin origin;
  uint64_t interval_ns;    /* that the CPU samples follow */
  struct machine *machine; /* owned by the caller; NULL: tasks are not scanned */
};

void sampler_init(struct sampler *s, struct threads *threads);

/* sampler_start starts the thread, unless the option `interval` is 0. Returns false if the JVM
   refuses the thread, or if the thread of the last recording still runs. */
bool sampler_start(struct sampler *s, jvmtiEnv *ti, JNIEnv *jni);

/* sampler_change makes the thread follow the options `interval` and `budget`, which have changed.
   Any thread, while the sampler runs; otherwise it does nothing. */
void sampler_change(struct sampler *s);

/* sampler_thread_begins is called on a platform thread with this identity hash when it starts. */
void sampler_thread_begins(struct sampler *s, JNIEnv *jni, jthread thread, uint32_t hash);

/* sampler_thread_ends is called on a platform thread with this identity hash when it ends, after
   context_end. `c` is a copy of its context. For a thread without one, such as one of Orca's own,
   its `recording` is 0. The end is in the samples only if this recording has announced the thread.
 */
void sampler_thread_ends(struct sampler *s, jvmtiEnv *ti, const struct context *c);

/* sampler_stop tells the thread to make a last tick and to end, and waits for it for one second at
   most. */
void sampler_stop(struct sampler *s);

/* sampler_wait returns the time from the start of one tick to the start of the next, in
   nanoseconds: `interval_ns`, or longer, so that ticks of the cost `cost_ns` take at most the share
   `budget` of the time (0.01 is 1 %). In a process that uses less than half of one CPU (`used`; 1.0
   is one CPU) this share is smaller in proportion. But for that reason alone no tick is more than
   5 s after the last one. Any thread. */
uint64_t sampler_wait(uint64_t interval_ns, double budget, double used, uint64_t cost_ns);

END_C
