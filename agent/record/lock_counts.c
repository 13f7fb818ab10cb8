#include "agent/record/lock_counts.h"

#include <pthread.h>
#include <stddef.h>
#include <string.h>

#include "agent/base/bounded_lock.h"
#include "agent/base/memory.h"
#include "agent/event/meaning.h"

#define NUM_ENTRIES ((size_t)1 << 16)
#define MAX_TAKEN (NUM_ENTRIES / 4 * 3)
#define CROWD 1024 /* locks, from which on no lock without an identity hash is added */

/* Keys that no lock has: an identity hash has 31 bits. A search passes these entries, which may lie
   between the start of another lock's search and the entry of that lock. */
#define KEY_RETIRED UINT32_C(0xFFFFFFFE) /* the counts are still reported */
#define KEY_DROPPED UINT32_C(0xFFFFFFFF) /* a new lock may get the entry */

/* The two ways to hold a lock. */
enum hold { EXCLUSIVE, SHARED, NUM_HOLDS };

/* An entry of a hash table with open addressing. Java code reads and writes it, so the offsets are
   also in OrcaLocks.java. The search for a key starts at the index `key` modulo NUM_ENTRIES, and
   ends at an entry with the key 0. During a recording, counts do not decrease, not even when
   another lock gets the entry. Exception: the owners of two locks with one key count at the same
   time. */
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
  pthread_mutex_t listing; /* of the thread that reads `indexes`, or removes some of them. Taken
                              before `adding` */
  struct semaphore adding;
  size_t used;                 /* number of `indexes`; atomic, changed under `adding` */
  size_t taken;                /* entries whose key is not 0; atomic, changed under `adding` */
  size_t dropped;              /* those of them with KEY_DROPPED; under `adding` */
  uint16_t indexes[MAX_TAKEN]; /* of the entries of locks, and of retired ones */
  struct report reports[NUM_ENTRIES];
  /* The references of the entries. A thread that uses a reference takes it out before, so each has
     one owner at a time. NULL: none, or the sweeper has it. Atomic. */
  void *refs[NUM_ENTRIES];
  bool is_incomplete; /* atomic; lock_counts_is_incomplete */
  bool has_retired;   /* atomic; an entry was retired since lock_counts_begin */
  struct entry entries[NUM_ENTRIES];
  /* Java code reads this, too, at the offset NUM_ENTRIES * 32 from the entries. */
  uint64_t is_full; /* atomic; 1: a lock found no room; 0: there may be room */
  /* The same at the next bytes. Java code sets the last two. */
  uint64_t is_crowded;  /* atomic; 1: locks without an identity hash are left out */
  uint64_t has_skipped; /* atomic; 1: one was left out since lock_counts_begin */
  uint64_t num_made;    /* atomic; read-write locks whose making was noted since then, roughly */
};
_Static_assert(offsetof(struct lock_counts, is_full) ==
                       offsetof(struct lock_counts, entries) + NUM_ENTRIES * 32 &&
                   offsetof(struct lock_counts, num_made) ==
                       offsetof(struct lock_counts, is_full) + 24,
               "OrcaLocks.java has the same layout");

struct lock_counts *lock_counts_new(void) {
  struct lock_counts *c = memory_new_zeroed(1, sizeof *c);
  if (c == NULL) return NULL;
  pthread_mutex_init(&c->listing, NULL);
  bounded_lock_init(&c->adding);
  return c;
}

static void set_full(struct lock_counts *c, bool is_full) {
  if (is_full) __atomic_store_n(&c->is_incomplete, true, __ATOMIC_RELAXED);
  __atomic_store_n(&c->is_full, is_full, __ATOMIC_RELAXED);
}

/* A program can make locks as often as it acquires them. A lock that no thread had to wait for
   costs its identity hash, an entry and a line in .objects. So only the first ones get them, until
   some of those died. The caller holds `adding`. */
static void note_crowd(struct lock_counts *c) {
  __atomic_store_n(&c->is_crowded, c->taken - c->dropped >= CROWD, __ATOMIC_RELAXED);
}

static void empty_table(struct lock_counts *c) {
  set_full(c, false);
  __atomic_store_n(&c->is_crowded, 0, __ATOMIC_RELAXED);
  __atomic_store_n(&c->has_skipped, 0, __ATOMIC_RELAXED);
  __atomic_store_n(&c->num_made, 0, __ATOMIC_RELAXED);
  __atomic_store_n(&c->is_incomplete, false, __ATOMIC_RELAXED);
  __atomic_store_n(&c->has_retired, false, __ATOMIC_RELAXED);
  if (c->taken == 0) return;
  memset(c->entries, 0, sizeof c->entries);
  memset(c->reports, 0, sizeof c->reports);
  c->dropped = 0;
  __atomic_store_n(&c->used, 0, __ATOMIC_RELAXED);
  __atomic_store_n(&c->taken, 0, __ATOMIC_RELAXED);
}

/* The sweeper of the recording before may still run, if a debugger has suspended it. */
void lock_counts_begin(struct lock_counts *c) {
  pthread_mutex_lock(&c->listing);
  bool locked = bounded_lock(&c->adding);
  empty_table(c);
  bounded_unlock(&c->adding, locked);
  pthread_mutex_unlock(&c->listing);
}

const void *lock_counts_table(const struct lock_counts *c) { return c->entries; }

static enum hold get_hold(enum event_kind entry) {
  return lock_events[entry].sort == LOCK_READ_SIDE ? SHARED : EXCLUSIVE;
}

/* --- searching -------------------------------------------------------------------------------- */

static uint32_t load_key(const struct entry *e) {
  return __atomic_load_n(&e->key, __ATOMIC_ACQUIRE);
}

/* Returns the entry of a key, or the free entry at the end of the search. */
static struct entry *find_entry(struct lock_counts *c, uint32_t key) {
  for (size_t i = key;; i++) {
    struct entry *e = &c->entries[i % NUM_ENTRIES];
    uint32_t found = load_key(e);
    if (found == key || found == 0) return e;
  }
}

/* find_entry may return a free entry, which another thread may then use for another lock. So the
   key is checked again. */
static bool has_key(const struct entry *e, uint32_t key) { return load_key(e) == key; }

static bool is_key(uint32_t key) { return key != 0 && key < KEY_RETIRED; }

uint32_t lock_counts_find(struct lock_counts *c, uint32_t key) {
  return is_key(key) && has_key(find_entry(c, key), key) ? key : 0;
}

/* --- adding ----------------------------------------------------------------------------------- */

/* Returns the first entry of the search for `key` that a new lock may get; NULL: there is no room.
   The caller holds `adding`. */
static struct entry *find_room(struct lock_counts *c, uint32_t key) {
  for (size_t i = key;; i++) {
    struct entry *e = &c->entries[i % NUM_ENTRIES];
    uint32_t found = load_key(e);
    if (found == KEY_DROPPED) return e;
    if (found == 0) return c->taken < MAX_TAKEN ? e : NULL;
  }
}

static void note_taken(struct lock_counts *c, struct entry *e) {
  if (has_key(e, KEY_DROPPED)) {
    c->dropped--;
  } else {
    __atomic_store_n(&c->taken, c->taken + 1, __ATOMIC_RELAXED);
  }
}

/* The reference follows the key: see is_stale. */
static void fill_entry(struct lock_counts *c, struct entry *e, uint32_t key, uint32_t object,
                       bool has_sides, void **ref) {
  size_t index = (size_t)(e - c->entries);
  struct report *last = &c->reports[index];
  note_taken(c, e);
  e->object = object;
  last->exclusive_kind = has_sides ? EVENT_WRITE_LOCK_ACQUIRED : EVENT_LOCK_ACQUIRED;
  for (int hold = 0; hold < NUM_HOLDS; hold++) {
    last->counts[hold] = __atomic_load_n(&e->counts[hold], __ATOMIC_RELAXED);
  }
  c->indexes[c->used] = (uint16_t)index;
  __atomic_store_n(&e->key, key, __ATOMIC_RELEASE);
  *ref = __atomic_exchange_n(&c->refs[index], *ref, __ATOMIC_ACQ_REL);
  __atomic_store_n(&c->used, c->used + 1, __ATOMIC_RELEASE);
}

/* False when the table is full. The caller holds `adding`. */
static bool add_lock(struct lock_counts *c, uint32_t key, uint32_t object, bool has_sides,
                     void **ref) {
  if (lock_counts_find(c, key) != 0) return true; /* another thread has added it meanwhile */
  struct entry *e = find_room(c, key);
  if (e == NULL) {
    set_full(c, true);
    return false;
  }
  fill_entry(c, e, key, object, has_sides, ref);
  note_crowd(c);
  return true;
}

/* Returns false without a wait for the lock if the table is full: in a program with many
   short-lived locks, that is so at almost every acquisition. */
static bool add_new_lock(struct lock_counts *c, uint32_t key, uint32_t object, bool has_sides,
                         void **ref) {
  if (!lock_counts_has_room(c)) return false;
  bool locked = bounded_lock(&c->adding);
  bool added = locked && add_lock(c, key, object, has_sides, ref);
  bounded_unlock(&c->adding, locked);
  return added;
}

uint32_t lock_counts_add_lock(struct lock_counts *c, uint32_t key, uint32_t object, bool has_sides,
                              void **ref) {
  if (!is_key(key)) return 0;
  if (lock_counts_find(c, key) != 0) return key;
  return add_new_lock(c, key, object, has_sides, ref) ? key : 0;
}

/* --- counting --------------------------------------------------------------------------------- */

/* The lock of the key is not in the table. There are two reasons:
   - The key is from an earlier recording.
   - Two locks have the key. The one that was added died while a thread waited for the other. */
static void note_missing(struct lock_counts *c) {
  if (__atomic_load_n(&c->has_retired, __ATOMIC_RELAXED))
    __atomic_store_n(&c->is_incomplete, true, __ATOMIC_RELAXED);
}

void lock_counts_increment(struct lock_counts *c, uint32_t key, enum event_kind entry) {
  struct entry *e = find_entry(c, key);
  uint64_t *count = &e->counts[get_hold(entry)];
  if (!has_key(e, key)) {
    note_missing(c);
  } else if (get_hold(entry) == SHARED) {
    __atomic_fetch_add(count, 1, __ATOMIC_RELAXED);
  } else {
    __atomic_store_n(count, __atomic_load_n(count, __ATOMIC_RELAXED) + 1, __ATOMIC_RELAXED);
  }
}

void lock_counts_report_changed(struct lock_counts *c,
                                void (*report)(void *arg, enum event_kind kind, uint32_t object,
                                               uint64_t more),
                                void *arg) {
  pthread_mutex_lock(&c->listing);
  size_t used = __atomic_load_n(&c->used, __ATOMIC_ACQUIRE);
  for (size_t i = 0; i < used; i++) {
    const struct entry *e = &c->entries[c->indexes[i]];
    struct report *last = &c->reports[c->indexes[i]];
    for (int hold = 0; hold < NUM_HOLDS; hold++) {
      uint64_t count = __atomic_load_n(&e->counts[hold], __ATOMIC_RELAXED);
      if (count <= last->counts[hold]) continue;
      uint64_t more = count - last->counts[hold];
      last->counts[hold] = count;
      report(arg, hold == SHARED ? EVENT_READ_LOCK_ACQUIRED : last->exclusive_kind, e->object,
             more);
    }
  }
  pthread_mutex_unlock(&c->listing);
}

void lock_counts_visit(struct lock_counts *c, void (*visit)(void *arg, uint32_t object),
                       void *arg) {
  pthread_mutex_lock(&c->listing);
  size_t used = __atomic_load_n(&c->used, __ATOMIC_ACQUIRE);
  for (size_t i = 0; i < used; i++) visit(arg, c->entries[c->indexes[i]].object);
  pthread_mutex_unlock(&c->listing);
}

/* --- forgetting ------------------------------------------------------------------------------- */

static bool is_reported(const struct lock_counts *c, size_t index) {
  const uint64_t *counts = c->entries[index].counts, *last = c->reports[index].counts;
  return __atomic_load_n(&counts[EXCLUSIVE], __ATOMIC_RELAXED) == last[EXCLUSIVE] &&
         __atomic_load_n(&counts[SHARED], __ATOMIC_RELAXED) == last[SHARED];
}

/* The caller holds both locks. */
static void drop_retired(struct lock_counts *c) {
  size_t kept = 0, used = c->used;
  for (size_t i = 0; i < used; i++) {
    uint16_t index = c->indexes[i];
    struct entry *e = &c->entries[index];
    if (has_key(e, KEY_RETIRED) && is_reported(c, index)) {
      __atomic_store_n(&e->key, KEY_DROPPED, __ATOMIC_RELEASE);
      c->dropped++;
    } else {
      c->indexes[kept++] = index;
    }
  }
  __atomic_store_n(&c->used, kept, __ATOMIC_RELEASE);
}

/* Makes those dropped entries free that no search for a lock in the table passes. Otherwise
   searches for new locks would get longer the more locks have died. Goes backwards from a free
   entry, which no search passes, so the numbers of entries count from there. The caller holds
   `adding`, so at least one entry is free. */
static void free_dropped(struct lock_counts *c) {
  size_t first = 0, least_start = NUM_ENTRIES; /* of the searches for the later locks */
  while (load_key(&c->entries[first]) != 0) first++;
  for (size_t n = NUM_ENTRIES - 1; n > 0 && c->dropped > 0; n--) {
    struct entry *e = &c->entries[(first + n) % NUM_ENTRIES];
    uint32_t key = load_key(e);
    size_t start = (key - first) % NUM_ENTRIES;
    if (is_key(key) && start < least_start) least_start = start;
    if (key != KEY_DROPPED || least_start <= n) continue;
    __atomic_store_n(&e->key, 0, __ATOMIC_RELEASE);
    __atomic_store_n(&c->taken, c->taken - 1, __ATOMIC_RELAXED);
    c->dropped--;
  }
}

static void drop_entries(struct lock_counts *c) {
  pthread_mutex_lock(&c->listing);
  bool locked = bounded_lock(&c->adding);
  if (locked) {
    drop_retired(c);
    free_dropped(c);
    if (c->taken < MAX_TAKEN || c->dropped > 0) set_full(c, false);
    note_crowd(c);
  }
  bounded_unlock(&c->adding, locked);
  pthread_mutex_unlock(&c->listing);
}

/* The lock of the reference that was taken from this index died. If the entry has another reference
   by now, it is the entry of another lock. */
static void retire(struct lock_counts *c, size_t index) {
  bool locked = bounded_lock(&c->adding);
  struct entry *e = &c->entries[index];
  bool is_of_lock =
      is_key(load_key(e)) && __atomic_load_n(&c->refs[index], __ATOMIC_ACQUIRE) == NULL;
  if (locked && is_of_lock) {
    __atomic_store_n(&c->has_retired, true, __ATOMIC_RELAXED);
    __atomic_store_n(&e->key, KEY_RETIRED, __ATOMIC_RELEASE);
  }
  bounded_unlock(&c->adding, locked);
}

/* Returns whether lock_counts_begin has emptied the entry since the reference was stored. A new
   lock stores its key first, so its reference is not taken for an old one. */
static bool is_stale(const struct lock_counts *c, size_t index) {
  return load_key(&c->entries[index]) == 0;
}

static void *take_ref(struct lock_counts *c, size_t index) {
  if (__atomic_load_n(&c->refs[index], __ATOMIC_RELAXED) == NULL) return NULL;
  return __atomic_exchange_n(&c->refs[index], NULL, __ATOMIC_ACQ_REL);
}

/* Returns false if another lock has stored its reference meanwhile. */
static bool put_back(struct lock_counts *c, size_t index, void *ref) {
  void *none = NULL;
  return __atomic_compare_exchange_n(&c->refs[index], &none, ref, false, __ATOMIC_ACQ_REL,
                                     __ATOMIC_RELAXED);
}

static void look_at_ref(struct lock_counts *c, size_t index, const struct lock_refs *refs) {
  void *ref = take_ref(c, index);
  if (ref == NULL) return;
  bool is_dead = refs->is_dead(refs->arg, ref);
  if (!is_dead && !is_stale(c, index) && put_back(c, index, ref)) return;
  refs->delete_ref(refs->arg, ref);
  if (is_dead) retire(c, index);
}

/* A retired entry is dropped by a later sweep. So a thread that has found the entry before, for
   another lock with this key, has the time between the sweeps to count. */
void lock_counts_sweep(struct lock_counts *c, const struct lock_refs *refs) {
  if (__atomic_load_n(&c->taken, __ATOMIC_RELAXED) <= CROWD / 2) return;
  drop_entries(c);
  for (size_t i = 0; i < NUM_ENTRIES; i++) look_at_ref(c, i, refs);
}

void lock_counts_delete_refs(struct lock_counts *c, const struct lock_refs *refs) {
  for (size_t i = 0; i < NUM_ENTRIES; i++) {
    void *ref = take_ref(c, i);
    if (ref != NULL) refs->delete_ref(refs->arg, ref);
  }
}

/* --- figures ---------------------------------------------------------------------------------- */

bool lock_counts_has_room(const struct lock_counts *c) {
  return __atomic_load_n(&c->is_full, __ATOMIC_RELAXED) == 0;
}

bool lock_counts_is_incomplete(const struct lock_counts *c) {
  return __atomic_load_n(&c->is_incomplete, __ATOMIC_RELAXED) ||
         __atomic_load_n(&c->has_skipped, __ATOMIC_RELAXED) != 0;
}

struct table_size lock_counts_size(const struct lock_counts *c) {
  return (struct table_size){__atomic_load_n(&c->used, __ATOMIC_RELAXED), sizeof *c};
}
