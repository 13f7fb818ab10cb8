#pragma once
/* The kernel's threads of this process ("tasks", as /proc names them): who they are, how much CPU
   time each used and how long it waited on the run queue, from one scan to the next. Reads a folder
   like /proc/self/task, so that a test can give it another one. For one thread. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "agent/base/hashmap.h"
#include "agent/base/task.h"
#include "agent/event/event.h"

#ifdef __cplusplus
extern "C" {
#endif

struct task {
  uint32_t tid;
  bool is_java;        /* at the last scan */
  enum task_kind kind; /* by its name; counts where it is not Java */
  char name[TASK_NAME_SIZE];
  int64_t cpu_ns;  /* in all its life */
  int64_t wait_ns; /* on the run queue in all its life; -1: not known */
  uint64_t scan;   /* the last scan that saw it */
};

/* What a task used since the last scan. */
struct task_use {
  uint32_t thread; /* the Java thread that it is; 0: none */
  int64_t cpu_ns;
  int64_t wait_ns; /* -1: not known */
  bool is_renamed; /* its name was not told before */
};

/* What the caller knows about a task and /proc does not. */
struct task_source {
  /* is_java tells whether a task is a Java thread, and gives its hash (0: not known which one).
     `*out_native_ns`: CPU time of the task when it ceased to be a Java thread, else 0. */
  bool (*is_java)(void *arg, uint32_t tid, const char *name, uint32_t *out_thread,
                  int64_t *out_native_ns);
  /* cpu gives the CPU time of a task; false: it is gone. NULL: read from schedstat. */
  bool (*cpu)(void *arg, uint32_t tid, int64_t *out_ns);
  void *arg;
};

/* All zero but `folder` and `source` is right to start with. */
struct tasks {
  const char *folder; /* "/proc/self/task" */
  struct task_source source;
  struct hashmap index; /* tid -> row plus one */
  struct task *rows;
  size_t num, capacity;
  uint64_t scans;
};

/* tasks_scan reads the folder and tells each task that used CPU time or waited since the last scan,
   or whose name is new. With `tell` NULL nothing is told, and later scans count from this one. A
   task that appears later counts from 0. False: the folder cannot be read, or there is no memory.
 */
bool tasks_scan(struct tasks *t,
                void (*tell)(void *arg, const struct task *task, const struct task_use *use),
                void *arg);

/* tasks_take_wait sets the wait time of a task that ended since the last scan to `wait_ns`, and
   returns the increase since that scan. */
int64_t tasks_take_wait(struct tasks *t, uint32_t tid, int64_t wait_ns);

/* tasks_has tells whether the last scan saw a task. */
bool tasks_has(const struct tasks *t, uint32_t tid);
void tasks_free(struct tasks *t);

/* task_kind_of gives the kind that a name stands for; NATIVE: no name of the JVM's. */
enum task_kind task_kind_of(const char *name);

#ifdef __cplusplus
}
#endif
