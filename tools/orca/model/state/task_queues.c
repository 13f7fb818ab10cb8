#include "tools/orca/model/state/task_queues.h"

#include <stdlib.h>

#include "tools/orca/model/base/grow.h"
#include "tools/orca/model/base/rows.h"

/* The tasks of one object. */
struct task_queues_row {
  size_t first, last; /* entry plus one; 0: empty */
  size_t num_changes; /* tasks whose next one was queued by another thread */
};

struct task_queues_entry {
  struct wake_signal queued;
  uint32_t executor;
  size_t next;       /* task of the same object, or free entry; plus one */
  bool is_withdrawn; /* removed on its turn */
};

static size_t new_entry(struct task_queues *q) {
  size_t at = q->spare;
  if (at != 0) {
    q->spare = q->entries[at - 1].next;
    return at;
  }
  struct task_queues_entry *entries =
      grow(q->entries, q->num_entries, &q->entries_capacity, sizeof *entries);
  if (entries == NULL) return 0;
  q->entries = entries;
  return ++q->num_entries;
}

bool task_queues_put(struct task_queues *q, uint32_t object, uint32_t executor,
                     const struct wake_signal *queued) {
  struct task_queues_row *row =
      rows_at(&q->ids, object, &q->rows, &q->num, &q->capacity, sizeof *row, NULL);
  size_t at = row == NULL ? 0 : new_entry(q);
  if (at == 0) return false;
  q->entries[at - 1] = (struct task_queues_entry){.queued = *queued, .executor = executor};
  if (row->last == 0) {
    row->first = at;
  } else {
    struct task_queues_entry *last = &q->entries[row->last - 1];
    last->next = at;
    row->num_changes += last->queued.thread != queued->thread;
  }
  row->last = at;
  return hashmap_put(&q->newest, queued->thread, at);
}

static void remove_first(struct task_queues *q, struct task_queues_row *row) {
  size_t at = row->first;
  struct task_queues_entry *entry = &q->entries[at - 1];
  uint64_t newest = 0;
  hashmap_get(&q->newest, entry->queued.thread, &newest);
  if (newest == at) hashmap_put(&q->newest, entry->queued.thread, 0); /* it exists: cannot fail */
  row->first = entry->next;
  if (row->first == 0) {
    row->last = 0;
  } else {
    row->num_changes -= q->entries[row->first - 1].queued.thread != entry->queued.thread;
  }
  entry->next = q->spare;
  q->spare = at;
}

bool task_queues_take(struct task_queues *q, uint32_t object, struct wake_signal *out,
                      bool *out_is_certain) {
  uint64_t at = 0;
  hashmap_get(&q->ids, object, &at);
  struct task_queues_row *row = at == 0 ? NULL : &q->rows[at - 1];
  while (row != NULL && row->first != 0 && q->entries[row->first - 1].is_withdrawn)
    remove_first(q, row);
  if (row == NULL || row->first == 0) return false;
  *out = q->entries[row->first - 1].queued;
  *out_is_certain = row->num_changes == 0;
  remove_first(q, row);
  return true;
}

/* Returns the next task of an object that waits; `before` NULL: the first one. */
static const struct task_queues_entry *find_next(const struct task_queues *q, uint32_t object,
                                                 const struct task_queues_entry *before) {
  uint64_t id = 0;
  hashmap_get(&q->ids, object, &id);
  size_t at = before != NULL ? before->next : id != 0 ? q->rows[id - 1].first : 0;
  while (at != 0 && q->entries[at - 1].is_withdrawn) at = q->entries[at - 1].next;
  return at == 0 ? NULL : &q->entries[at - 1];
}

bool task_queues_has(const struct task_queues *q, uint32_t object) {
  return find_next(q, object, NULL) != NULL;
}

uint32_t task_queues_executor(const struct task_queues *q, uint32_t object) {
  const struct task_queues_entry *first = find_next(q, object, NULL), *entry = first;
  while (entry != NULL) {
    if (entry->executor != first->executor) return 0;
    entry = find_next(q, object, entry);
  }
  return first == NULL ? 0 : first->executor;
}

bool task_queues_newest(const struct task_queues *q, uint32_t object, struct wake_signal *out) {
  const struct task_queues_entry *first = find_next(q, object, NULL), *entry = first;
  while (entry != NULL) {
    if (entry->queued.thread != first->queued.thread) return false;
    *out = entry->queued;
    entry = find_next(q, object, entry);
  }
  return first != NULL;
}

bool task_queues_had(const struct task_queues *q, uint32_t object) {
  uint64_t at = 0;
  return hashmap_get(&q->ids, object, &at);
}

void task_queues_withdraw(struct task_queues *q, uint32_t thread) {
  uint64_t at = 0;
  hashmap_get(&q->newest, thread, &at);
  if (at != 0) q->entries[at - 1].is_withdrawn = true;
}

static bool is_method_of_pool(const struct dump *d, uint32_t id, const char *name) {
  const struct method_line *method = dump_method(d, id);
  const struct class_line *class = method == NULL ? NULL : dump_class(d, method->class_id);
  return class != NULL && span_is(method->name, name) &&
         span_is(class->signature, "Ljava/util/concurrent/ThreadPoolExecutor;");
}

static enum worker_start find_caller(const struct dump *d, uint32_t method) {
  if (is_method_of_pool(d, method, "execute")) return WORKER_START_WITH_TASK;
  if (is_method_of_pool(d, method, "ensurePrestart")) return WORKER_START_BESIDE_TASK;
  if (is_method_of_pool(d, method, "processWorkerExit")) return WORKER_START_SUCCESSOR;
  return WORKER_START_NONE;
}

/* One of these calls `addWorker`. Frames around them may be of another executor. */
enum worker_start task_queues_find_start(const struct dump *d, const struct event_line *line) {
  struct span rest = stack_frames(line->stack);
  struct frame frame;
  bool adds_worker = false;
  if (d == NULL || line->kind != EVENT_THREAD_START) return WORKER_START_NONE;
  while (stack_next(&rest, &frame)) {
    if (adds_worker) return find_caller(d, frame.method);
    adds_worker = is_method_of_pool(d, frame.method, "addWorker");
  }
  return WORKER_START_NONE;
}

bool task_queues_starts_worker(const struct dump *d, const struct event_line *line) {
  return task_queues_find_start(d, line) == WORKER_START_WITH_TASK;
}

void task_queues_free(struct task_queues *q) {
  hashmap_free(&q->ids);
  hashmap_free(&q->newest);
  free(q->rows);
  free(q->entries);
  *q = (struct task_queues){0};
}
