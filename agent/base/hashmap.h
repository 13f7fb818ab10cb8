#pragma once
/* A hash map of 64-bit keys and 64-bit values, in open addressing; an address is a value too.
   Every key is allowed, 0 as well. Grows as it fills; never shrinks. One thread at a time. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct hashmap_slot {
  uint64_t key, value;
};

/* All zero is an empty map; hashmap_free gives the memory back and leaves an empty map. */
struct hashmap {
  struct hashmap_slot *slots;
  size_t num, capacity; /* capacity: a power of two, or 0 */
  bool has_zero;        /* key 0 marks a free slot, so its own value stands apart */
  uint64_t zero_value;
  struct hashmap_slot *recent; /* what hashmap_at gave last, or NULL: many ask for it again */
};

/* hashmap_get looks a key up; false, and `*out_value` untouched, where it is not. */
bool hashmap_get(const struct hashmap *m, uint64_t key, uint64_t *out_value);

uint64_t *hashmap_find_or_add(struct hashmap *m, uint64_t key); /* the rest of hashmap_at */

/* hashmap_at gives the place of a key's value, which is 0 when the key is new. NULL only where
   memory runs out. The place holds until the next new key. */
static inline uint64_t *hashmap_at(struct hashmap *m, uint64_t key) {
  if (m->recent != NULL && m->recent->key == key) return &m->recent->value;
  return hashmap_find_or_add(m, key);
}

/* hashmap_put sets a key's value, new or not; false where memory runs out. */
bool hashmap_put(struct hashmap *m, uint64_t key, uint64_t value);

/* hashmap_next walks over all keys in no order; start with `*cursor` = 0. False at the end. */
bool hashmap_next(const struct hashmap *m, size_t *cursor, struct hashmap_slot *out);

/* How many keys there are. */
static inline size_t hashmap_size(const struct hashmap *m) { return m->num + m->has_zero; }

void hashmap_free(struct hashmap *m);

#ifdef __cplusplus
}
#endif
