#include "agent/lock/lock_counts.h"

#include <pthread.h>
#include <string.h>

#include "agent/base/bounded_lock.h"
#include "agent/base/memory.h"

#define NUM_ENTRIES ((size_t)1 << 16)
#define MAX_USED (NUM_ENTRIES / 4 * 3)

/* How it may be held. */
enum hold { ALONE, SHARED, NUM_HOLDS };

/* Read and written by Java code: OrcaLocks.java knows the offsets. An entry is found from its key
   on, one after another; 0 ends the search. */
struct entry {
  uint32_t key;    /* atomic; set last */
  uint32_t object; /* the lock, as the files know it */
  uint64_t counts[NUM_HOLDS];
  uint64_t unused;
};
_Static_assert(sizeof(struct entry) == 32 && offsetof(struct entry, counts) == 8,
               "OrcaLocks.java knows it so");

struct told {
  enum event_kind alone; /* the event that an acquisition alone would be */
  uint64_t counts[NUM_HOLDS];
};

struct lock_counts {
  pthread_mutex_t adding;
  size_t used;               /* atomic; grown under `adding` */
  uint64_t refused;          /* atomic */
  uint16_t places[MAX_USED]; /* of those that are used */
  struct told told[NUM_ENTRIES];
  struct entry entries[NUM_ENTRIES];
};

struct lock_counts *lock_counts_new(void) {
  struct lock_counts *c = memory_new_zeroed(1, sizeof *c);
  if (c != NULL) pthread_mutex_init(&c->adding, NULL);
  return c;
}

void lock_counts_begin(struct lock_counts *c) {
  if (c->used == 0) return;
  memset(c->entries, 0, sizeof c->entries);
  memset(c->told, 0, sizeof c->told);
  c->used = 0;
  c->refused = 0;
}

jlong lock_counts_table(const struct lock_counts *c) { return (jlong)(intptr_t)c->entries; }

static enum hold hold_of(enum event_kind entry) {
  return entry == EVENT_READ_LOCK_ACQUIRE || entry == EVENT_READ_LOCK_TRY ? SHARED : ALONE;
}

/* The entry of a key, or the empty one where it belongs. */
static struct entry *find(struct lock_counts *c, uint32_t key) {
  for (size_t i = key;; i++) {
    struct entry *e = &c->entries[i % NUM_ENTRIES];
    uint32_t there = __atomic_load_n(&e->key, __ATOMIC_ACQUIRE);
    if (there == key || there == 0) return e;
  }
}

/* An entry that was found empty may be another lock's by now. */
static bool is_of(const struct entry *e, uint32_t key) {
  return __atomic_load_n(&e->key, __ATOMIC_ACQUIRE) == key;
}

static bool add(struct lock_counts *c, const struct lock_look *lock) {
  struct entry *e = find(c, lock->key);
  if (is_of(e, lock->key)) return true; /* another thread was faster */
  if (c->used >= MAX_USED) return false;
  e->object = lock->object;
  c->told[e - c->entries].alone = lock->has_sides ? EVENT_WRITE_LOCK_ACQUIRED : EVENT_LOCK_ACQUIRED;
  c->places[c->used] = (uint16_t)(e - c->entries);
  __atomic_store_n(&e->key, lock->key, __ATOMIC_RELEASE);
  __atomic_store_n(&c->used, c->used + 1, __ATOMIC_RELEASE);
  return true;
}

uint32_t lock_counts_at(struct lock_counts *c, const struct lock_look *lock) {
  if (lock->key == 0) return 0;
  if (is_of(find(c, lock->key), lock->key)) return lock->key;
  bool locked = bounded_lock(&c->adding);
  bool added = locked && add(c, lock);
  bounded_unlock(&c->adding, locked);
  if (!added) __atomic_fetch_add(&c->refused, 1, __ATOMIC_RELAXED);
  return added ? lock->key : 0;
}

void lock_counts_add(struct lock_counts *c, uint32_t key, enum event_kind entry) {
  struct entry *e = find(c, key);
  uint64_t *count = &e->counts[hold_of(entry)];
  if (!is_of(e, key)) return; /* it is of an earlier recording */
  if (hold_of(entry) == SHARED) {
    __atomic_fetch_add(count, 1, __ATOMIC_RELAXED);
  } else {
    __atomic_store_n(count, __atomic_load_n(count, __ATOMIC_RELAXED) + 1, __ATOMIC_RELAXED);
  }
}

void lock_counts_changed(struct lock_counts *c,
                         void (*tell)(void *arg, enum event_kind kind, uint32_t object,
                                      uint64_t count),
                         void *arg) {
  size_t used = __atomic_load_n(&c->used, __ATOMIC_ACQUIRE);
  for (size_t i = 0; i < used; i++) {
    const struct entry *e = &c->entries[c->places[i]];
    struct told *told = &c->told[c->places[i]];
    for (int hold = 0; hold < NUM_HOLDS; hold++) {
      uint64_t count = __atomic_load_n(&e->counts[hold], __ATOMIC_RELAXED);
      if (count == told->counts[hold]) continue;
      told->counts[hold] = count;
      tell(arg, hold == SHARED ? EVENT_READ_LOCK_ACQUIRED : told->alone, e->object, count);
    }
  }
}

uint64_t lock_counts_refused(const struct lock_counts *c) {
  return __atomic_load_n(&c->refused, __ATOMIC_RELAXED);
}
