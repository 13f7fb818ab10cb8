#include "sampler/tasks.h"

#include <stdlib.h>
#include <string.h>

#include "agent/base/memory.h"

/* --- names ------------------------------------------------------------------------------------ */

static const struct {
  const char *prefix;
  enum task_kind kind;
} names[] = {
#define TASK_NAME(prefix, kind) {prefix, TASK_KIND_##kind},
#include "sampler/task_name.def"
};

enum task_kind find_task_kind(const char *name) {
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    if (strncmp(name, names[i].prefix, strlen(names[i].prefix)) == 0) return names[i].kind;
  }
  return TASK_KIND_NATIVE;
}

/* --- one scan --------------------------------------------------------------------------------- */

struct scan {
  struct tasks *tasks;
  void (*report)(void *, const struct task *, const struct task_use *);
  void *arg;
};

/* Reads the CPU time and the wait time of a task; false if it has ended. A task that used no CPU
   time has not left the run queue, so its schedstat is read only if its CPU clock has advanced. */
static bool read_times(const struct tasks *t, const struct task *before, struct task *now) {
  int64_t cpu = 0;
  bool has_clock = t->source.cpu != NULL;
  if (has_clock && !t->source.cpu(t->source.arg, now->tid, &now->cpu_ns)) return false;
  if (has_clock && before != NULL && before->cpu_ns == now->cpu_ns) {
    now->wait_ns = before->wait_ns;
    return true;
  }
  now->wait_ns = -1;
  bool has_sched = task_read_schedstat(t->folder, now->tid, &cpu, &now->wait_ns);
  if (!has_clock) now->cpu_ns = cpu;
  return has_clock || has_sched;
}

static int64_t subtract_times(int64_t before, int64_t now) {
  return now > before ? now - before : 0;
}

/* Computes what a task used since `before`; NULL: the task is new. CPU time up to `native_ns` is
   already recorded for the Java thread that the task was. */
static struct task_use compute_use(const struct task *before, const struct task *now,
                                   int64_t native_ns) {
  int64_t cpu = before == NULL ? 0 : before->cpu_ns, wait = before == NULL ? 0 : before->wait_ns;
  if (native_ns > cpu) cpu = native_ns;
  return (struct task_use){
      .cpu_ns = subtract_times(cpu, now->cpu_ns),
      .wait_ns = now->wait_ns < 0 || wait < 0 ? -1 : subtract_times(wait, now->wait_ns)};
}

static void scan_task(struct scan *s, struct task *row, bool is_new) {
  struct tasks *t = s->tasks;
  struct task now = *row;
  struct task_use use = {0};
  int64_t native_ns = 0;
  uint32_t thread = 0;
  if (!read_times(t, is_new ? NULL : row, &now)) return;
  now.scan = t->scans;
  is_new |= now.cpu_ns < row->cpu_ns; /* clocks never go back: the tid is that of a new task */
  bool has_run = is_new || now.cpu_ns != row->cpu_ns;
  /* A thread sets its name after it has started, and the program can rename its native threads. */
  if (is_new || (has_run && row->kind == TASK_KIND_NATIVE && !row->is_java)) {
    task_read_name(t->folder, now.tid, now.name);
    now.kind = find_task_kind(now.name);
  }
  now.is_java = t->source.is_java != NULL &&
                t->source.is_java(t->source.arg, now.tid, now.name, &thread, &native_ns);
  use = compute_use(is_new ? NULL : row, &now, native_ns);
  use.thread = thread;
  use.is_renamed = is_new || row->is_java != now.is_java || strcmp(row->name, now.name) != 0;
  *row = now;
  bool is_reportable = use.cpu_ns > 0 || use.wait_ns > 0 || (use.is_renamed && !row->is_java);
  if (s->report != NULL && is_reportable) s->report(s->arg, row, &use);
}

/* Returns the row of a task, and adds one for a new task; NULL if memory runs out. */
static struct task *find_or_add_row(struct tasks *t, uint32_t tid, bool *out_new) {
  uint64_t *place = hashmap_at(&t->index, tid);
  if (place == NULL) return NULL;
  *out_new = *place == 0;
  if (!*out_new) return &t->rows[*place - 1];
  if (t->num == t->capacity) {
    size_t capacity = t->capacity ? 2 * t->capacity : 64;
    struct task *rows = memory_resize(t->rows, capacity * sizeof *rows);
    if (rows == NULL) return NULL;
    t->rows = rows;
    t->capacity = capacity;
  }
  struct task *row = &t->rows[t->num++];
  *row = (struct task){.tid = tid, .wait_ns = -1};
  *place = t->num;
  return row;
}

/* Removes the rows of tasks that have ended, and rebuilds the index. */
static bool drop_ended(struct tasks *t) {
  size_t kept = 0;
  for (size_t i = 0; i < t->num; i++) {
    /* readdir of /proc can skip a living task while other tasks end. Such a task keeps its row; the
       next scan reports it. */
    struct task *row = &t->rows[i], now = *row;
    bool is_alive = row->scan == t->scans || (row->scan != 0 && read_times(t, row, &now));
    if (is_alive) t->rows[kept++] = *row;
  }
  if (kept == t->num) return true;
  t->num = kept;
  hashmap_free(&t->index);
  for (size_t i = 0; i < kept; i++) {
    if (!hashmap_put(&t->index, t->rows[i].tid, i + 1)) return false;
  }
  return true;
}

bool tasks_scan(struct tasks *t,
                void (*report)(void *arg, const struct task *task, const struct task_use *use),
                void *arg) {
  struct scan s = {t, report, arg};
  DIR *folder = opendir(t->folder);
  uint32_t tid;
  bool good = true;
  if (folder == NULL) return false;
  t->scans++;
  while (good && task_next(folder, &tid)) {
    bool is_new = false;
    struct task *row = find_or_add_row(t, tid, &is_new);
    good = row != NULL;
    if (good) scan_task(&s, row, is_new);
  }
  closedir(folder);
  return good && drop_ended(t);
}

/* If `wait_ns` is below the row's wait time, the kernel has reused the tid for another task. */
int64_t tasks_take_wait(struct tasks *t, uint32_t tid, int64_t wait_ns) {
  uint64_t place = 0;
  hashmap_get(&t->index, tid, &place);
  if (place == 0) return wait_ns;
  struct task *row = &t->rows[place - 1];
  int64_t before = row->wait_ns > 0 && row->wait_ns <= wait_ns ? row->wait_ns : 0;
  row->wait_ns = wait_ns;
  return wait_ns - before;
}

bool tasks_has(const struct tasks *t, uint32_t tid) {
  uint64_t place = 0;
  return hashmap_get(&t->index, tid, &place) && place != 0;
}

void tasks_free(struct tasks *t) {
  hashmap_free(&t->index);
  free(t->rows);
  t->rows = NULL;
  t->num = t->capacity = 0;
  t->scans = 0;
}
