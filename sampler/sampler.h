#pragma once
/* The thread that looks at all others every interval (round.h), unless the process is idle. Only
   what changed since the last tick is recorded, in .samples. */
#include <jvmti.h>
#include <stdbool.h>
#include <stdint.h>

#include "agent/thread/agent_thread.h"
#include "sampler/carriers.h"
#include "sampler/cpu_sampler.h"
#include "sampler/ended_threads.h"
#include "sampler/machine.h"

#ifdef __cplusplus
extern "C" {
#endif

struct sampler {
  struct threads *threads;
  struct agent_thread thread;
  struct carriers mounted;
  struct ended_threads ended;
  struct cpu_sampler cpu;
  struct machine *machine; /* NULL, or what else its thread looks at; the caller's */
  uint64_t pause_total_ns; /* that the JVM stood still for samples; atomic */
};

void sampler_init(struct sampler *s, struct threads *threads);

/* sampler_start starts the thread, unless the option `interval` is 0. False when the JVM refuses.
 */
bool sampler_start(struct sampler *s, jvmtiEnv *ti, JNIEnv *jni);

/* sampler_thread_begins: the current thread, a platform thread of this hash, begins. */
void sampler_thread_begins(struct sampler *s, JNIEnv *jni, jthread thread, uint32_t hash);

/* sampler_thread_ends: the current thread, a platform thread of this hash that was there since
   `begun_ns` and records in this lane, has ended as far as its context goes. */
void sampler_thread_ends(struct sampler *s, jvmtiEnv *ti, uint32_t thread, uint64_t begun_ns,
                         unsigned lane);

/* sampler_stop takes a last sample and ends the thread, in a second at most. */
void sampler_stop(struct sampler *s);

#ifdef __cplusplus
}
#endif
