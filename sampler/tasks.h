#pragma once
/* The kernel threads of this process, which /proc calls tasks. Each scan computes how much CPU time
   a task used since the last scan, and how long it waited on the run queue. Reads a folder laid out
   like /proc/self/task; tests pass their own. For one thread. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "agent/base/extern_c.h"
#include "agent/base/hashmap.h"
#include "agent/base/task.h"
#include "agent/event/event.h"

BEGIN_C

struct task {
  uint32_t tid;
  bool is_java;        /* it was a Java thread at the last scan */
  enum task_kind kind; /* derived from the name; not used for a Java thread */
  char name[TASK_NAME_SIZE];
  int64_t cpu_ns;  /* since the task started */
  int64_t wait_ns; /* on the run queue since the task started; -1: unknown */
  uint64_t scan;   /* number of the last scan that listed the task */
};

/* What a task used since the last scan. */
struct task_use {
  uint32_t thread; /* identity hash, if the task is a Java thread; 0: none */
  int64_t cpu_ns;
  int64_t wait_ns; /* -1: unknown */
  bool is_renamed; /* the name was not reported before */
};

/* Facts about tasks that /proc does not provide. */
struct task_source {
  /* is_java returns true if a task is a Java thread. `*out_thread` is its identity hash; 0:
     unknown.
     `*out_native_ns` is the task's CPU time when it stopped being a Java thread; 0: it did not. */
  bool (*is_java)(void *arg, uint32_t tid, const char *name, uint32_t *out_thread,
                  int64_t *out_native_ns);
  /* cpu reads a task's CPU time in nanoseconds; false if the task has ended. If `cpu` is NULL, the
     CPU time is read from schedstat. */
  bool (*cpu)(void *arg, uint32_t tid, int64_t *out_ns);
  void *arg;
};

/* Initially all zero except `folder` and `source`. */
struct tasks {
  const char *folder; /* "/proc/self/task" */
  struct task_source source;
  struct hashmap index; /* tid -> index in `rows` plus 1 */
  struct task *rows;
  size_t num, capacity;
  uint64_t scans;
};

/* tasks_scan reads the folder and calls `report` for each task that used CPU time or waited since
   the last scan, or that has a new name. A task that is new at a later scan counts from 0. If
   `report` is NULL, the scan only sets the base for later scans. Returns false if the folder cannot
   be read, or if memory runs out. */
bool tasks_scan(struct tasks *t,
                void (*report)(void *arg, const struct task *task, const struct task_use *use),
                void *arg);

/* tasks_take_wait sets the wait time of a task that ended since the last scan to `wait_ns`, and
   returns the increase since that scan. */
int64_t tasks_take_wait(struct tasks *t, uint32_t tid, int64_t wait_ns);

/* tasks_has returns true if the last scan listed the task. */
bool tasks_has(const struct tasks *t, uint32_t tid);

/* tasks_free forgets all tasks and releases their memory. */
void tasks_free(struct tasks *t);

/* find_task_kind returns the kind of a task from its name; NATIVE if the JVM does not use the name.
   Any thread. */
enum task_kind find_task_kind(const char *name);

END_C
