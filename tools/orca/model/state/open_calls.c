#include "tools/orca/model/state/open_calls.h"

#include <stdlib.h>

#include "tools/orca/model/base/rows.h"
#include "tools/orca/model/state/lock_event.h"

struct open_calls_row {
  uint32_t thread, object;
  enum event_kind kind; /* of the begin event */
  stack_id_t stack; /* its top frame is the method of the call; of a contended monitor: the frame
                       that enters it */
};

bool open_calls_note(struct open_calls *o, const struct event_line *line, stack_id_t stack,
                     bool *out_is_open) {
  *out_is_open = false;
  if (line->kind == EVENT_OPEN_CALL) return hashmap_put(&o->announced, line->thread, 1);
  uint64_t announced = 0;
  hashmap_get(&o->announced, line->thread, &announced);
  if (announced == 0 || event_infos[line->kind].role != ROLE_BEGIN) return true;
  uint64_t *num = hashmap_at(&o->threads, line->thread);
  size_t at = num == NULL ? 0 : rows_add(&o->rows, &o->num, &o->capacity, sizeof *o->rows);
  if (at == 0) return false;
  o->rows[at - 1] = (struct open_calls_row){line->thread, line->object, line->kind, stack};
  ++*num;
  *out_is_open = true;
  return hashmap_put(&o->announced, line->thread, 0);
}

bool open_calls_has(const struct open_calls *o, uint32_t thread) {
  uint64_t num = 0;
  return o->num > 0 && hashmap_get(&o->threads, thread, &num) && num > 0;
}

/* The order of the rows stays the same: inner calls come after the calls around them. */
static void remove_open_call(struct open_calls *o, size_t at) {
  uint64_t num = 0;
  hashmap_get(&o->threads, o->rows[at].thread, &num);
  hashmap_put(&o->threads, o->rows[at].thread, num - 1); /* the key exists: this cannot fail */
  for (; at + 1 < o->num; at++) o->rows[at] = o->rows[at + 1];
  o->num--;
}

void open_calls_forget(struct open_calls *o, const struct event_line *end) {
  if (!open_calls_has(o, end->thread) || !event_is_end(end->kind)) return;
  for (size_t i = o->num; i > 0; i--) {
    const struct open_calls_row *row = &o->rows[i - 1];
    if (row->thread == end->thread && row->object == end->object &&
        row->kind == event_begin(end->kind)) {
      remove_open_call(o, i - 1);
      return;
    }
  }
}

/* An event with the method of the call on top is the begin of a second call of that method. A
   monitor has no frame of its own: its holder may run in the frame that was blocked. */
static bool shows_end(const struct dump *d, const struct stacks *s,
                      const struct open_calls_row *row, const struct open_calls_sign *sign) {
  if (sign->event != NULL && sign->event->kind == EVENT_THREAD_ENDED) return true;
  long at = stacks_find_frame(s, d, sign->stack, row->stack);
  if (at != 0) return at < 0;
  return sign->event != NULL || (sign->is_running && row->kind == EVENT_MONITOR_CONTENDED_ENTER);
}

bool open_calls_infer_end(struct open_calls *o, const struct dump *d, const struct stacks *s,
                          const struct open_calls_sign *sign, struct event_line *out,
                          stack_id_t *out_stack) {
  if (!open_calls_has(o, sign->thread)) return false;
  size_t at = o->num;
  while (o->rows[at - 1].thread != sign->thread) at--;
  struct open_calls_row row = o->rows[at - 1];
  if (!shows_end(d, s, &row, sign)) return false;
  /* Whether an attempt got its lock is not known. An attempt that failed claims less. */
  bool failed = lock_events[row.kind].act == LOCK_ACT_TRIES;
  *out = (struct event_line){.time = sign->time,
                             .kind = event_end(row.kind, failed),
                             .thread = row.thread,
                             .object = row.object};
  *out_stack = row.stack;
  remove_open_call(o, at - 1);
  return true;
}

void open_calls_free(struct open_calls *o) {
  hashmap_free(&o->announced);
  hashmap_free(&o->threads);
  free(o->rows);
  *o = (struct open_calls){0};
}
