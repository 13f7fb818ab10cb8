#include "agent/record/lock_counts.h"

#include <stddef.h>
#include <string.h>

#include "agent/base/bounded_lock.h"
#include "agent/base/memory.h"

#define NUM_ENTRIES ((size_t)1 << 16)
#define MAX_USED (NUM_ENTRIES / 4 * 3)

/* The two ways to hold a lock. */
enum hold { EXCLUSIVE, SHARED, NUM_HOLDS };

/* An entry of a hash table with open addressing. Java code reads and writes it, so the offsets are
   also in OrcaLocks.java. The search for a key starts at the index `key` modulo NUM_ENTRIES, and
   ends at an entry with the key 0. */
struct entry {
  uint32_t key;    /* 0: the entry is free; atomic, stored last */
  uint32_t object; /* identity hash of the lock in the files */
  uint64_t counts[NUM_HOLDS];
  uint64_t unused;
};
_Static_assert(sizeof(struct entry) == 32 && offsetof(struct entry, counts) == 8,
               "OrcaLocks.java has the same layout");

/* The state of lock_counts_report_changed for an entry. */
struct report {
  enum event_kind exclusive_kind; /* the event of an exclusive acquisition */
  uint64_t counts[NUM_HOLDS];     /* as last reported */
};

struct lock_counts {
  struct semaphore adding;
  size_t used;                /* number of used entries; atomic, changed under `adding` */
  uint16_t indexes[MAX_USED]; /* indexes of the used entries */
  struct report reports[NUM_ENTRIES];
  struct entry entries[NUM_ENTRIES];
  /* Java code reads this, too, at the offset NUM_ENTRIES * 32 from the entries. */
  uint64_t is_full; /* atomic; 1: a lock found no room; 0: there may be room */
};
_Static_assert(offsetof(struct lock_counts, is_full) ==
                   offsetof(struct lock_counts, entries) + NUM_ENTRIES * 32,
               "OrcaLocks.java has the same layout");

struct lock_counts *lock_counts_new(void) {
  struct lock_counts *c = memory_new_zeroed(1, sizeof *c);
  if (c != NULL) bounded_lock_init(&c->adding);
  return c;
}

void lock_counts_begin(struct lock_counts *c) {
  c->is_full = 0;
  if (c->used == 0) return;
  memset(c->entries, 0, sizeof c->entries);
  memset(c->reports, 0, sizeof c->reports);
  c->used = 0;
}

const void *lock_counts_table(const struct lock_counts *c) { return c->entries; }

static enum hold get_hold(enum event_kind entry) {
  return entry == EVENT_READ_LOCK_ACQUIRE || entry == EVENT_READ_LOCK_TRY ? SHARED : EXCLUSIVE;
}

/* Returns the entry of a key, or the free entry for it. */
static struct entry *find_entry(struct lock_counts *c, uint32_t key) {
  for (size_t i = key;; i++) {
    struct entry *e = &c->entries[i % NUM_ENTRIES];
    uint32_t found = __atomic_load_n(&e->key, __ATOMIC_ACQUIRE);
    if (found == key || found == 0) return e;
  }
}

/* find_entry may return a free entry, which another thread may then use for another lock. So the
   key is checked again. */
static bool has_key(const struct entry *e, uint32_t key) {
  return __atomic_load_n(&e->key, __ATOMIC_ACQUIRE) == key;
}

/* False when the table is full. The caller holds `adding`. */
static bool add_lock(struct lock_counts *c, uint32_t key, uint32_t object, bool has_sides) {
  struct entry *e = find_entry(c, key);
  if (has_key(e, key)) return true; /* another thread has added it meanwhile */
  if (c->used >= MAX_USED) {
    __atomic_store_n(&c->is_full, 1, __ATOMIC_RELAXED);
    return false;
  }
  e->object = object;
  size_t index = (size_t)(e - c->entries);
  c->reports[index].exclusive_kind = has_sides ? EVENT_WRITE_LOCK_ACQUIRED : EVENT_LOCK_ACQUIRED;
  c->indexes[c->used] = (uint16_t)index;
  __atomic_store_n(&e->key, key, __ATOMIC_RELEASE);
  __atomic_store_n(&c->used, c->used + 1, __ATOMIC_RELEASE);
  return true;
}

/* Returns false without a wait for the lock if the table is full: in a program with many
   short-lived locks, that is so at almost every acquisition. */
static bool add_new_lock(struct lock_counts *c, uint32_t key, uint32_t object, bool has_sides) {
  if (lock_counts_is_full(c)) return false;
  bool locked = bounded_lock(&c->adding);
  bool added = locked && add_lock(c, key, object, has_sides);
  bounded_unlock(&c->adding, locked);
  return added;
}

uint32_t lock_counts_add_lock(struct lock_counts *c, uint32_t key, uint32_t object,
                              bool has_sides) {
  if (key == 0) return 0;
  if (has_key(find_entry(c, key), key)) return key;
  return add_new_lock(c, key, object, has_sides) ? key : 0;
}

void lock_counts_increment(struct lock_counts *c, uint32_t key, enum event_kind entry) {
  struct entry *e = find_entry(c, key);
  uint64_t *count = &e->counts[get_hold(entry)];
  if (!has_key(e, key)) return; /* the key is from an earlier recording */
  if (get_hold(entry) == SHARED) {
    __atomic_fetch_add(count, 1, __ATOMIC_RELAXED);
  } else {
    __atomic_store_n(count, __atomic_load_n(count, __ATOMIC_RELAXED) + 1, __ATOMIC_RELAXED);
  }
}

void lock_counts_report_changed(struct lock_counts *c,
                                void (*report)(void *arg, enum event_kind kind, uint32_t object,
                                               uint64_t count),
                                void *arg) {
  size_t used = __atomic_load_n(&c->used, __ATOMIC_ACQUIRE);
  for (size_t i = 0; i < used; i++) {
    const struct entry *e = &c->entries[c->indexes[i]];
    struct report *last = &c->reports[c->indexes[i]];
    for (int hold = 0; hold < NUM_HOLDS; hold++) {
      uint64_t count = __atomic_load_n(&e->counts[hold], __ATOMIC_RELAXED);
      if (count == last->counts[hold]) continue;
      last->counts[hold] = count;
      report(arg, hold == SHARED ? EVENT_READ_LOCK_ACQUIRED : last->exclusive_kind, e->object,
             count);
    }
  }
}

bool lock_counts_is_full(const struct lock_counts *c) {
  return __atomic_load_n(&c->is_full, __ATOMIC_RELAXED) != 0;
}

struct table_size lock_counts_size(const struct lock_counts *c) {
  return (struct table_size){__atomic_load_n(&c->used, __ATOMIC_RELAXED), sizeof *c};
}
