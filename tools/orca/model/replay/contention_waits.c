#include "tools/orca/model/replay/contention_state.h"

#include "tools/orca/model/base/rows.h"

/* Returns the number of an unused row; 0 when memory ran out. */
static size_t take_wait_row(struct contention *c) {
  size_t at = c->spare;
  if (at == 0) return rows_add(&c->waits, &c->num_waits, &c->waits_capacity, sizeof *c->waits);
  c->spare = c->waits[at - 1].next;
  return at;
}

/* Makes `wait` the first wait for its lock and the innermost one of its thread. */
static bool add_wait(struct contention *c, size_t thread, struct contention_wait wait) {
  size_t at = take_wait_row(c);
  if (at == 0) return false;
  size_t *first = &c->lock_states[wait.lock - 1].first_wait;
  wait.next = *first;
  wait.outer = c->threads[thread - 1].wait;
  c->waits[at - 1] = wait;
  if (*first != 0) c->waits[*first - 1].before = at;
  *first = at;
  c->threads[thread - 1].wait = at;
  return true;
}

/* A waiter is not the holder, and its line may name the holder. */
static bool update_holder(struct contention *c, struct contention_lock *lock,
                          const struct step *step, size_t waiter, size_t owner) {
  bool is_holder = lock->holder == waiter && lock->free_since == 0;
  if (is_holder && !contention_change_holder(c, lock, 0, 0, step->time)) return false;
  bool is_semaphore = lock->sort == LOCK_SEMAPHORE;
  if (is_semaphore) contention_note_bulk(c, lock, step);
  /* One holder of a semaphore does not keep others out while a permit is free. */
  if (owner == 0 || (is_semaphore && lock->free_since != 0)) return true;
  return contention_name_holder(c, lock, owner, step->time);
}

/* Have also acquisitions that need not wait a line? */
static bool has_free_lines(const struct contention *c, enum lock_sort sort, ticks_t time) {
  return sort != LOCK_MONITOR &&
         coverage_may_have_free(c->model->pass.holders.coverage, sort, time);
}

bool contention_begin_wait(struct contention *c, const struct step *step) {
  const struct event_line *line = step->event;
  enum lock_sort sort = lock_events[line->kind].sort;
  uint32_t id = c->by_class ? locks_class(c->model->dump, line->object) : line->object;
  uint64_t in_results = 0;
  hashmap_get(&c->ids, (uint64_t)sort << 32 | id, &in_results);
  if (in_results == 0) return true;
  size_t lock = contention_lock_number(c, sort, line->object);
  size_t thread = contention_thread_number(c, line->thread);
  size_t owner = step->owner == 0 ? 0 : contention_thread_number(c, step->owner);
  if (lock == 0 || thread == 0 || (owner == 0) != (step->owner == 0)) return false;
  struct contention_wait wait = {.id = step->matches ? (uint32_t)in_results - 1 : NOT_COUNTED,
                                 .lock = lock,
                                 .thread = line->thread,
                                 .kind = line->kind,
                                 .begin = step->time,
                                 .charged_until = step->time,
                                 .is_unsure = has_free_lines(c, sort, step->time)};
  return add_wait(c, thread, wait) &&
         update_holder(c, &c->lock_states[lock - 1], step, thread, owner);
}

static bool finish_wait(struct contention *c, struct contention_lock *lock,
                        struct contention_wait *wait, const struct step *step) {
  bool counts =
      wait->id != NOT_COUNTED && step->had_to_wait &&
      (contention_clip(c, wait->begin, step->pair->end) != 0 || !c->model->locks.matcher->active);
  if (!counts) return true;
  if (wait->handoff > 0 && !tally_add(&c->handoffs, wait->id, 0, 1, wait->handoff)) return false;
  if (lock->holder != 0 && !contention_end_part(c, wait, lock->holder)) return false;
  return contention_add_shares(c, wait);
}

/* Removes the innermost wait of a thread. */
static void remove_wait(struct contention *c, struct contention_thread *t) {
  size_t at = t->wait;
  struct contention_wait *wait = &c->waits[at - 1];
  struct contention_lock *lock = &c->lock_states[wait->lock - 1];
  if (wait->before != 0) c->waits[wait->before - 1].next = wait->next;
  if (wait->next != 0) c->waits[wait->next - 1].before = wait->before;
  if (lock->first_wait == at) lock->first_wait = wait->next;
  t->wait = wait->outer;
  contention_drop_shares(c, wait);
  wait->next = c->spare;
  c->spare = at;
}

/* The thread that ended a wait holds the lock now, unless others may hold it too. What is known
   about the holder of a lock without waits grows old. */
static bool set_holder_after_wait(struct contention *c, struct contention_lock *lock,
                                  const struct pair *pair, size_t thread) {
  bool is_alone = lock_sort_is_exclusive(lock_events[pair->kind].sort);
  if (lock->first_wait == 0) return contention_change_holder(c, lock, 0, 0, pair->end);
  if (pair->failed) return true;
  return contention_change_holder(c, lock, is_alone ? thread : 0, pair->stack, pair->end);
}

bool contention_end_wait(struct contention *c, const struct step *step) {
  const struct pair *pair = step->pair;
  size_t at = contention_thread_number(c, pair->thread);
  if (at == 0) return false;
  struct contention_thread *t = &c->threads[at - 1];
  struct contention_wait *wait = t->wait == 0 ? NULL : &c->waits[t->wait - 1];
  if (wait == NULL || wait->begin != pair->begin || wait->kind != pair->kind) return true;
  struct contention_lock *lock = &c->lock_states[wait->lock - 1];
  if (!pair->failed && lock->free_since != 0) contention_end_free(c, lock, pair->end);
  if (!contention_charge_lock(c, lock, pair->end)) return false;
  if (!finish_wait(c, lock, wait, step)) return false;
  remove_wait(c, t);
  return set_holder_after_wait(c, lock, pair, at);
}

bool contention_end_open_waits(struct contention *c, struct contention_lock *lock, ticks_t end) {
  if (!contention_charge_lock(c, lock, end)) return false;
  for (size_t at = lock->first_wait; at != 0; at = c->waits[at - 1].next) {
    struct contention_wait *wait = &c->waits[at - 1];
    bool is_charged = lock->holder != 0 && wait->charged > 0;
    if (is_charged && !contention_end_part(c, wait, lock->holder)) return false;
    if (!contention_add_shares(c, wait)) return false;
    bool has_handoff = wait->handoff > 0 && wait->id != NOT_COUNTED;
    if (has_handoff && !tally_add(&c->handoffs, wait->id, 0, 1, wait->handoff)) return false;
  }
  return true;
}
