#include "tools/orca/model/state/open_calls.h"

#include <stdlib.h>

#include "agent/event/meaning.h"
#include "tools/orca/model/base/rows.h"

struct open_calls_row {
  uint32_t thread, object;
  enum event_kind kind; /* of the begin event */
  stack_id_t stack; /* its top frame is the method of the call; of a contended monitor: the frame
                       that enters it */
  size_t outer; /* the number of the row of the call around it, or of the next free row; 0: none */
};

/* Returns the number of a row that is free; 0 when memory ran out. */
static size_t take_free_row(struct open_calls *o) {
  size_t at = o->spare;
  if (at == 0) return rows_add(&o->rows, &o->num, &o->capacity, sizeof *o->rows);
  o->spare = o->rows[at - 1].outer;
  return at;
}

bool open_calls_note(struct open_calls *o, const struct event_line *line, stack_id_t stack,
                     bool *out_is_open) {
  *out_is_open = false;
  if (line->kind == EVENT_OPEN_CALL) return hashmap_put(&o->announced, line->thread, 1);
  uint64_t announced = 0;
  hashmap_get(&o->announced, line->thread, &announced);
  if (announced == 0 || event_infos[line->kind].role != ROLE_BEGIN) return true;
  uint64_t *innermost = hashmap_at(&o->innermost, line->thread);
  size_t at = innermost == NULL ? 0 : take_free_row(o);
  if (at == 0) return false;
  o->rows[at - 1] =
      (struct open_calls_row){line->thread, line->object, line->kind, stack, (size_t)*innermost};
  *innermost = at;
  *out_is_open = true;
  return hashmap_put(&o->announced, line->thread, 0);
}

/* Returns the number of the row of the thread's innermost call; 0: it is in none. */
static size_t find_innermost_call(const struct open_calls *o, uint32_t thread) {
  uint64_t at = 0;
  hashmap_get(&o->innermost, thread, &at);
  return (size_t)at;
}

bool open_calls_has(const struct open_calls *o, uint32_t thread) {
  return find_innermost_call(o, thread) != 0;
}

/* Removes the row with this number. `inner`: that of the call inside of it; 0: it is the innermost.
 */
static void remove_open_call(struct open_calls *o, size_t at, size_t inner) {
  struct open_calls_row *row = &o->rows[at - 1];
  if (inner != 0) o->rows[inner - 1].outer = row->outer;
  /* The key exists, so this cannot fail. */
  if (inner == 0) hashmap_put(&o->innermost, row->thread, row->outer);
  row->outer = o->spare;
  o->spare = at;
}

void open_calls_forget(struct open_calls *o, const struct event_line *end) {
  if (!event_is_end(end->kind)) return;
  size_t inner = 0;
  for (size_t at = find_innermost_call(o, end->thread); at != 0; at = o->rows[at - 1].outer) {
    const struct open_calls_row *row = &o->rows[at - 1];
    if (row->object == end->object && row->kind == event_begin(end->kind)) {
      remove_open_call(o, at, inner);
      return;
    }
    inner = at;
  }
}

/* An event with the method of the call on top is the begin of a second call of that method. An
   event without a stack may be inside of the call. A monitor has no frame of its own: its holder
   may run in the frame that was blocked. */
static bool shows_end(const struct dump *d, const struct stacks *s,
                      const struct open_calls_row *row, const struct open_calls_sign *sign) {
  if (sign->event != NULL && sign->event->kind == EVENT_THREAD_ENDED) return true;
  if (sign->event != NULL && sign->stack == 0) return false;
  long at = stacks_find_frame(s, d, sign->stack, row->stack);
  if (at != 0) return at < 0;
  return sign->event != NULL || (sign->is_running && row->kind == EVENT_MONITOR_CONTENDED_ENTER);
}

bool open_calls_infer_end(struct open_calls *o, const struct dump *d, const struct stacks *s,
                          const struct open_calls_sign *sign, struct event_line *out,
                          stack_id_t *out_stack) {
  size_t at = find_innermost_call(o, sign->thread);
  if (at == 0) return false;
  struct open_calls_row row = o->rows[at - 1];
  if (!shows_end(d, s, &row, sign)) return false;
  /* Whether an attempt got its lock is not known. An attempt that failed claims less. */
  bool failed = lock_events[row.kind].act == LOCK_ACT_TRIES;
  *out = (struct event_line){.time = sign->time,
                             .kind = event_end(row.kind, failed),
                             .thread = row.thread,
                             .object = row.object};
  *out_stack = row.stack;
  remove_open_call(o, at, 0);
  return true;
}

void open_calls_free(struct open_calls *o) {
  hashmap_free(&o->announced);
  hashmap_free(&o->innermost);
  free(o->rows);
  *o = (struct open_calls){0};
}
