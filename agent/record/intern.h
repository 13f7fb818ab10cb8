#pragma once
/* A set of immortal entries that many threads look up without a lock while one at a time, under a
   lock of the caller's, adds to it: concurrencykit's hash set. Entries are never removed, and a
   table that was outgrown is kept, since a reader may still be in it (they double, so all of them
   together are no larger than the one in use). */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct intern;

/* What every entry, and every key to look one up by, begins with. */
struct interned {
  uint64_t hash;
};

/* Tells whether two entries of equal hash are the same. It may look at an entry that another thread
   has only just added, which ThreadSanitizer cannot know to be ordered: declare it with this. */
#define INTERN_SAME __attribute__((no_sanitize("thread")))
typedef bool intern_same(const void *, const void *);

struct intern *intern_new(intern_same *same); /* NULL without memory */

/* intern_get: the entry equal to `key`, or NULL. Any thread, never blocks. */
void *intern_get(struct intern *set, const struct interned *key);

/* intern_add adds an entry that is not in the set. False without memory. One thread at a time. */
bool intern_add(struct intern *set, struct interned *entry);

/* A hash of one word that spreads well over all 64 bits. */
static inline uint64_t hash_word(uint64_t x) {
  x ^= x >> 32;
  x *= UINT64_C(0xD6E8FEB86659FD93);
  x ^= x >> 32;
  x *= UINT64_C(0xD6E8FEB86659FD93);
  return x ^ x >> 32;
}

#ifdef __cplusplus
}
#endif
