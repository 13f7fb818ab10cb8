#include "tools/orca/model/replay/contention_state.h"

#include "tools/orca/model/base/rows.h"

#define PART (UINT64_C(1) << 62)    /* instead of a location: the length of a part of the wait */
#define CERTAIN (UINT64_C(1) << 61) /* added to a location: the time is one of certain_stacks */

/* With lines of acquisitions that need not wait, only the end of a wait shows whether the thread
   had to wait (releases_had_to_wait). Until then the wait keeps what it would add to the results:
   the time of a wait for a holder at a location; or, with PART, the number of the parts of a holder
   and the longest one. */
struct contention_share {
  size_t holder;
  uint64_t location; /* key of holder_stacks, perhaps with CERTAIN; or PART */
  ticks_t time;
  uint64_t parts;
  size_t next; /* of the same wait, or the next free row */
};

static struct contention_pair *intern_contention_pair(struct contention *c, uint32_t blocked,
                                                      size_t holder) {
  bool is_new;
  uint32_t hash = c->threads[holder - 1].hash;
  struct contention_pair *pair = rows_at(&c->pair_rows, (uint64_t)blocked << 32 | hash, &c->pairs,
                                         &c->num_pairs, &c->pairs_capacity, sizeof *pair, &is_new);
  if (is_new) {
    uint32_t id = (uint32_t)c->num_pairs - 1;
    *pair = (struct contention_pair){.id = id, .blocked = blocked, .holder = hash};
  }
  return pair;
}

/* --- the results --------------------------------------------------------------------------- */

static bool add_part(struct contention *c, const struct contention_wait *wait, size_t holder,
                     uint64_t parts, ticks_t longest) {
  struct contention_pair *pair = intern_contention_pair(c, wait->thread, holder);
  if (pair == NULL) return false;
  pair->parts += parts;
  if (longest > pair->longest) pair->longest = longest;
  return true;
}

static bool add_time(struct contention *c, const struct contention_wait *wait, size_t holder,
                     uint64_t location, ticks_t time) {
  struct contention_pair *pair = intern_contention_pair(c, wait->thread, holder);
  if (pair == NULL) return false;
  pair->total += time;
  bool is_certain = (location & CERTAIN) != 0;
  location &= ~CERTAIN;
  place_t place = stacks_place(&c->model->stacks, (stack_id_t)location);
  uint64_t guessed = location & CONTENTION_GUESSED;
  return (!is_certain || tally_add(&c->certain_stacks, wait->id, location, 1, time)) &&
         tally_add(&c->holder_stacks, wait->id, location, 1, time) &&
         tally_add(&c->holder_places, wait->id, place | guessed, 1, time) &&
         tally_add(&c->held, wait->id, 0, 1, time) &&
         tally_add(&c->pair_locks, pair->id, wait->id, 0, time);
}

/* --- shares -------------------------------------------------------------------------------- */

/* Returns NULL when memory ran out. Each step of the search counts as a charge, so the limit of
   charges includes it. */
static struct contention_share *find_or_add_share(struct contention *c,
                                                  struct contention_wait *wait, size_t holder,
                                                  uint64_t location) {
  for (size_t at = wait->first_share; at != 0; at = c->shares[at - 1].next) {
    struct contention_share *share = &c->shares[at - 1];
    if (share->holder == holder && share->location == location) return share;
    c->charges++;
  }
  size_t at = c->spare_share;
  if (at != 0) c->spare_share = c->shares[at - 1].next;
  if (at == 0) at = rows_add(&c->shares, &c->num_shares, &c->shares_capacity, sizeof *c->shares);
  if (at == 0) return NULL;
  struct contention_share *share = &c->shares[at - 1];
  *share =
      (struct contention_share){.holder = holder, .location = location, .next = wait->first_share};
  wait->first_share = at;
  return share;
}

/* Adds a part of the time of a wait, with the holder and its location as a key of holder_stacks. If
   the wait is unsure, contention_add_shares does that later. */
static bool share_time(struct contention *c, struct contention_wait *wait, size_t holder,
                       uint64_t location, ticks_t time) {
  if (!wait->is_unsure) return add_time(c, wait, holder, location, time);
  struct contention_share *share = find_or_add_share(c, wait, holder, location);
  if (share != NULL) share->time += time;
  return share != NULL;
}

/* The same with the length of a part of the wait. */
static bool share_part(struct contention *c, struct contention_wait *wait, size_t holder,
                       ticks_t length) {
  if (!wait->is_unsure) return add_part(c, wait, holder, 1, length);
  struct contention_share *share = find_or_add_share(c, wait, holder, PART);
  if (share == NULL) return false;
  share->parts++;
  if (length > share->time) share->time = length;
  return true;
}

bool contention_add_shares(struct contention *c, const struct contention_wait *wait) {
  for (size_t at = wait->first_share; at != 0; at = c->shares[at - 1].next) {
    const struct contention_share share = c->shares[at - 1];
    bool good = share.location == PART
                    ? add_part(c, wait, share.holder, share.parts, share.time)
                    : add_time(c, wait, share.holder, share.location, share.time);
    if (!good) return false;
  }
  if (wait->main_holder == 0) return true;
  struct contention_pair *pair = intern_contention_pair(c, wait->thread, wait->main_holder);
  if (pair != NULL) pair->times++;
  return pair != NULL;
}

void contention_drop_shares(struct contention *c, struct contention_wait *wait) {
  while (wait->first_share != 0) {
    size_t at = wait->first_share;
    wait->first_share = c->shares[at - 1].next;
    c->shares[at - 1].next = c->spare_share;
    c->spare_share = at;
  }
}

/* --- charges -------------------------------------------------------------------------------- */

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

/* Whether the holder held the lock for the whole time that is charged to its location. The release
   of a monitor may have no line. Then a line has to show that the thread held it while it was in
   the call in which it still is. */
static bool is_certain(const struct contention *c, const struct contention_lock *lock) {
  const struct contention_thread *t = &c->threads[lock->holder - 1];
  if (lock->sort != LOCK_MONITOR || lock->is_recorded) return true;
  return t->num_calls > 0 && t->calls[t->num_calls - 1].begin <= lock->seen_since;
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
  const struct contention_lock *lock = &c->lock_states[wait->lock - 1];
  uint64_t flag = is_guessed ? CONTENTION_GUESSED : is_certain(c, lock) ? CERTAIN : 0;
  return share_time(c, wait, holder, stack | flag, time) &&
         (!lock->is_reader ||
          tally_add(&c->read_holds, wait->id, c->threads[holder - 1].hash, 1, time));
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
  return share_part(c, wait, holder, length);
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
