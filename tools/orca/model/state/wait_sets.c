#include "tools/orca/model/state/wait_sets.h"

#include <stdlib.h>

#include "tools/orca/model/base/rows.h"

/* --- sets --------------------------------------------------------------------------------- */

static void append_wait(struct wait_sets *w, size_t number, size_t at) {
  struct wait_set *set = &w->sets[number - 1];
  w->slots[at - 1].set = number;
  w->slots[at - 1].before = set->last;
  if (set->last != 0) w->slots[set->last - 1].next = at;
  set->last = at;
  if (set->first == 0) set->first = at;
}

static void unlink_wait(struct wait_sets *w, struct wait_slot *slot) {
  struct wait_set *set = &w->sets[slot->set - 1];
  if (slot->before != 0) w->slots[slot->before - 1].next = slot->next;
  if (slot->next != 0) w->slots[slot->next - 1].before = slot->before;
  if (slot->before == 0) set->first = slot->next;
  if (slot->next == 0) set->last = slot->before;
  slot->set = slot->before = slot->next = 0;
}

/* --- waiting ------------------------------------------------------------------------------ */

/* Returns a free slot plus one, 0 when memory ran out. */
static size_t take_wait_slot(struct wait_sets *w) {
  size_t at = w->spare;
  if (at == 0) return rows_add(&w->slots, &w->num_slots, &w->slots_capacity, sizeof *w->slots);
  w->spare = w->slots[at - 1].outer;
  return at;
}

/* Removes the innermost wait of a thread. */
static void pop_wait(struct wait_sets *w, uint64_t *innermost) {
  size_t at = *innermost;
  struct wait_slot *slot = &w->slots[at - 1];
  if (slot->set != 0) unlink_wait(w, slot);
  *innermost = slot->outer;
  slot->depth = 0;
  slot->outer = w->spare;
  w->spare = at;
}

static unsigned get_depth(const struct wait_sets *w, uint64_t innermost) {
  return innermost == 0 ? 0 : w->slots[innermost - 1].depth;
}

bool wait_sets_begin(struct wait_sets *w, uint64_t key, uint32_t thread, ticks_t now,
                     bool in_turn) {
  uint64_t *innermost = hashmap_at(&w->threads, thread);
  if (innermost == NULL) return false;
  while (get_depth(w, *innermost) == WAIT_SETS_NESTED) {
    while (*innermost != 0) pop_wait(w, innermost);
  }
  size_t set = 0, at = take_wait_slot(w);
  if (in_turn) {
    set =
        rows_number(&w->ids, key, &w->sets, &w->num_sets, &w->sets_capacity, sizeof *w->sets, NULL);
  }
  if (at == 0 || (in_turn && set == 0)) return false;
  unsigned depth = get_depth(w, *innermost) + 1;
  w->slots[at - 1] = (struct wait_slot){
      .key = key, .thread = thread, .depth = depth, .since = now, .outer = *innermost};
  *innermost = at;
  if (in_turn) append_wait(w, set, at);
  return true;
}

struct wait_slot *wait_sets_end(struct wait_sets *w, uint64_t key, uint32_t thread) {
  uint64_t *innermost = hashmap_at(&w->threads, thread);
  size_t at = innermost == NULL ? 0 : *innermost;
  while (at != 0 && w->slots[at - 1].key != key) at = w->slots[at - 1].outer;
  if (at == 0) return NULL;
  while (*innermost != at) pop_wait(w, innermost);
  pop_wait(w, innermost);
  return &w->slots[at - 1];
}

struct wait_slot *wait_sets_innermost(struct wait_sets *w, uint32_t thread) {
  uint64_t at = 0;
  hashmap_get(&w->threads, thread, &at);
  return at == 0 ? NULL : &w->slots[at - 1];
}

/* --- signals ------------------------------------------------------------------------------ */

static struct wait_set *find_set(const struct wait_sets *w, uint64_t key) {
  uint64_t at = 0;
  hashmap_get(&w->ids, key, &at);
  return at == 0 ? NULL : &w->sets[at - 1];
}

static void signal_first(struct wait_sets *w, struct wait_set *set,
                         const struct wake_signal *signal) {
  struct wait_slot *slot = &w->slots[set->first - 1];
  slot->is_signaled = true;
  slot->signal = *signal;
  unlink_wait(w, slot);
}

uint64_t wait_sets_signal(struct wait_sets *w, uint64_t key, bool all,
                          const struct wake_signal *signal) {
  uint64_t num = 0;
  struct wait_set *set = find_set(w, key);
  for (; set != NULL && set->first != 0 && (all || num == 0); num++) signal_first(w, set, signal);
  return num;
}

const struct wait_slot *wait_sets_newest(const struct wait_sets *w, uint64_t key, ticks_t until) {
  const struct wait_set *set = find_set(w, key);
  size_t at = set == NULL ? 0 : set->last;
  while (at != 0 && w->slots[at - 1].since > until) at = w->slots[at - 1].before;
  return at == 0 ? NULL : &w->slots[at - 1];
}

void wait_sets_signal_until(struct wait_sets *w, uint64_t key, ticks_t until,
                            const struct wake_signal *signal) {
  struct wait_set *set = find_set(w, key);
  while (set != NULL && set->first != 0 && w->slots[set->first - 1].since <= until) {
    signal_first(w, set, signal);
  }
}

const struct wait_slot *wait_sets_next(const struct wait_sets *w, size_t *cursor) {
  while (*cursor < w->num_slots) {
    const struct wait_slot *slot = &w->slots[(*cursor)++];
    if (slot->depth != 0) return slot;
  }
  return NULL;
}

void wait_sets_free(struct wait_sets *w) {
  hashmap_free(&w->ids);
  hashmap_free(&w->threads);
  free(w->sets);
  free(w->slots);
  *w = (struct wait_sets){0};
}
