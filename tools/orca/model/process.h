#pragma once
/* The whole process: CPU time by owner, the time that threads waited for a CPU, and the pauses of
   the garbage collector. It is computed from the lines Process, Task, Sched and Pause, which older
   recordings do not have. The CPU time of Java threads comes from struct cpu instead. */
#include "agent/base/extern_c.h"
#include "agent/base/hashmap.h"
#include "tools/orca/dump/dump.h"

BEGIN_C

/* A kernel thread that is not a Java thread. All its Task lines are summed up. */
struct process_task {
  uint32_t tid;
  enum task_kind kind;
  char *name; /* plain UTF-8, safe for a terminal */
  uint64_t cpu_ns;
  uint64_t wait_ns; /* on the run queue */
  bool wait_known;
};

/* A struct of zeros is empty; process_free frees its memory. */
struct process {
  bool known;                 /* there is a Process line */
  uint64_t cpu_ns;            /* of the process, Java threads included */
  bool throttled_known;       /* a Process line has `throttled_ns` */
  uint64_t throttled_ns;      /* time that the cgroup throttled the process, summed over CPUs */
  bool wait_known;            /* there is a Sched line */
  uint64_t java_wait_ns;      /* sum of all Sched lines */
  struct hashmap waits;       /* Java thread -> sum of its Sched lines in nanoseconds */
  struct hashmap task_ids;    /* tid and kind -> task plus one, until process_end */
  struct process_task *tasks; /* after process_end by CPU time, largest first */
  size_t num_tasks, tasks_capacity;
  uint64_t pauses, pause_ns, longest_pause_ns;
  ticks_t longest_pause_end;
};

/* process_sample takes a line of .samples and ignores lines of other kinds; take_process in
   analysis.c calls it. It returns false when memory ran out. process_end is called after the last
   line; `java_ns` is the CPU time of all Java threads. */
bool process_sample(struct process *p, const struct sample_line *line);
void process_end(struct process *p, uint64_t java_ns);
void process_free(struct process *p);

/* process_wait sets `*out_ns` to the time that a Java thread waited for a CPU. It returns false if
   the recording does not contain that. */
bool process_wait(const struct process *p, uint32_t thread, uint64_t *out_ns);

/* process_cpus returns how many CPUs the process may use, by its affinity and by the quota of its
   control group; 0: not known. */
double process_cpus(const struct dump *d);

/* The owners of CPU time, in the order of the views. */
enum process_owner {
  OWNER_JAVA,
  OWNER_JIT,
  OWNER_GC,
  OWNER_VM,
  OWNER_NATIVE,
  OWNER_ORCA,
  OWNER_UNKNOWN, /* the rest: threads that started and ended between two scans of the tasks */
  NUM_PROCESS_OWNERS
};

/* Names for people, such as "JIT compiler", and keys for programs, such as "jit". */
extern const char *const process_owner_names[NUM_PROCESS_OWNERS];
extern const char *const process_owner_keys[NUM_PROCESS_OWNERS];

struct process_share {
  uint64_t cpu_ns, wait_ns;
};

/* process_shares fills `out` with the times of each owner. `java_ns` is the CPU time of all Java
   threads. */
void process_shares(const struct process *p, uint64_t java_ns,
                    struct process_share out[NUM_PROCESS_OWNERS]);

END_C
