#pragma once
/* A thread as the kernel counts it (a "task"): its number, its name, its CPU clock, its files. */
#include <dirent.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TASK_NAME_SIZE 16 /* the kernel keeps 15 bytes */

/* task_cpu reads the CPU clock of a task of this process, in nanoseconds; false: the task is gone.
   Any thread. */
bool task_cpu(uint32_t tid, int64_t *out_ns);

/* task_read_file reads FOLDER/TID/FILE, the first `size` - 1 bytes of it, as a C string; false
   where that is not possible. FOLDER is /proc/self/task, or looks like it. Any thread. */
bool task_read_file(const char *folder, uint32_t tid, const char *file, char *text, size_t size);

/* task_read_name reads the name of a task, without its newline; empty where that is not possible.
   Any thread. */
void task_read_name(const char *folder, uint32_t tid, char name[TASK_NAME_SIZE]);

/* task_read_schedstat reads how long a task was on a CPU and how long on the run queue, in
   nanoseconds; false: it is gone, or the kernel does not tell. Any thread. */
bool task_read_schedstat(const char *folder, uint32_t tid, int64_t *out_cpu, int64_t *out_wait);

/* task_next reads the next task of an opened folder; false at the end. */
bool task_next(DIR *folder, uint32_t *out_tid);

#ifdef __cplusplus
}
#endif
