#pragma once
/* The control group of this process, as far as it bounds the CPU time: its quota, and how long it
   kept the process from running. Knows version 1 and 2. Reads paths that a test can replace. */
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct cgroup {
  double quota;    /* CPUs, 0.50; 0: none */
  char stat[4096]; /* cpu.stat of the group with that quota; empty: there is none */
};

/* cgroup_find reads `self`, a file like /proc/self/cgroup, and looks below `root`, a folder like
   /sys/fs/cgroup. The quota is the smallest of the process's group and of those that contain it. In
   a container the kernel may show the process's own group as the root. What cannot be read leaves
   `out` without quota and stat. Any thread. */
void cgroup_find(struct cgroup *out, const char *self, const char *root);

/* cgroup_throttled reads how many nanoseconds the group kept its threads from running, each CPU
   counted for itself; -1 where that is not known. Any thread. */
int64_t cgroup_throttled(const struct cgroup *c);

#ifdef __cplusplus
}
#endif
