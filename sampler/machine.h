#pragma once
/* Records the CPU use of the whole process and of its threads that are not Java threads: the
   Process, Task and Sched lines. Times count from machine_open. All functions run on the sampler's
   thread unless noted. */
#include <jvmti.h>
#include <stdbool.h>
#include <stdint.h>

#include "agent/base/extern_c.h"
#include "agent/thread/tids.h"
#include "sampler/cgroup.h"
#include "sampler/pauses.h"
#include "sampler/tasks.h"

BEGIN_C

struct machine {
  struct threads *threads;
  struct tids tids; /* each Java thread adds itself */
  struct tasks tasks;
  struct cgroup cgroup;
  const struct pauses *pauses; /* the caller's; NULL: not known */
  int64_t pauses_cpu_ns;       /* of the VM thread, at the last scan */
  int64_t process_ns;          /* CPU clock of the process at the last Process line */
  int64_t throttled_ns;        /* the cgroup's throttled time at that line; -1: unknown */
  uint64_t next_ns;            /* when the next scan is due (clock_monotonic_ns) */
  unsigned searches;           /* remaining searches for the tids of unidentified Java threads */
};

void machine_init(struct machine *m, struct threads *threads);

/* machine_open reads the clocks that later lines count from. Threads that start after it are added
   to `tids`. Called before machine_start. Any thread. */
void machine_open(struct machine *m);

/* machine_start finds the tids of the Java threads that live already. */
void machine_start(struct machine *m, jvmtiEnv *ti, JNIEnv *jni);

/* machine_tick scans the tasks if a scan is due. A scan is due once a second, or less often if
   scans would take more than 1 % of one CPU. */
void machine_tick(struct machine *m, jvmtiEnv *ti, JNIEnv *jni);

/* machine_stop makes a last scan, then forgets all tasks and tids. */
void machine_stop(struct machine *m, jvmtiEnv *ti, JNIEnv *jni);

END_C
