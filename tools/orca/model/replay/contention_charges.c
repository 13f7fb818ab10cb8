#include "tools/orca/model/replay/contention_state.h"

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

/* Charges the time since the last charge to the holder and its location. A waiter is never charged
   to itself: a line can name it as the holder too early. `is_late`: the holder has become known
   only now, so its location meanwhile is not known. */
static bool charge_wait(struct contention *c, struct contention_wait *wait, size_t holder,
                        ticks_t now, bool is_late) {
  ticks_t time = contention_clip(c, wait->charged_until, now);
  if (wait->charged_until < now) wait->charged_until = now;
  c->charges++;
  bool is_own = wait->thread == c->threads[holder - 1].hash;
  if (wait->id == NOT_COUNTED || is_own || time == 0) return true;
  wait->charged += time;
  bool is_guessed = false;
  stack_id_t stack = is_late ? 0 : contention_location(c, wait, now, &is_guessed);
  uint64_t flag = is_guessed ? CONTENTION_GUESSED : 0;
  return contention_share_time(c, wait, holder, stack | flag, time);
}

static bool charge_waits(struct contention *c, const struct contention_lock *lock, ticks_t now,
                         bool is_late) {
  if (lock->holder == 0 || lock->free_since != 0 || lock->is_left) return true;
  for (size_t at = lock->first_wait; at != 0; at = c->waits[at - 1].next) {
    if (!charge_wait(c, &c->waits[at - 1], lock->holder, now, is_late)) return false;
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

bool contention_end_part(struct contention *c, struct contention_wait *wait, size_t holder) {
  bool is_own = wait->thread == c->threads[holder - 1].hash;
  if (wait->id == NOT_COUNTED || is_own) return true;
  ticks_t length = wait->charged;
  if (wait->main_holder == 0 || length > wait->longest) {
    wait->main_holder = holder;
    wait->longest = length;
  }
  wait->charged = 0;
  return contention_share_part(c, wait, holder, length);
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
