#include "tools/orca/model/wait_for.h"

#include <stdlib.h>

#include "tools/orca/model/base/grow.h"
#include "tools/orca/model/base/rows.h"

struct waiter *wait_for_add(struct wait_for *w, const struct pair *pair) {
  bool is_new;
  struct waiter *waiter =
      rows_at(&w->ids, pair->thread, &w->waiters, &w->num, &w->capacity, sizeof *waiter, &is_new);
  if (waiter == NULL) return NULL;
  if (is_new || pair->begin > waiter->pair.begin) *waiter = (struct waiter){.pair = *pair};
  return waiter;
}

bool wait_for_add_owner(struct wait_for *w, struct waiter *waiter, const struct wait_link *owner) {
  void *grown = grow(w->owners, w->num_owners, &w->owners_capacity, sizeof *w->owners);
  if (grown == NULL) return false;
  w->owners = grown;
  if (waiter->num_owners == 0) waiter->first_owner = w->num_owners;
  w->owners[w->num_owners++] = *owner;
  waiter->num_owners++;
  return true;
}

bool wait_for_add_ended(struct wait_for *w, uint32_t thread, ticks_t time) {
  return hashmap_put(&w->ended, thread, time);
}

struct waiter *wait_for_find(const struct wait_for *w, uint32_t thread) {
  uint64_t at = 0;
  hashmap_get(&w->ids, thread, &at);
  return at == 0 ? NULL : &w->waiters[at - 1];
}

ticks_t wait_for_changed(const struct wait_for *w, const struct waiter *waiter) {
  ticks_t changed = waiter->pair.begin;
  uint64_t ended = 0;
  for (size_t i = 0; i < waiter->num_owners; i++) {
    hashmap_get(&w->ended, w->owners[waiter->first_owner + i].owner, &ended);
    if (ended > changed) changed = ended;
  }
  return changed;
}

/* --- which waits can end -------------------------------------------------------------------- */

/* Returns whether an owner will do what the waiter needs. */
static bool can_run(const struct wait_for *w, const struct waiter *waiter, uint32_t owner) {
  uint64_t ended;
  const struct waiter *waits = wait_for_find(w, owner);
  if (waits != NULL) return waits->can_end;
  return waiter->is_join || !hashmap_get(&w->ended, owner, &ended);
}

static bool can_end_now(const struct wait_for *w, const struct waiter *waiter, bool any_runs) {
  size_t num_running = 0;
  for (size_t i = 0; i < waiter->num_owners; i++) {
    num_running += can_run(w, waiter, w->owners[waiter->first_owner + i].owner);
  }
  switch (waiter->need) {
    case WAIT_NEEDS_ALL:
      return num_running == waiter->num_owners;
    case WAIT_NEEDS_ANY:
      return num_running > 0;
    default:
      return any_runs;
  }
}

bool wait_for_solve(struct wait_for *w, bool others_run, bool limits_end) {
  bool any_runs = others_run, changed = true;
  for (size_t i = 0; i < w->num; i++) {
    w->waiters[i].can_end = w->waiters[i].is_asleep || (limits_end && w->waiters[i].is_timed);
    any_runs |= w->waiters[i].can_end && !w->waiters[i].is_of_jvm;
  }
  while (changed) {
    changed = false;
    for (size_t i = 0; i < w->num; i++) {
      struct waiter *waiter = &w->waiters[i];
      if (waiter->can_end || !can_end_now(w, waiter, any_runs)) continue;
      waiter->can_end = changed = true;
      any_runs |= !waiter->is_of_jvm;
    }
  }
  return any_runs;
}

const struct waiter *wait_for_blocker(const struct wait_for *w, const struct waiter *waiter,
                                      size_t *out_owner) {
  const struct waiter *first = NULL;
  for (size_t i = 0; !waiter->can_end && i < waiter->num_owners; i++) {
    size_t owner = waiter->first_owner + i;
    const struct waiter *blocker = wait_for_find(w, w->owners[owner].owner);
    bool is_better = first == NULL || (first == waiter && blocker != waiter);
    if (blocker == NULL || blocker->can_end || !is_better) continue;
    first = blocker;
    *out_owner = owner;
  }
  return first;
}

void wait_for_free(struct wait_for *w) {
  hashmap_free(&w->ids);
  hashmap_free(&w->ended);
  free(w->waiters);
  free(w->owners);
  *w = (struct wait_for){0};
}
