#pragma once
/* The whole process: its CPU time by owner, how long its threads waited for a CPU, and how long its
   garbage collector stopped it. From the lines Process, Task, Sched and Pause, which older
   recordings do not have. The CPU time of Java threads is not part of it (struct cpu). */
#include "agent/base/hashmap.h"
#include "tools/orca/dump/dump.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A kernel thread that is not a Java thread. */
struct process_task {
  uint32_t tid;
  enum task_kind kind;
  char *name; /* real UTF-8, safe for a terminal */
  uint64_t cpu_ns;
  uint64_t wait_ns; /* on the run queue */
  bool wait_known;
};

/* All zero is empty; process_free gives the memory back. */
struct process {
  bool known;            /* there is a Process line */
  uint64_t cpu_ns;       /* of the process, Java threads included */
  bool throttled_known;  /* some line tells: */
  uint64_t throttled_ns; /* that the cgroup kept its threads from running, summed over CPUs */
  bool wait_known;       /* there is a Sched line */
  uint64_t java_wait_ns; /* all Sched lines */
  struct hashmap waits;  /* Java thread -> its Sched lines in nanoseconds */
  struct hashmap task_ids;
  struct process_task *tasks; /* after process_end by CPU time, largest first */
  size_t num_tasks, tasks_capacity;
  uint64_t pauses, pause_ns, longest_pause_ns;
  ticks_t longest_pause_end;
};

/* process_sample takes a line of .samples; those of other kinds are ignored. False where memory
   runs out. process_end comes after the last one: `java_ns` is the CPU time of all
   Java threads. */
bool process_sample(struct process *p, const struct sample_line *line);
void process_end(struct process *p, uint64_t java_ns);
void process_free(struct process *p);

/* process_wait gives the time that a Java thread waited for a CPU; false: nobody knows. */
bool process_wait(const struct process *p, uint32_t thread, uint64_t *out_ns);

/* The owners of the CPU time, in the order in which a person reads them. */
enum process_owner {
  OWNER_JAVA,
  OWNER_JIT,
  OWNER_GC,
  OWNER_VM,
  OWNER_NATIVE,
  OWNER_ORCA,
  OWNER_UNKNOWN, /* the rest: threads that began and ended between two looks at them */
  NUM_PROCESS_OWNERS
};

/* For a person: "Java threads", "JIT compiler"; for a program: "java", "jit". */
extern const char *const process_owner_names[NUM_PROCESS_OWNERS];
extern const char *const process_owner_keys[NUM_PROCESS_OWNERS];

struct process_share {
  uint64_t cpu_ns, wait_ns;
};

/* process_shares gives what each owner used. `java_ns`: the CPU time of all Java threads. */
void process_shares(const struct process *p, uint64_t java_ns,
                    struct process_share out[NUM_PROCESS_OWNERS]);

#ifdef __cplusplus
}
#endif
