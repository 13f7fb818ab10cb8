#include "tools/orca/model/replay/signals.h"

#include <stdlib.h>

#include "agent/event/meaning.h"
#include "tools/orca/model/base/rows.h"

static uint64_t make_key(enum event_kind call, uint32_t object) {
  return (uint64_t)call << 32 | object;
}

/* An unpark names a thread, not the object on which it is parked. */
static uint32_t find_object(const struct pair *pair) {
  return pair->kind == EVENT_THREAD_PARK ? pair->thread : pair->object;
}

static struct signals_row *find_row(const struct signals *s, enum event_kind call,
                                    uint32_t object) {
  uint64_t at = 0;
  hashmap_get(&s->ids, make_key(call, object), &at);
  return at == 0 ? NULL : &s->rows[at - 1];
}

bool signals_start(struct signals *s, const struct model *m) {
  const struct wait_for *graph = &m->hang.graph;
  s->model = m;
  for (size_t i = 0; i < graph->num; i++) {
    const struct pair *pair = &graph->waiters[i].pair;
    uint32_t object = find_object(pair);
    bool is_wanted = !graph->waiters[i].can_end || hang_lasts(m, &graph->waiters[i]);
    if (!is_wanted || object == 0) continue;
    struct signals_row *row = rows_at(&s->ids, make_key(pair->kind, object), &s->rows, &s->num,
                                      &s->capacity, sizeof *row, NULL);
    if (row == NULL) return false;
    row->call = pair->kind;
    row->object = object;
  }
  return true;
}

/* Returns the wait that an event could end; NUM_EVENTS: none. */
static enum event_kind find_call(enum event_kind kind) {
  return wake_event_signals(kind) ? wake_events[kind].call : NUM_EVENTS;
}

/* Counts a signal of a thread that has ended, or that does not wait for this object itself. */
static void count_others(const struct signals *s, const struct event_line *line,
                         struct signals_row *row) {
  const struct wait_for *graph = &s->model->hang.graph;
  const struct waiter *waiter = wait_for_find(graph, line->thread);
  uint64_t ended;
  bool waits = waiter != NULL && waiter->pair.object == line->object;
  bool has_ended = hashmap_get(&graph->ended, line->thread, &ended);
  row->num_ended += has_ended;
  row->num_others += !waits && !has_ended;
}

static bool add_party(struct signals *s, const struct signals_row *row, uint32_t thread,
                      bool failed) {
  return tally_add(&s->parties, (uint32_t)(row - s->rows), thread, 1, failed ? 0 : 1);
}

/* Returns the wait for which the threads of such a pair matter; NUM_EVENTS: none. */
static enum event_kind find_partners(enum event_kind kind) {
  switch (kind) {
    case EVENT_BARRIER_AWAIT:
    case EVENT_PHASER_AWAIT:
    case EVENT_EXCHANGE:
      return kind;
    case EVENT_QUEUE_INSERT:
      return EVENT_QUEUE_REMOVE;
    case EVENT_QUEUE_REMOVE:
      return EVENT_QUEUE_INSERT;
    default:
      return NUM_EVENTS;
  }
}

static bool take_pair(struct signals *s, const struct pair *pair) {
  enum event_kind call = find_partners(pair->kind);
  const struct signals_row *row = call == NUM_EVENTS ? NULL : find_row(s, call, pair->object);
  return row == NULL || add_party(s, row, pair->thread, pair->failed);
}

bool signals_take(struct signals *s, const struct step *step) {
  const struct event_line *line = step->event;
  if (line == NULL || step->time > s->model->hang.moment) return true;
  if (step->pair != NULL && !take_pair(s, step->pair)) return false;
  const struct lock_event *lock = &lock_events[line->kind];
  if (lock->sort == LOCK_SEMAPHORE && lock->act != LOCK_ACT_NONE) {
    struct signals_row *row = find_row(s, EVENT_SEMAPHORE_ACQUIRE, line->object);
    if (row != NULL) row->acquired += lock->act == LOCK_ACT_GOT;
    if (row != NULL) row->released += lock->act == LOCK_ACT_LEFT;
  }
  enum event_kind call = find_call(line->kind);
  struct signals_row *row = call == NUM_EVENTS ? NULL : find_row(s, call, line->object);
  if (row == NULL) return true;
  row->is_mixed |= row->num > 0 && row->last != line->kind;
  row->num++;
  count_others(s, line, row);
  row->last = line->kind;
  row->thread = line->thread;
  row->stack = step->stack;
  row->time = step->time;
  return add_party(s, row, line->thread, false);
}

void signals_end(struct signals *s) { tally_sort(&s->parties); }

const struct tally_row *signals_parties(const struct signals *s, const struct signals_row *row,
                                        size_t *out_num) {
  return tally_of(&s->parties, (uint32_t)(row - s->rows), out_num);
}

const struct signals_row *signals_find(const struct signals *s, const struct pair *pair) {
  return find_row(s, pair->kind, find_object(pair));
}

void signals_free(struct signals *s) {
  hashmap_free(&s->ids);
  tally_free(&s->parties);
  free(s->rows);
  *s = (struct signals){0};
}
