#include "tools/orca/model/replay/signals.h"

#include <stdlib.h>

#include "agent/event/meaning.h"
#include "tools/orca/model/base/rows.h"

/* A signal has its time shortly before it is done. */
#define RACE_TICKS (TICKS_PER_S / 1000)

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
  return tally_add(&s->parties, signals_group(s, row), thread, 1, failed ? 0 : 1);
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

static bool take_pair(struct signals *s, const struct pair *pair, ticks_t time) {
  enum event_kind call = find_partners(pair->kind);
  if (call == NUM_EVENTS) return true;
  s->last_calls[call] = time;
  struct signals_row *row = find_row(s, call, pair->object);
  if (row == NULL) return true;
  row->is_met = call == pair->kind;
  return add_party(s, row, pair->thread, pair->failed);
}

static void note_later_pair(struct signals *s, const struct pair *pair) {
  struct signals_row *row = find_row(s, pair->kind, find_object(pair));
  if (row != NULL) row->went_on = true;
}

static void take_parties(struct signals *s, const struct event_line *line) {
  enum event_kind call = line->kind == EVENT_LATCH_LACKS ? EVENT_LATCH_AWAIT : EVENT_PHASER_AWAIT;
  const struct waiter *w = wait_for_find(&s->model->hang.graph, line->thread);
  bool is_of_wait = w != NULL && w->pair.kind == call && line->time >= w->pair.begin;
  struct signals_row *row = is_of_wait ? find_row(s, call, w->pair.object) : NULL;
  if (row == NULL || row->went_on) return;
  row->parties = line->parties;
  row->parties_time = line->time;
}

bool signals_take(struct signals *s, const struct step *step) {
  const struct event_line *line = step->event;
  if (line == NULL) return true;
  if (shape_has_parties(event_infos[line->kind].shape)) take_parties(s, line);
  if (step->time > s->model->hang.moment) {
    if (step->pair != NULL) note_later_pair(s, step->pair);
    return true;
  }
  if (step->pair != NULL && !take_pair(s, step->pair, step->time)) return false;
  const struct lock_event *lock = &lock_events[line->kind];
  if (lock->sort == LOCK_SEMAPHORE && lock->act != LOCK_ACT_NONE) {
    struct signals_row *row = find_row(s, EVENT_SEMAPHORE_ACQUIRE, line->object);
    if (row != NULL) row->acquired += lock->act == LOCK_ACT_GOT;
    if (row != NULL) row->released += lock->act == LOCK_ACT_LEFT;
  }
  enum event_kind call = find_call(line->kind);
  if (call == NUM_EVENTS) return true;
  s->last_calls[call] = step->time;
  struct signals_row *row = find_row(s, call, line->object);
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

uint32_t signals_group(const struct signals *s, const struct signals_row *row) {
  return (uint32_t)(row - s->rows);
}

const struct tally_row *signals_parties(const struct signals *s, const struct signals_row *row,
                                        size_t *out_num) {
  return tally_of(&s->parties, signals_group(s, row), out_num);
}

/* These are parked on their sync, or on a node, which no other event names. */
static bool has_own_blocker(enum event_kind call) {
  return call == EVENT_SEMAPHORE_ACQUIRE || call == EVENT_LATCH_AWAIT || call == EVENT_PHASER_AWAIT;
}

bool signals_are_all(const struct signals *s, const struct signals_row *row,
                     const struct pair *pair) {
  if (pair->is_older && has_own_blocker(row->call)) return s->last_calls[row->call] == 0;
  return row->num > 0 || !row->is_met;
}

bool signals_have_parties(const struct signals *s, const struct signals_row *row,
                          const struct pair *pair) {
  bool is_of_object = row->call == EVENT_LATCH_AWAIT && !pair->is_older;
  ticks_t last = is_of_object ? row->time : s->last_calls[row->call];
  return row->parties.missing > 0 && row->parties_time > last + RACE_TICKS;
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
