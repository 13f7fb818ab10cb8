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

bool task_queues_put(struct task_queues *q, uint32_t object, const struct wake_signal *queued) {
  struct task_queues_row *row =
      rows_at(&q->ids, object, &q->rows, &q->num, &q->capacity, sizeof *row, NULL);
  size_t at = row == NULL ? 0 : new_entry(q);
  if (at == 0) return false;
  q->entries[at - 1] = (struct task_queues_entry){.queued = *queued};
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

bool task_queues_has(const struct task_queues *q, uint32_t object) {
  uint64_t at = 0;
  hashmap_get(&q->ids, object, &at);
  return at != 0 && q->rows[at - 1].first != 0;
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

/* `execute` calls `addWorker`. Frames around them may be of another executor. */
bool task_queues_starts_worker(const struct dump *d, const struct event_line *line) {
  struct span rest = stack_frames(line->stack);
  struct frame frame;
  bool adds_worker = false;
  if (d == NULL || line->kind != EVENT_THREAD_START) return false;
  while (stack_next(&rest, &frame)) {
    if (adds_worker) return is_method_of_pool(d, frame.method, "execute");
    adds_worker = is_method_of_pool(d, frame.method, "addWorker");
  }
  return false;
}

void task_queues_free(struct task_queues *q) {
  hashmap_free(&q->ids);
  hashmap_free(&q->newest);
  free(q->rows);
  free(q->entries);
  *q = (struct task_queues){0};
}
