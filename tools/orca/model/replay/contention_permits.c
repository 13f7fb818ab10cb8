#include "tools/orca/model/replay/contention_state.h"

/* If a waiter seems to leave a free permit alone for longer, the permit does not exist:
   Semaphore.drainPermits and reducePermits have no lines. */
#define LONGEST_FREE_PERMIT (TICKS_PER_S / 10)

/* Semaphore.acquire(int) and release(int) do not say how many permits. */
static bool is_bulk(const struct contention *c, stack_id_t stack) {
  size_t depth;
  const struct frame *frames = stacks_frames(&c->model->stacks, stack, &depth);
  const struct method_line *method =
      depth == 0 ? NULL : dump_method(c->model->dump, frames[0].method);
  return method == NULL || span_starts(method->signature, "(I");
}

void contention_note_bulk(struct contention *c, struct contention_lock *lock,
                          const struct step *step) {
  if (!is_bulk(c, step->stack)) return;
  if (lock->free_since != 0) contention_skip_uncharged(c, lock, step->time);
  lock->free_since = 0;
  lock->has_bulk = true;
}

/* Returns whether waiters show that no more permits are free than at `least`:
   - A waiter came while more permits were free and nobody else waited, and it still waits.
   - A waiter left them alone for long. */
static bool has_no_more_permits(const struct contention *c, const struct contention_lock *lock,
                                bool is_release, ticks_t now) {
  ticks_t first = UINT64_MAX;
  if (lock->more_since == 0) return false;
  for (size_t at = lock->first_wait; at != 0; at = c->waits[at - 1].next) {
    if (c->waits[at - 1].begin < first) first = c->waits[at - 1].begin;
  }
  if (first == UINT64_MAX) return false;
  ticks_t since = first > lock->more_since ? first : lock->more_since;
  return (is_release && first > lock->more_since) || now - since > LONGEST_FREE_PERMIT;
}

static void count_permit(struct contention *c, struct contention_lock *lock, int change,
                         ticks_t now) {
  if (has_no_more_permits(c, lock, change > 0, now)) {
    contention_skip_uncharged(c, lock, now);
    lock->least = lock->permits;
    lock->free_since = lock->more_since = 0;
  }
  if (lock->free_since != 0) contention_end_free(c, lock, now);
  lock->permits += change;
  if (lock->permits < lock->least) lock->least = lock->permits;
  bool is_more = lock->permits > lock->least;
  if (!is_more || lock->more_since == 0) lock->more_since = is_more ? now : 0;
  if (is_more && !lock->has_bulk && c->has_permits) lock->free_since = now;
}

bool contention_take_permit(struct contention *c, const struct step *step) {
  enum lock_act act = lock_events[step->event->kind].act;
  size_t at = contention_lock_number(c, LOCK_SEMAPHORE, step->event->object);
  if (at == 0) return false;
  struct contention_lock *lock = &c->lock_states[at - 1];
  contention_note_bulk(c, lock, step);
  if (act == LOCK_ACT_GOT) count_permit(c, lock, -1, step->time);
  if (act != LOCK_ACT_LEFT) return true;
  if (!contention_charge_lock(c, lock, step->time)) return false;
  count_permit(c, lock, 1, step->time);
  /* Its holder may be the thread that releases it. */
  return lock->free_since != 0 || contention_change_holder(c, lock, 0, 0, step->time);
}
