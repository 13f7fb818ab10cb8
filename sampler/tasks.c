#include "sampler/tasks.h"

#include <stdlib.h>
#include <string.h>

/* --- names ------------------------------------------------------------------------------------ */

static const struct {
  const char *start;
  enum task_kind kind;
} names[] = {
#define TASK_NAME(start, kind) {start, TASK_KIND_##kind},
#include "sampler/task_name.def"
};

enum task_kind task_kind_of(const char *name) {
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    if (strncmp(name, names[i].start, strlen(names[i].start)) == 0) return names[i].kind;
  }
  return TASK_KIND_NATIVE;
}

/* --- one scan --------------------------------------------------------------------------------- */

struct scan {
  struct tasks *tasks;
  void (*tell)(void *, const struct task *, const struct task_use *);
  void *arg;
};

/* What a task has used up to now. A task that used no CPU time has not left the run queue either,
   so its schedstat is read only where its clock moved. False: it is gone. */
static bool read_now(const struct tasks *t, const struct task *before, struct task *now) {
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

static int64_t difference(int64_t before, int64_t now) { return now > before ? now - before : 0; }

/* The CPU time and the wait since `before`, which is NULL where the task is new. */
static struct task_use use_since(const struct task *before, const struct task *now,
                                 int64_t native_ns) {
  int64_t cpu = before == NULL ? 0 : before->cpu_ns, wait = before == NULL ? 0 : before->wait_ns;
  if (native_ns > cpu) cpu = native_ns;
  return (struct task_use){
      .cpu_ns = difference(cpu, now->cpu_ns),
      .wait_ns = now->wait_ns < 0 || wait < 0 ? -1 : difference(wait, now->wait_ns)};
}

static bool is_news(const struct task *task, const struct task_use *use) {
  return use->cpu_ns > 0 || use->wait_ns > 0 || (use->is_renamed && !task->is_java);
}

/* The kernel gave the number of a task that ended to a new one. */
static bool is_another(const struct task *before, const struct task *now) {
  return now->cpu_ns < before->cpu_ns;
}

static void look_at(struct scan *s, struct task *row, bool is_new) {
  struct tasks *t = s->tasks;
  struct task now = *row;
  struct task_use use = {0};
  int64_t native_ns = 0;
  uint32_t thread = 0;
  if (!read_now(t, is_new ? NULL : row, &now)) return;
  now.scan = t->scans;
  is_new |= is_another(row, &now);
  bool has_run = is_new || now.cpu_ns != row->cpu_ns;
  /* A thread names itself after it has begun, and the program can rename its own. */
  if (is_new || (has_run && row->kind == TASK_KIND_NATIVE && !row->is_java)) {
    task_read_name(t->folder, now.tid, now.name);
    now.kind = task_kind_of(now.name);
  }
  now.is_java = t->source.is_java != NULL &&
                t->source.is_java(t->source.arg, now.tid, now.name, &thread, &native_ns);
  use = use_since(is_new ? NULL : row, &now, native_ns);
  use.thread = thread;
  use.is_renamed = is_new || row->is_java != now.is_java || strcmp(row->name, now.name) != 0;
  *row = now;
  if (s->tell != NULL && is_news(row, &use)) s->tell(s->arg, row, &use);
}

/* The row of a task, new or not; NULL without memory. */
static struct task *row_of(struct tasks *t, uint32_t tid, bool *out_new) {
  uint64_t *place = hashmap_at(&t->index, tid);
  if (place == NULL) return NULL;
  *out_new = *place == 0;
  if (!*out_new) return &t->rows[*place - 1];
  if (t->num == t->capacity) {
    size_t capacity = t->capacity ? 2 * t->capacity : 64;
    struct task *rows = realloc(t->rows, capacity * sizeof *rows);
    if (rows == NULL) return NULL;
    t->rows = rows;
    t->capacity = capacity;
  }
  struct task *row = &t->rows[t->num++];
  *row = (struct task){.tid = tid, .wait_ns = -1};
  *place = t->num;
  return row;
}

/* The kernel can skip a task in its list while others end. Such a task is told at the next scan. */
static bool lives(const struct tasks *t, const struct task *row) {
  struct task now = *row;
  return row->scan == t->scans || (row->scan != 0 && read_now(t, row, &now));
}

/* Removes the rows of tasks that ended. The index is made anew, as it does not shrink. */
static bool drop_ended(struct tasks *t) {
  size_t kept = 0;
  for (size_t i = 0; i < t->num; i++) {
    if (lives(t, &t->rows[i])) t->rows[kept++] = t->rows[i];
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
                void (*tell)(void *arg, const struct task *task, const struct task_use *use),
                void *arg) {
  struct scan s = {t, tell, arg};
  DIR *folder = opendir(t->folder);
  uint32_t tid;
  bool good = folder != NULL;
  if (!good) return false;
  t->scans++;
  while (good && task_next(folder, &tid)) {
    bool is_new = false;
    struct task *row = row_of(t, tid, &is_new);
    good = row != NULL;
    if (good) look_at(&s, row, is_new);
  }
  closedir(folder);
  return good && drop_ended(t);
}

/* A wait below that of the row is of another task, of the same number, that began later. */
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
