#pragma once
/* What the whole process does to the CPUs, beside its Java threads: the Process, Task and Sched
   lines. Times count from machine_open. Functions are for the sampler's thread unless
   noted. */
#include <jvmti.h>
#include <stdbool.h>
#include <stdint.h>

#include "agent/thread/tids.h"
#include "sampler/cgroup.h"
#include "sampler/tasks.h"

#ifdef __cplusplus
extern "C" {
#endif

struct machine {
  struct threads *threads;
  struct tids tids; /* any thread enters itself */
  struct tasks tasks;
  struct cgroup cgroup;
  int64_t process_ns;   /* its clock at the last Process line */
  int64_t throttled_ns; /* of the cgroup, then; -1: not known */
  uint64_t next_ns;     /* when to scan again */
  unsigned searches;    /* for Java threads that were not found yet, that may still be made */
  uint64_t used_ns;     /* CPU time of the process since the start; atomic */
};

void machine_init(struct machine *m, struct threads *threads);

/* machine_open takes the clocks to count from; threads that begin from now on are entered. Before
   machine_start. Any thread. */
void machine_open(struct machine *m);

/* machine_start finds the Java threads that live. */
void machine_start(struct machine *m, jvmtiEnv *ti, JNIEnv *jni);

/* machine_tick scans if it is time: once in a second, or less often where a scan takes long, so
   that scans take 1 % of one CPU at most. */
void machine_tick(struct machine *m, jvmtiEnv *ti, JNIEnv *jni);

/* machine_stop scans a last time and forgets all. */
void machine_stop(struct machine *m, jvmtiEnv *ti, JNIEnv *jni);

#ifdef __cplusplus
}
#endif
