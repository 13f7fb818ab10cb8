#pragma once
/* A hash map from 64-bit keys to 64-bit values, with open addressing. A value may hold a pointer.
   Every key is allowed, also 0. No key can be removed, but hashmap_drop_zeros drops those with the
   value 0. One thread at a time. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "agent/base/extern_c.h"

BEGIN_C

struct hashmap_slot {
  uint64_t key, value;
};

/* All zero is an empty map. */
struct hashmap {
  struct hashmap_slot *slots;
  size_t num, capacity; /* num: used slots; capacity: a power of two, or 0 */
  bool has_zero;        /* key 0 marks a free slot, so the value of key 0 is stored here: */
  uint64_t zero_value;
  struct hashmap_slot *recent; /* the last result of hashmap_at, or NULL; a cache */
};

/* hashmap_get looks up a key. Returns false, and leaves `*out_value` unchanged, when the key is not
   in the map. */
bool hashmap_get(const struct hashmap *m, uint64_t key, uint64_t *out_value);

/* The slow path of hashmap_at; call that instead. */
uint64_t *hashmap_find_or_add(struct hashmap *m, uint64_t key);

/* hashmap_at adds the key with the value 0 if it is new, and returns a pointer to its value. The
   pointer is valid until the next key is added. Returns NULL without memory. */
static inline uint64_t *hashmap_at(struct hashmap *m, uint64_t key) {
  if (m->recent != NULL && m->recent->key == key) return &m->recent->value;
  return hashmap_find_or_add(m, key);
}

/* hashmap_put sets the value of a key, and adds the key if it is new. Returns false without memory.
 */
bool hashmap_put(struct hashmap *m, uint64_t key, uint64_t value);

/* hashmap_next iterates over all keys in no particular order: `*out` becomes the next key and its
   value. Start with `*cursor` = 0, and add no key meanwhile. Returns false at the end. */
bool hashmap_next(const struct hashmap *m, size_t *cursor, struct hashmap_slot *out);

/* hashmap_size returns the number of keys. */
static inline size_t hashmap_size(const struct hashmap *m) { return m->num + m->has_zero; }

/* hashmap_bytes returns the memory of the map. */
static inline size_t hashmap_bytes(const struct hashmap *m) {
  return m->capacity * sizeof *m->slots;
}

/* hashmap_drop_zeros makes the map smaller: only keys with a value other than 0 stay. Without
   memory it keeps all. */
void hashmap_drop_zeros(struct hashmap *m);

/* hashmap_free releases the memory and leaves an empty map. */
void hashmap_free(struct hashmap *m);

END_C
