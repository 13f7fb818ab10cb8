#include "tools/orca/model/replay/contention.h"

#include <stdlib.h>

#include "tools/orca/model/base/rows.h"
#include "tools/orca/model/base/sorting.h"

/* Nested calls of one thread that have not ended. */
#define NESTED 8

struct contention_thread {
  stack_id_t sample_stack; /* of its last sample */
  stack_id_t event_stack;  /* of its last event that has one */
  struct {
    enum event_kind kind;
    stack_id_t stack;
  } calls[NESTED];
  unsigned num_calls;
  size_t first_wait; /* of the waits for its locks: row plus one */
};

/* A wait for a lock whose holder is known. */
struct contention_wait {
  uint32_t lock; /* its id */
  uint32_t pair; /* its row */
  enum event_kind kind;
  uint32_t object;
  ticks_t begin;
  ticks_t charged_until; /* the time before is added to the results */
  size_t before, next;   /* waits for the same holder, or the next free row; plus one */
};

/* --- locks -------------------------------------------------------------------------------- */

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

/* Returns the row of a thread plus one, 0 when memory ran out. */
static size_t intern_contention_thread(struct contention *c, uint32_t hash) {
  return rows_number(&c->ids, hash, &c->threads, &c->num_threads, &c->threads_capacity,
                     sizeof *c->threads, NULL);
}

static size_t intern_contention_pair(struct contention *c, uint32_t blocked, uint32_t holder) {
  bool is_new;
  size_t number = rows_number(&c->pair_ids, (uint64_t)blocked << 32 | holder, &c->pairs,
                              &c->num_pairs, &c->pairs_capacity, sizeof *c->pairs, &is_new);
  if (is_new) {
    c->pairs[number - 1] =
        (struct contention_pair){.id = (uint32_t)number - 1, .blocked = blocked, .holder = holder};
  }
  return number;
}

static size_t take_contention_wait(struct contention *c) {
  size_t at = c->spare;
  if (at == 0) return rows_add(&c->waits, &c->num_waits, &c->waits_capacity, sizeof *c->waits);
  c->spare = c->waits[at - 1].next;
  return at;
}

/* --- the holder's location --------------------------------------------------------- */

/* Returns the part of a time that is in the range of the filter. */
static ticks_t measure_clipped(const struct contention *c, ticks_t from, ticks_t to) {
  const struct matcher *m = c->model->locks.matcher;
  from = matcher_clip(m, from);
  to = matcher_clip(m, to);
  return to > from ? to - from : 0;
}

/* Charges the time since the last charge to the location of the holder. */
static bool charge_wait(struct contention *c, struct contention_wait *wait,
                        const struct contention_thread *holder, ticks_t now) {
  ticks_t time = measure_clipped(c, wait->charged_until, now);
  wait->charged_until = now;
  c->pairs[wait->pair].total += time;
  if (time == 0) return true;
  bool is_guessed = holder->num_calls == 0 && holder->sample_stack == 0 && holder->event_stack != 0;
  stack_id_t stack = is_guessed ? holder->event_stack : holder->sample_stack;
  if (holder->num_calls > 0) stack = holder->calls[holder->num_calls - 1].stack;
  uint64_t flag = is_guessed ? CONTENTION_GUESSED : 0;
  place_t place = stacks_place(&c->model->stacks, stack);
  return tally_add(&c->holder_stacks, wait->lock, stack | flag, 1, time) &&
         tally_add(&c->holder_places, wait->lock, place | flag, 1, time) &&
         tally_add(&c->pair_locks, c->pairs[wait->pair].id, wait->lock, 0, time);
}

/* Charges the time since the holder's last line to each of its waiters. */
static bool charge_waits(struct contention *c, const struct contention_thread *holder,
                         ticks_t now) {
  for (size_t at = holder->first_wait; at != 0; at = c->waits[at - 1].next) {
    if (!charge_wait(c, &c->waits[at - 1], holder, now)) return false;
  }
  return true;
}

/* --- waits ----------------------------------------------------------------- */

/* Adds the wait of a pair whose owner is known when it begins, or becomes known later. */
static bool add_contention_wait(struct contention *c, const struct step *step, enum event_kind kind,
                                ticks_t begin) {
  const struct event_line *line = step->event;
  if (step->owner == 0 || !lock_event_asks(kind) || !step->matches) return true;
  uint32_t id = c->by_class ? locks_class(c->model->dump, line->object) : line->object;
  uint64_t lock = 0;
  hashmap_get(&c->lock_ids, (uint64_t)lock_events[kind].sort << 32 | id, &lock);
  if (lock == 0) return true;
  size_t holder = intern_contention_thread(c, step->owner);
  size_t pair = intern_contention_pair(c, line->thread, step->owner);
  size_t at = holder == 0 || pair == 0 ? 0 : take_contention_wait(c);
  if (at == 0) return false;
  struct contention_thread *t = &c->threads[holder - 1];
  c->waits[at - 1] = (struct contention_wait){.lock = (uint32_t)lock - 1,
                                              .pair = (uint32_t)pair - 1,
                                              .kind = kind,
                                              .object = line->object,
                                              .begin = begin,
                                              .charged_until = begin,
                                              .next = t->first_wait};
  if (t->first_wait != 0) c->waits[t->first_wait - 1].before = at;
  t->first_wait = at;
  return true;
}

/* The acquisition of a semaphore was uncontended if no thread released the semaphore meanwhile. */
static bool is_contended(const struct contention *c, const struct contention_wait *wait) {
  uint64_t released = 0;
  if (wait->kind != EVENT_SEMAPHORE_ACQUIRE && wait->kind != EVENT_SEMAPHORE_TRY) return true;
  hashmap_get(&c->releases, wait->object, &released);
  return released > wait->begin;
}

static void remove_wait(struct contention *c, struct contention_thread *t, size_t at) {
  struct contention_wait *wait = &c->waits[at - 1];
  if (wait->before != 0) c->waits[wait->before - 1].next = wait->next;
  if (wait->next != 0) c->waits[wait->next - 1].before = wait->before;
  if (t->first_wait == at) t->first_wait = wait->next;
  wait->next = c->spare;
  c->spare = at;
}

static bool end_contention_wait(struct contention *c, const struct pair *pair) {
  uint64_t holder = 0;
  if (pair->owner == 0) return true;
  hashmap_get(&c->ids, pair->owner, &holder);
  struct contention_thread *t = holder == 0 ? NULL : &c->threads[holder - 1];
  size_t at = t == NULL ? 0 : t->first_wait;
  for (; at != 0; at = c->waits[at - 1].next) {
    const struct contention_wait *other = &c->waits[at - 1];
    if (c->pairs[other->pair].blocked == pair->thread && other->begin == pair->begin) break;
  }
  if (at == 0) return true;
  if (!charge_wait(c, &c->waits[at - 1], t, pair->end)) return false;
  const struct contention_wait *wait = &c->waits[at - 1];
  ticks_t took = measure_clipped(c, wait->begin, pair->end);
  if (is_contended(c, wait) && (took != 0 || !c->model->locks.matcher->active)) {
    struct contention_pair *row = &c->pairs[wait->pair];
    row->times++;
    if (took > row->longest) row->longest = took;
  }
  remove_wait(c, t, at);
  return true;
}

/* --- steps ----------------------------------------------------------------- */

static bool take_contention_sample(struct contention *c, const struct step *step) {
  if (step->sample->kind != SAMPLE_THREAD) return true;
  size_t at = intern_contention_thread(c, step->sample->thread);
  if (at == 0 || !charge_waits(c, &c->threads[at - 1], step->time)) return false;
  c->threads[at - 1].sample_stack = step->stack;
  return true;
}

/* Charges the time before the event to the location before the event. */
static bool take_contention_event(struct contention *c, const struct step *step) {
  const struct event_line *line = step->event;
  size_t at = intern_contention_thread(c, line->thread);
  if (at == 0 || !charge_waits(c, &c->threads[at - 1], step->time)) return false;
  struct contention_thread *t = &c->threads[at - 1];
  if (step->stack != 0) t->event_stack = step->stack;
  if (step->pair != NULL) {
    unsigned num = t->num_calls;
    while (num > 0 && t->calls[num - 1].kind != step->pair->kind) num--;
    if (num > 0) t->num_calls = num - 1;
    return end_contention_wait(c, step->pair);
  }
  if (step->named_pair != NULL) {
    return add_contention_wait(c, step, step->named_pair->kind, step->named_pair->begin);
  }
  if (event_infos[line->kind].role != ROLE_BEGIN) return true;
  if (t->num_calls == NESTED) t->num_calls--;
  t->calls[t->num_calls].kind = line->kind;
  t->calls[t->num_calls++].stack = step->stack;
  return add_contention_wait(c, step, line->kind, step->time);
}

/* Steps of open pairs are ignored: contention_end counts their waits. */
bool contention_take(struct contention *c, const struct step *step) {
  if (step->sample != NULL) return take_contention_sample(c, step);
  if (step->event == NULL) return true;
  if (step->event->kind == EVENT_SEMAPHORE_RELEASE &&
      !hashmap_put(&c->releases, step->event->object, step->time)) {
    return false;
  }
  return take_contention_event(c, step);
}

/* --- the end --------------------------------------------------------------- */

static int compare_contention_pairs(const void *left, const void *right) {
  const struct contention_pair *a = left, *b = right;
  if (a->total != b->total) return compare_numbers(b->total, a->total);
  if (a->times != b->times) return compare_numbers(b->times, a->times);
  return compare_numbers(a->id, b->id);
}

bool contention_end(struct contention *c) {
  ticks_t end = c->model->recording.end;
  for (size_t i = 0; i < c->num_threads; i++) {
    if (!charge_waits(c, &c->threads[i], end)) return false;
    /* The waits that are open last until the end. */
    for (size_t at = c->threads[i].first_wait; at != 0; at = c->waits[at - 1].next) {
      struct contention_pair *pair = &c->pairs[c->waits[at - 1].pair];
      ticks_t took = measure_clipped(c, c->waits[at - 1].begin, end);
      pair->times++;
      if (took > pair->longest) pair->longest = took;
    }
  }
  hashmap_free(&c->pair_ids); /* its rows are about to move */
  size_t kept = 0;
  for (size_t i = 0; i < c->num_pairs; i++) {
    if (c->pairs[i].times > 0) c->pairs[kept++] = c->pairs[i];
  }
  c->num_pairs = kept;
  if (c->num_pairs > 0) qsort(c->pairs, c->num_pairs, sizeof *c->pairs, compare_contention_pairs);
  tally_sort(&c->holder_stacks);
  tally_sort(&c->holder_places);
  tally_sort(&c->pair_locks);
  return true;
}

static bool take_contention_step(void *arg, const struct step *step) {
  return contention_take(arg, step);
}

bool contention_read(struct contention *c, struct model *m, const struct locks *locks) {
  return contention_start(c, m, locks) && replay(m, REPLAY_LINES, take_contention_step, c) &&
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
  free(c->waits);
  *c = (struct contention){0};
}
