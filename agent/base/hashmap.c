#include "agent/base/hashmap.h"

#include <stdlib.h>

#include "agent/base/memory.h"

/* Returns the slot of `key`, or the free slot for it. Ends because the map always has free slots.
 */
static struct hashmap_slot *find_slot(struct hashmap_slot *slots, size_t capacity, uint64_t key) {
  /* Keys are hashes of 31 bits and small numbers, so all their bits are mixed into the low ones. */
  uint64_t mixed = (key ^ key >> 32) * UINT64_C(0x9E3779B97F4A7C15);
  size_t at = (size_t)(mixed ^ mixed >> 32) & (capacity - 1);
  while (slots[at].key != 0 && slots[at].key != key) at = (at + 1) & (capacity - 1);
  return &slots[at];
}

static bool grow_slots(struct hashmap *m) {
  size_t capacity = m->capacity == 0 ? 16 : m->capacity * 2;
  struct hashmap_slot *slots = memory_new_zeroed(capacity, sizeof *slots);
  if (slots == NULL) return false;
  for (size_t i = 0; i < m->capacity; i++) {
    if (m->slots[i].key != 0) *find_slot(slots, capacity, m->slots[i].key) = m->slots[i];
  }
  free(m->slots);
  m->slots = slots;
  m->capacity = capacity;
  m->recent = NULL;
  return true;
}

bool hashmap_get(const struct hashmap *m, uint64_t key, uint64_t *out_value) {
  if (key == 0) {
    if (m->has_zero) *out_value = m->zero_value;
    return m->has_zero;
  }
  if (m->num == 0) return false;
  const struct hashmap_slot *slot = find_slot(m->slots, m->capacity, key);
  if (slot->key == 0) return false;
  *out_value = slot->value;
  return true;
}

uint64_t *hashmap_find_or_add(struct hashmap *m, uint64_t key) {
  if (key == 0) {
    m->has_zero = true;
    return &m->zero_value;
  }
  struct hashmap_slot *slot = m->num == 0 ? NULL : find_slot(m->slots, m->capacity, key);
  if (slot == NULL || slot->key != key) {
    /* At most three quarters of the slots are used, so that searches stay short. */
    bool is_full = m->num >= m->capacity / 4 * 3;
    if (is_full && !grow_slots(m)) return NULL;
    slot = find_slot(m->slots, m->capacity, key);
    slot->key = key;
    m->num++;
  }
  m->recent = slot;
  return &slot->value;
}

bool hashmap_put(struct hashmap *m, uint64_t key, uint64_t value) {
  uint64_t *at = hashmap_at(m, key);
  if (at != NULL) *at = value;
  return at != NULL;
}

bool hashmap_next(const struct hashmap *m, size_t *cursor, struct hashmap_slot *out) {
  if (*cursor == m->capacity) {
    *out = (struct hashmap_slot){0, m->zero_value};
    ++*cursor;
    return m->has_zero;
  }
  for (; *cursor < m->capacity; ++*cursor) {
    if (m->slots[*cursor].key == 0) continue;
    *out = m->slots[(*cursor)++];
    return true;
  }
  return *cursor == m->capacity && hashmap_next(m, cursor, out);
}

void hashmap_drop_zeros(struct hashmap *m) {
  struct hashmap kept = {0}, old = *m;
  struct hashmap_slot slot;
  bool good = true;
  for (size_t cursor = 0; hashmap_next(&old, &cursor, &slot);) {
    if (slot.value != 0) good = good && hashmap_put(&kept, slot.key, slot.value);
  }
  if (good) *m = kept;
  hashmap_free(good ? &old : &kept);
}

void hashmap_free(struct hashmap *m) {
  free(m->slots);
  *m = (struct hashmap){0};
}
