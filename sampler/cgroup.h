#pragma once
/* The control group that limits the CPU time of this process: its quota, and how long the kernel
   throttled it. Supports cgroup versions 1 and 2. Tests pass their own paths. */
#include <stdbool.h>
#include <stdint.h>

#include "agent/base/extern_c.h"

BEGIN_C

struct cgroup {
  double quota;    /* in CPUs, for example 0.50; 0: no quota */
  char stat[4096]; /* path of cpu.stat of the group with that quota; empty: no cpu.stat was found */
};

/* cgroup_find fills `out` from `self` (normally /proc/self/cgroup) and the folder `root` (normally
   /sys/fs/cgroup).
   - `quota` is the smallest quota of the process's group and of the groups that contain it.
   - In a container, the process's own group may be mounted at the root.
   - If nothing can be read, `out` has no quota and no stat.
   Any thread. */
void cgroup_find(struct cgroup *out, const char *self, const char *root);

/* cgroup_read_throttled returns how long the group's threads were throttled, in nanoseconds, summed
   over all CPUs; -1 if unknown. Any thread. */
int64_t cgroup_read_throttled(const struct cgroup *c);

END_C
