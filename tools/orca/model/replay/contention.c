#include "tools/orca/model/replay/contention.h"

#include <stdlib.h>

#include "tools/orca/model/base/rows.h"
#include "tools/orca/model/base/sorting.h"

/* Calls of one thread that are under way, one inside of the other. */
#define NESTED 8

struct contention_thread {
  uint32_t hash;
  stack_id_t seen; /* by the samples */
  stack_id_t last; /* of its last event */
  struct {
    enum event_kind kind;
    stack_id_t stack;
  } calls[NESTED];
  unsigned num_calls;
  size_t first; /* of the asks that wait for it, plus one */
};

/* A thread that waits for a lock whose holder is known. */
struct contention_ask {
  uint32_t lock; /* its id */
  uint32_t pair; /* row */
  enum event_kind kind;
  uint32_t object;
  ticks_t begin, mark; /* up to `mark` it is known where the holder was */
  size_t before, next; /* of the same holder, or a spare one; plus one */
};

/* --- locks -------------------------------------------------------------------------------- */

static uint64_t key_of(const struct contention *c, enum lock_sort sort, uint32_t object) {
  uint32_t what = c->by_class ? locks_class(c->model->dump, object) : object;
  return (uint64_t)sort << 32 | what;
}

bool contention_start(struct contention *c, struct model *m, const struct locks *locks) {
  *c = (struct contention){.model = m, .locks = locks, .by_class = locks != &m->locks};
  for (size_t i = 0; i < locks->num; i++) {
    const struct lock *lock = &locks->rows[i];
    uint64_t key = (uint64_t)lock->sort << 32 | (c->by_class ? lock->class_id : lock->object);
    if (!hashmap_put(&c->lock_ids, key, (uint64_t)lock->id + 1)) return false;
  }
  return true;
}

/* --- rows -------------------------------------------------------------------------- */

/* The row of a thread plus one; 0 where memory runs out. */
static size_t thread_of(struct contention *c, uint32_t hash) {
  size_t number = rows_number(&c->ids, hash, &c->threads, &c->num_threads, &c->threads_capacity,
                              sizeof *c->threads, NULL);
  if (number != 0) c->threads[number - 1].hash = hash;
  return number;
}

static size_t pair_of(struct contention *c, uint32_t blocked, uint32_t holder) {
  bool is_new;
  size_t number = rows_number(&c->pair_ids, (uint64_t)blocked << 32 | holder, &c->pairs,
                              &c->num_pairs, &c->pairs_capacity, sizeof *c->pairs, &is_new);
  if (is_new) {
    c->pairs[number - 1] =
        (struct contention_pair){.id = (uint32_t)number - 1, .blocked = blocked, .holder = holder};
  }
  return number;
}

static size_t take_slot(struct contention *c) {
  size_t at = c->spare;
  if (at == 0) return rows_add(&c->asks, &c->num_asks, &c->asks_capacity, sizeof *c->asks);
  c->spare = c->asks[at - 1].next;
  return at;
}

/* --- where a holder is ------------------------------------------------------------- */

static stack_id_t stack_of(const struct contention_thread *t, bool *out_guessed) {
  *out_guessed = t->num_calls == 0 && t->seen == 0 && t->last != 0;
  if (*out_guessed) return t->last;
  return t->num_calls > 0 ? t->calls[t->num_calls - 1].stack : t->seen;
}

static ticks_t between(const struct contention *c, ticks_t from, ticks_t to) {
  const struct matcher *m = c->model->locks.matcher;
  from = matcher_clip(m, from);
  to = matcher_clip(m, to);
  return to > from ? to - from : 0;
}

static bool add_time(struct contention *c, const struct contention_ask *ask,
                     const struct contention_thread *holder, ticks_t time) {
  bool guessed;
  stack_id_t stack = stack_of(holder, &guessed);
  uint64_t guess = guessed ? CONTENTION_GUESSED : 0;
  place_t place = stacks_place(&c->model->stacks, stack);
  return tally_add(&c->holder_stacks, ask->lock, stack | guess, 1, time) &&
         tally_add(&c->holder_places, ask->lock, place | guess, 1, time) &&
         tally_add(&c->pair_locks, c->pairs[ask->pair].id, ask->lock, 0, time);
}

static bool settle_ask(struct contention *c, struct contention_ask *ask,
                       const struct contention_thread *holder, ticks_t now) {
  ticks_t time = between(c, ask->mark, now);
  ask->mark = now;
  c->pairs[ask->pair].total += time;
  return time == 0 || add_time(c, ask, holder, time);
}

/* What a thread did up to now, it did while those waited who wait for it. */
static bool settle(struct contention *c, const struct contention_thread *t, ticks_t now) {
  for (size_t at = t->first; at != 0; at = c->asks[at - 1].next) {
    if (!settle_ask(c, &c->asks[at - 1], t, now)) return false;
  }
  return true;
}

/* --- waiting --------------------------------------------------------------- */

/* A pair that begins, or one of which the owner is heard only now. */
static bool add_ask(struct contention *c, const struct step *step, enum event_kind kind,
                    ticks_t begin) {
  const struct event_line *line = step->event;
  uint64_t lock = 0;
  if (step->owner == 0 || !lock_event_asks(kind) || !step->matches) return true;
  hashmap_get(&c->lock_ids, key_of(c, lock_events[kind].sort, line->object), &lock);
  if (lock == 0) return true;
  size_t holder = thread_of(c, step->owner), pair = pair_of(c, line->thread, step->owner);
  size_t at = holder == 0 || pair == 0 ? 0 : take_slot(c);
  if (at == 0) return false;
  struct contention_thread *t = &c->threads[holder - 1];
  c->asks[at - 1] = (struct contention_ask){.lock = (uint32_t)lock - 1,
                                            .pair = (uint32_t)pair - 1,
                                            .kind = kind,
                                            .object = line->object,
                                            .begin = begin,
                                            .mark = begin,
                                            .next = t->first};
  if (t->first != 0) c->asks[t->first - 1].before = at;
  t->first = at;
  return true;
}

/* Whoever gets a semaphore that nobody released meanwhile found it free. */
static bool has_waited(const struct contention *c, const struct contention_ask *ask) {
  uint64_t released = 0;
  if (ask->kind != EVENT_SEMAPHORE_ACQUIRE && ask->kind != EVENT_SEMAPHORE_TRY) return true;
  hashmap_get(&c->releases, ask->object, &released);
  return released > ask->begin;
}

static void count_ask(struct contention *c, const struct contention_ask *ask, ticks_t end) {
  struct contention_pair *pair = &c->pairs[ask->pair];
  ticks_t took = between(c, ask->begin, end);
  if (!has_waited(c, ask) || (took == 0 && c->model->locks.matcher->active)) return;
  pair->times++;
  if (took > pair->longest) pair->longest = took;
}

static void unlink_ask(struct contention *c, struct contention_thread *t, size_t at) {
  struct contention_ask *ask = &c->asks[at - 1];
  if (ask->before != 0) c->asks[ask->before - 1].next = ask->next;
  if (ask->next != 0) c->asks[ask->next - 1].before = ask->before;
  if (t->first == at) t->first = ask->next;
  ask->next = c->spare;
  c->spare = at;
}

static bool end_ask(struct contention *c, const struct pair *pair) {
  uint64_t row = 0;
  if (pair->owner == 0) return true;
  hashmap_get(&c->ids, pair->owner, &row);
  struct contention_thread *t = row == 0 ? NULL : &c->threads[row - 1];
  size_t at = t == NULL ? 0 : t->first;
  for (; at != 0; at = c->asks[at - 1].next) {
    const struct contention_ask *ask = &c->asks[at - 1];
    if (c->pairs[ask->pair].blocked == pair->thread && ask->begin == pair->begin) break;
  }
  if (at == 0) return true;
  if (!settle_ask(c, &c->asks[at - 1], t, pair->end)) return false;
  count_ask(c, &c->asks[at - 1], pair->end);
  unlink_ask(c, t, at);
  return true;
}

/* --- steps ----------------------------------------------------------------- */

static bool begin_call(struct contention *c, const struct step *step, struct contention_thread *t) {
  if (t->num_calls == NESTED) t->num_calls--;
  t->calls[t->num_calls].kind = step->event->kind;
  t->calls[t->num_calls++].stack = step->stack;
  return add_ask(c, step, step->event->kind, step->time);
}

static bool end_call(struct contention *c, const struct pair *pair, struct contention_thread *t) {
  unsigned num = t->num_calls;
  while (num > 0 && t->calls[num - 1].kind != pair->kind) num--;
  if (num > 0) t->num_calls = num - 1;
  return end_ask(c, pair);
}

static bool take_sample(struct contention *c, const struct step *step) {
  if (step->sample->kind != SAMPLE_THREAD) return true;
  size_t at = thread_of(c, step->sample->thread);
  if (at == 0 || !settle(c, &c->threads[at - 1], step->time)) return false;
  c->threads[at - 1].seen = step->stack;
  return true;
}

/* What a thread did up to its event is settled before that. */
static bool take_event(struct contention *c, const struct step *step) {
  const struct event_line *line = step->event;
  size_t at = thread_of(c, line->thread);
  if (at == 0 || !settle(c, &c->threads[at - 1], step->time)) return false;
  struct contention_thread *t = &c->threads[at - 1];
  if (step->stack != 0) t->last = step->stack;
  if (step->pair != NULL) return end_call(c, step->pair, t);
  if (step->told != NULL) return add_ask(c, step, step->told->kind, step->told->begin);
  return event_infos[line->kind].role != ROLE_BEGIN || begin_call(c, step, t);
}

/* Asks that never ended are still in line at the end. */
bool contention_take(struct contention *c, const struct step *step) {
  if (step->sample != NULL) return take_sample(c, step);
  if (step->event == NULL) return true;
  if (step->event->kind == EVENT_SEMAPHORE_RELEASE &&
      !hashmap_put(&c->releases, step->event->object, step->time)) {
    return false;
  }
  return take_event(c, step);
}

/* --- the end --------------------------------------------------------------- */

static int by_size(const void *left, const void *right) {
  const struct contention_pair *a = left, *b = right;
  if (a->total != b->total) return compare_numbers(b->total, a->total);
  if (a->times != b->times) return compare_numbers(b->times, a->times);
  return compare_numbers(a->id, b->id);
}

/* Those that are in line still were up to the end. */
static bool end_thread(struct contention *c, const struct contention_thread *t, ticks_t end) {
  if (!settle(c, t, end)) return false;
  for (size_t at = t->first; at != 0; at = c->asks[at - 1].next) {
    struct contention_pair *pair = &c->pairs[c->asks[at - 1].pair];
    ticks_t took = between(c, c->asks[at - 1].begin, end);
    pair->times++;
    if (took > pair->longest) pair->longest = took;
  }
  return true;
}

static void drop_empty(struct contention *c) {
  size_t kept = 0;
  for (size_t i = 0; i < c->num_pairs; i++) {
    if (c->pairs[i].times > 0) c->pairs[kept++] = c->pairs[i];
  }
  c->num_pairs = kept;
}

bool contention_end(struct contention *c) {
  for (size_t i = 0; i < c->num_threads; i++) {
    if (!end_thread(c, &c->threads[i], c->model->recording.end)) return false;
  }
  hashmap_free(&c->pair_ids); /* its rows are about to move */
  drop_empty(c);
  if (c->num_pairs > 0) qsort(c->pairs, c->num_pairs, sizeof *c->pairs, by_size);
  tally_sort(&c->holder_stacks);
  tally_sort(&c->holder_places);
  tally_sort(&c->pair_locks);
  return true;
}

static bool take_step(void *to, const struct step *step) { return contention_take(to, step); }

bool contention_read(struct contention *c, struct model *m, const struct locks *locks) {
  return contention_start(c, m, locks) && replay(m, REPLAY_LINES, take_step, c) &&
         contention_end(c);
}

void contention_free(struct contention *c) {
  hashmap_free(&c->lock_ids);
  hashmap_free(&c->pair_ids);
  hashmap_free(&c->ids);
  hashmap_free(&c->releases);
  tally_free(&c->holder_stacks);
  tally_free(&c->holder_places);
  tally_free(&c->pair_locks);
  free(c->pairs);
  free(c->threads);
  free(c->asks);
  *c = (struct contention){0};
}
