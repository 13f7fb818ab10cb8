#pragma once
/* A hash set of concurrencykit for interned entries. Many threads look up entries without a lock
   while one thread adds or removes an entry. When the set grows, the old table is kept, because a
   reader may still use it. Tables double in size, so all old tables together are not larger than
   the current one. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "agent/base/extern_c.h"

BEGIN_C

struct intern;

/* The first field of every entry, and of every key for a lookup. */
struct interned {
  uint64_t hash;
};

/* Returns whether two entries with equal hashes are equal. Declare such a function INTERN_SAME: it
   may read an entry that another thread has just added, and ThreadSanitizer cannot see how the two
   threads synchronize. */
#define INTERN_SAME __attribute__((no_sanitize("thread")))
typedef bool intern_same(const void *, const void *);

struct intern *intern_new(intern_same *same); /* NULL without memory; never freed */

/* intern_get returns the entry equal to `key`, or NULL. Any thread; never blocks. */
void *intern_get(struct intern *set, const struct interned *key);

/* intern_add adds an entry that is not in the set. The entry must live until it is removed and no
   reader may use it any more (readers.h). Returns false without memory. One thread at a time: the
   caller holds a lock. */
bool intern_add(struct intern *set, struct interned *entry);

/* intern_remove removes an entry of the set, under the same lock. Readers may still use it. */
void intern_remove(struct intern *set, struct interned *entry);

/* intern_visit calls `visit` for each entry, under the same lock. `visit` may remove the entry, but
   no other, and adds none. */
void intern_visit(struct intern *set, void (*visit)(void *arg, struct interned *entry), void *arg);

/* intern_bytes returns the memory of the set without its entries, in bytes: the current table and
   the old ones. Any thread. */
size_t intern_bytes(const struct intern *set);

/* hash_word returns a hash of a word; all 64 bits of it depend on all bits of `x`. */
static inline uint64_t hash_word(uint64_t x) {
  x ^= x >> 32;
  x *= UINT64_C(0xD6E8FEB86659FD93);
  x ^= x >> 32;
  x *= UINT64_C(0xD6E8FEB86659FD93);
  return x ^ x >> 32;
}

END_C
