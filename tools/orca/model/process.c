#include "tools/orca/model/process.h"

#include <stdio.h>
#include <stdlib.h>

#include "tools/orca/model/base/rows.h"
#include "tools/orca/model/base/sorting.h"

const char *const process_owner_names[NUM_PROCESS_OWNERS] = {
    [OWNER_JAVA] = "Java threads",
    [OWNER_JIT] = "JIT compiler",
    [OWNER_GC] = "garbage collector",
    [OWNER_VM] = "other JVM threads",
    [OWNER_NATIVE] = "native threads",
    [OWNER_ORCA] = "Orca",
    [OWNER_UNKNOWN] = "ended or unknown threads",
};

const char *const process_owner_keys[NUM_PROCESS_OWNERS] = {
    [OWNER_JAVA] = "java",       [OWNER_JIT] = "jit",       [OWNER_GC] = "gc",
    [OWNER_VM] = "vm",           [OWNER_NATIVE] = "native", [OWNER_ORCA] = "orca",
    [OWNER_UNKNOWN] = "unknown",
};

static const enum process_owner task_owners[NUM_TASK_KINDS] = {
    [TASK_KIND_JIT] = OWNER_JIT,       [TASK_KIND_GC] = OWNER_GC,     [TASK_KIND_VM] = OWNER_VM,
    [TASK_KIND_NATIVE] = OWNER_NATIVE, [TASK_KIND_ORCA] = OWNER_ORCA,
};

/* --- lines -------------------------------------------------------------------------------- */

/* The kernel reuses the tid of a thread that ended. Threads with the same tid and kind count as one
   task. */
static bool add_task_line(struct process *p, const struct sample_line *line) {
  uint64_t key = (uint64_t)line->tid * NUM_TASK_KINDS + line->task_kind;
  struct process_task *task =
      rows_at(&p->task_ids, key, &p->tasks, &p->num_tasks, &p->tasks_capacity, sizeof *task, NULL);
  if (task == NULL) return false;
  task->tid = (uint32_t)line->tid;
  task->kind = line->task_kind;
  task->cpu_ns += (uint64_t)line->cpu_ns;
  if (line->wait_ns >= 0) {
    task->wait_known = true;
    task->wait_ns += (uint64_t)line->wait_ns;
  }
  struct builder b = {0};
  text_plain(&b, line->name);
  builder_char(&b, '\0');
  free(task->name);
  task->name = b.failed ? NULL : b.data;
  if (b.failed) builder_free(&b);
  return task->name != NULL;
}

static bool add_sched_wait(struct process *p, const struct sample_line *line) {
  uint64_t *wait = hashmap_at(&p->waits, line->thread);
  if (wait == NULL) return false;
  *wait += (uint64_t)line->wait_ns;
  p->wait_known = true;
  p->java_wait_ns += (uint64_t)line->wait_ns;
  return true;
}

bool process_sample(struct process *p, const struct sample_line *line) {
  switch (line->kind) {
    case SAMPLE_PROCESS:
      p->known = true;
      p->cpu_ns += (uint64_t)line->cpu_ns;
      if (line->throttled_ns >= 0) {
        p->throttled_known = true;
        p->throttled_ns += (uint64_t)line->throttled_ns;
      }
      return true;
    case SAMPLE_TASK:
      return add_task_line(p, line);
    case SAMPLE_SCHED:
      return add_sched_wait(p, line);
    case SAMPLE_PAUSE:
      p->pauses++;
      p->pause_ns += (uint64_t)line->pause_ns;
      if ((uint64_t)line->pause_ns > p->longest_pause_ns) {
        p->longest_pause_ns = (uint64_t)line->pause_ns;
        p->longest_pause_end = line->time;
      }
      return true;
    default:
      return true;
  }
}

static int compare_tasks(const void *left, const void *right) {
  const struct process_task *a = left, *b = right;
  if (a->cpu_ns != b->cpu_ns) return compare_numbers(b->cpu_ns, a->cpu_ns);
  return compare_numbers(a->tid, b->tid);
}

/* The CPU time of the process is at least that of its threads. The sum of the threads can be larger
   for two reasons. The clocks are not read at the same time. And the last Process line is missing
   if the JVM was killed or still runs. */
void process_end(struct process *p, uint64_t java_ns) {
  uint64_t sum = java_ns;
  for (size_t i = 0; i < p->num_tasks; i++) sum += p->tasks[i].cpu_ns;
  if (p->known && p->cpu_ns < sum) p->cpu_ns = sum;
  if (p->num_tasks > 0) qsort(p->tasks, p->num_tasks, sizeof *p->tasks, compare_tasks);
  hashmap_free(&p->task_ids); /* its row numbers have changed */
}

double process_cpus(const struct dump *d) {
  struct span cpus;
  char text[32];
  if (!dump_info(d, INFO_CPUS_QUOTA, &cpus) && !dump_info(d, INFO_CPUS_ALLOWED, &cpus)) return 0;
  snprintf(text, sizeof text, "%.*s", (int)cpus.len, cpus.data);
  return strtod(text, NULL);
}

void process_free(struct process *p) {
  for (size_t i = 0; i < p->num_tasks; i++) free(p->tasks[i].name);
  free(p->tasks);
  hashmap_free(&p->waits);
  hashmap_free(&p->task_ids);
  *p = (struct process){0};
}

/* --- answers ------------------------------------------------------------------------------ */

bool process_wait(const struct process *p, uint32_t thread, uint64_t *out_ns) {
  *out_ns = 0;
  if (p->wait_known) hashmap_get(&p->waits, thread, out_ns);
  return p->wait_known;
}

void process_shares(const struct process *p, uint64_t java_ns,
                    struct process_share out[NUM_PROCESS_OWNERS]) {
  uint64_t sum = java_ns;
  for (int owner = 0; owner < NUM_PROCESS_OWNERS; owner++) out[owner] = (struct process_share){0};
  out[OWNER_JAVA] = (struct process_share){java_ns, p->java_wait_ns};
  for (size_t i = 0; i < p->num_tasks; i++) {
    const struct process_task *task = &p->tasks[i];
    out[task_owners[task->kind]].cpu_ns += task->cpu_ns;
    out[task_owners[task->kind]].wait_ns += task->wait_ns;
    sum += task->cpu_ns;
  }
  if (p->cpu_ns > sum) out[OWNER_UNKNOWN].cpu_ns = p->cpu_ns - sum;
}
