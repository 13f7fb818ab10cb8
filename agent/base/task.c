#include "agent/base/task.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "agent/base/clock.h"

bool task_read_file(const char *folder, uint32_t tid, const char *file, char *text, size_t size) {
  char path[300];
  snprintf(path, sizeof path, "%s/%u/%s", folder, tid, file);
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return false;
  ssize_t n = read(fd, text, size - 1);
  close(fd);
  text[n > 0 ? n : 0] = '\0';
  return n > 0;
}

void task_read_name(const char *folder, uint32_t tid, char name[TASK_NAME_SIZE]) {
  char text[64];
  name[0] = '\0';
  if (!task_read_file(folder, tid, "comm", text, sizeof text)) return;
  text[strcspn(text, "\n")] = '\0';
  snprintf(name, TASK_NAME_SIZE, "%.15s", text);
}

void task_names_set(struct task_names *names, const char *name) {
  size_t len = strlen(name);
  snprintf(names->without_end, TASK_NAME_SIZE, "%.15s", name);
  memcpy(names->without_middle, names->without_end, TASK_NAME_SIZE);
  if (len < TASK_NAME_SIZE) return;
  snprintf(names->without_middle, TASK_NAME_SIZE, "%.7s..%s", name, name + len - 6);
}

bool task_names_have(const struct task_names *names, const char *task_name) {
  return strcmp(names->without_end, task_name) == 0 ||
         strcmp(names->without_middle, task_name) == 0;
}

/* The id of the CPU clock of a task, encoded as by pthread_getcpuclockid of glibc. */
static clockid_t make_cpu_clock_id(uint32_t tid) { return (clockid_t)(~tid << 3 | 6); }

bool task_cpu(uint32_t tid, int64_t *out_ns) {
  struct timespec t;
  if (clock_gettime(make_cpu_clock_id(tid), &t) != 0) return false;
  *out_ns = (int64_t)t.tv_sec * (int64_t)NS_PER_S + t.tv_nsec;
  return true;
}

bool task_next(DIR *folder, uint32_t *out_tid) {
  for (const struct dirent *entry; (entry = readdir(folder)) != NULL;) {
    char *end;
    unsigned long tid = strtoul(entry->d_name, &end, 10);
    if (end == entry->d_name || *end != '\0' || tid == 0 || tid > UINT32_MAX) continue;
    *out_tid = (uint32_t)tid;
    return true;
  }
  return false;
}

bool task_read_schedstat(const char *folder, uint32_t tid, int64_t *out_cpu, int64_t *out_wait) {
  char text[100], *end;
  if (!task_read_file(folder, tid, "schedstat", text, sizeof text)) return false;
  long long cpu = strtoll(text, &end, 10);
  if (end == text || *end != ' ') return false;
  const char *second = end;
  long long wait = strtoll(second, &end, 10);
  if (end == second || cpu < 0 || wait < 0) return false;
  *out_cpu = cpu;
  *out_wait = wait;
  return true;
}
