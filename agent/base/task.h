#pragma once
/* Threads of the kernel, called tasks: their ids (tid), names, CPU clocks and files in /proc. In
   all functions `folder` is /proc/self/task, or a folder with the same layout. Any thread. */
#include <dirent.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "agent/base/extern_c.h"

BEGIN_C

#define TASK_NAME_SIZE 16 /* the kernel keeps 15 bytes and a NUL */

/* task_cpu reads the CPU clock of a task of this process, in nanoseconds. Returns false when the
   task has ended. */
bool task_cpu(uint32_t tid, int64_t *out_ns);

/* task_read_file reads the first `size` - 1 bytes of FOLDER/TID/FILE into `text` as a C string.
   Returns false when the file is empty or cannot be read. */
bool task_read_file(const char *folder, uint32_t tid, const char *file, char *text, size_t size);

/* task_read_name reads the name of a task, without the newline; empty when it cannot be read. */
void task_read_name(const char *folder, uint32_t tid, char name[TASK_NAME_SIZE]);

/* The names that a task may have if the JVM calls its thread `name`. A name of up to 15 bytes is
   kept. Up to JDK 25 a longer one loses its end, and since JDK 26 its middle: "C2 CompilerThre",
   "C2 Comp..hread0". */
struct task_names {
  char without_end[TASK_NAME_SIZE];
  char without_middle[TASK_NAME_SIZE];
};
void task_names_set(struct task_names *names, const char *name);
bool task_names_have(const struct task_names *names, const char *task_name);

/* task_read_schedstat reads how long a task ran on a CPU, and how long it waited on the run queue,
   both in nanoseconds. Returns false when the task has ended, or the kernel has no schedstat. */
bool task_read_schedstat(const char *folder, uint32_t tid, int64_t *out_cpu, int64_t *out_wait);

/* task_next reads the next tid from an open `folder`. Returns false at the end. One thread for each
   DIR. */
bool task_next(DIR *folder, uint32_t *out_tid);

END_C
