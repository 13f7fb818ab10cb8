#include "tools/model/wait_sets.h"

#include <stdlib.h>

#include "tools/model/grow.h"

/* --- sets --------------------------------------------------------------------------------- */

static struct wait_set *set_of(struct wait_sets *w, uint64_t key) {
  uint64_t *at = hashmap_at(&w->ids, key);
  if (at == NULL || *at != 0) return at == NULL ? NULL : &w->sets[*at - 1];
  void *grown = grow(w->sets, w->num_sets, &w->sets_capacity, sizeof *w->sets);
  if (grown == NULL) return NULL;
  w->sets = grown;
  w->sets[w->num_sets] = (struct wait_set){0};
  *at = ++w->num_sets;
  return &w->sets[w->num_sets - 1];
}

static struct wait_set *known_set(const struct wait_sets *w, uint64_t key) {
  uint64_t at = 0;
  hashmap_get(&w->ids, key, &at);
  return at == 0 ? NULL : &w->sets[at - 1];
}

static void append(struct wait_sets *w, struct wait_set *set, size_t at) {
  w->slots[at - 1].before = set->last;
  if (set->last != 0) w->slots[set->last - 1].next = at;
  set->last = at;
  if (set->first == 0) set->first = at;
}

static void take_out(struct wait_sets *w, struct wait_set *set, size_t at) {
  struct wait_slot *slot = &w->slots[at - 1];
  if (slot->before != 0) w->slots[slot->before - 1].next = slot->next;
  if (slot->next != 0) w->slots[slot->next - 1].before = slot->before;
  if (set->first == at) set->first = slot->next;
  if (set->last == at) set->last = slot->before;
  slot->before = slot->next = 0;
}

/* --- waiting ------------------------------------------------------------------------------ */

/* A slot without a wait, plus one; 0 where memory runs out. */
static size_t take_slot(struct wait_sets *w) {
  size_t at = w->spare;
  if (at != 0) {
    w->spare = w->slots[at - 1].outer;
    return at;
  }
  void *grown = grow(w->slots, w->num_slots, &w->slots_capacity, sizeof *w->slots);
  if (grown == NULL) return 0;
  w->slots = grown;
  return ++w->num_slots;
}

bool wait_sets_begin(struct wait_sets *w, uint64_t key, uint32_t thread, ticks_t now) {
  uint64_t *innermost = hashmap_at(&w->threads, thread);
  struct wait_set *set = innermost == NULL ? NULL : set_of(w, key);
  size_t at = set == NULL ? 0 : take_slot(w);
  if (at == 0) return false;
  w->slots[at - 1] =
      (struct wait_slot){.key = key, .thread = thread, .since = now, .outer = *innermost};
  *innermost = at;
  append(w, set, at);
  return true;
}

/* Ends the innermost wait of a thread. */
static struct wait_slot pop(struct wait_sets *w, uint64_t *innermost) {
  size_t at = *innermost;
  struct wait_slot *slot = &w->slots[at - 1], was;
  if (slot->signal == 0) take_out(w, known_set(w, slot->key), at);
  was = *slot;
  *innermost = was.outer;
  *slot = (struct wait_slot){.outer = w->spare};
  w->spare = at;
  return was;
}

bool wait_sets_end(struct wait_sets *w, uint64_t key, uint32_t thread, struct wait_slot *out) {
  uint64_t known = 0;
  hashmap_get(&w->threads, thread, &known);
  size_t at = known;
  while (at != 0 && w->slots[at - 1].key != key) at = w->slots[at - 1].outer;
  if (at == 0) return false;
  uint64_t *innermost = hashmap_at(&w->threads, thread);
  while (*innermost != at) pop(w, innermost);
  *out = pop(w, innermost);
  return true;
}

uint64_t wait_sets_signal(struct wait_sets *w, uint64_t key, bool all, size_t signal) {
  struct wait_set *set = known_set(w, key);
  uint64_t woken = 0;
  while (set != NULL && set->first != 0 && (all || woken == 0)) {
    w->slots[set->first - 1].signal = signal;
    take_out(w, set, set->first);
    woken++;
  }
  return woken;
}

const struct wait_slot *wait_sets_next(const struct wait_sets *w, size_t *cursor) {
  while (*cursor < w->num_slots) {
    const struct wait_slot *slot = &w->slots[(*cursor)++];
    if (slot->key != 0) return slot;
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
