#include "tools/orca/model/replay/contention_state.h"

#include "tools/orca/model/base/rows.h"

ticks_t contention_clip(const struct contention *c, ticks_t from, ticks_t to) {
  const struct matcher *m = c->model->locks.matcher;
  from = matcher_clip(m, from);
  to = matcher_clip(m, to);
  return to > from ? to - from : 0;
}

void contention_skip_uncharged(struct contention *c, const struct contention_lock *lock,
                               ticks_t now) {
  for (size_t at = lock->first_wait; at != 0; at = c->waits[at - 1].next) {
    if (c->waits[at - 1].charged_until < now) c->waits[at - 1].charged_until = now;
  }
}

static struct contention_pair *intern_contention_pair(struct contention *c, uint32_t blocked,
                                                      uint32_t holder) {
  bool is_new;
  struct contention_pair *pair = rows_at(&c->pair_rows, (uint64_t)blocked << 32 | holder, &c->pairs,
                                         &c->num_pairs, &c->pairs_capacity, sizeof *pair, &is_new);
  if (is_new) {
    uint32_t id = (uint32_t)c->num_pairs - 1;
    *pair = (struct contention_pair){.id = id, .blocked = blocked, .holder = holder};
  }
  return pair;
}

/* Charges the time since the last charge to the holder and its location. If it is late, the holder
   has become known only now, and its location meanwhile is not known. */
static bool charge_wait(struct contention *c, struct contention_wait *wait,
                        const struct contention_thread *holder, ticks_t now, bool is_late) {
  ticks_t time = contention_clip(c, wait->charged_until, now);
  if (wait->charged_until < now) wait->charged_until = now;
  c->charges++;
  if (wait->id == NOT_COUNTED) return true;
  wait->charged += time;
  struct contention_pair *pair = intern_contention_pair(c, wait->thread, holder->hash);
  if (pair == NULL) return false;
  pair->total += time;
  if (time == 0) return true;
  bool is_guessed = false;
  stack_id_t stack = is_late ? 0 : contention_location(c, wait, now, &is_guessed);
  uint64_t flag = is_guessed ? CONTENTION_GUESSED : 0;
  place_t place = stacks_place(&c->model->stacks, stack);
  return tally_add(&c->holder_stacks, wait->id, stack | flag, 1, time) &&
         tally_add(&c->holder_places, wait->id, place | flag, 1, time) &&
         tally_add(&c->held, wait->id, 0, 1, time) &&
         tally_add(&c->pair_locks, pair->id, wait->id, 0, time);
}

static bool charge_waits(struct contention *c, const struct contention_lock *lock, ticks_t now,
                         bool is_late) {
  if (lock->holder == 0 || lock->free_since != 0 || lock->is_left) return true;
  const struct contention_thread *holder = &c->threads[lock->holder - 1];
  for (size_t at = lock->first_wait; at != 0; at = c->waits[at - 1].next) {
    if (!charge_wait(c, &c->waits[at - 1], holder, now, is_late)) return false;
  }
  return true;
}

bool contention_charge_lock(struct contention *c, const struct contention_lock *lock, ticks_t now) {
  return charge_waits(c, lock, now, /* is_late */ false);
}

bool contention_charge_late(struct contention *c, const struct contention_lock *lock, ticks_t now) {
  return charge_waits(c, lock, now, /* is_late */ true);
}

bool contention_charge_holder(struct contention *c, size_t thread, ticks_t now) {
  for (size_t at = c->threads[thread - 1].first_lock; at != 0;
       at = c->lock_states[at - 1].next_held) {
    if (!contention_charge_lock(c, &c->lock_states[at - 1], now)) return false;
  }
  return true;
}

bool contention_count_wait(struct contention *c, struct contention_wait *wait, uint32_t holder) {
  if (wait->id == NOT_COUNTED) return true;
  struct contention_pair *pair = intern_contention_pair(c, wait->thread, holder);
  if (pair == NULL) return false;
  pair->times++;
  if (wait->charged > pair->longest) pair->longest = wait->charged;
  wait->charged = 0;
  return true;
}

/* In a wait for a condition, a thread gets and releases a lock without lines. */
void contention_end_free(struct contention *c, struct contention_lock *lock, ticks_t now) {
  bool is_queue = lock->sort != LOCK_MONITOR && lock->sort != LOCK_SEMAPHORE;
  ticks_t length = now - lock->free_since;
  bool is_known = !is_queue || c->last_await < lock->free_since;
  for (size_t at = lock->first_wait; at != 0 && is_known; at = c->waits[at - 1].next) {
    struct contention_wait *wait = &c->waits[at - 1];
    ticks_t from = wait->begin > lock->free_since ? wait->begin : lock->free_since;
    wait->handoff += contention_clip(c, from, now);
  }
  if (is_queue && is_known && length > c->longest_handoff) c->longest_handoff = length;
  contention_skip_uncharged(c, lock, now);
  lock->free_since = 0;
}
