#pragma once
/* Counts acquisitions of locks of java.util.concurrent, contended and uncontended ones, while
   locks=waits records only the contended ones. The counters are in memory of the agent. Java code
   (agent/track/java/OrcaLocks.java) counts the uncontended acquisitions, because the call of a
   native method would be slower. A thread increments the exclusive count while it owns the lock, so
   a plain add is enough. The shared count needs an atomic add.

   The table has room for a fixed number of locks, and forgets those that died. From 1,024 locks on
   a lock without an identity hash is not added: the agent takes the hash when a thread has to wait
   for the lock. An entry is

     added      with a reference to the lock, which does not keep the lock alive
     retired    after the lock died: the entry has no key any more, so no search finds it
     dropped    at a later sweep, when its last counts are reported: another lock may get the entry

   Two locks can have one key, and share an entry then. When the first one dies, the entry is
   retired, and the other lock is added again at its next acquisition. */
#include <stdbool.h>
#include <stdint.h>

#include "agent/base/extern_c.h"
#include "agent/event/event.h"
#include "agent/record/table_size.h"

BEGIN_C

struct lock_counts;

/* lock_counts_new makes the table of 65,536 entries. The kernel provides only the pages that are
   used. Returns NULL without memory. Never freed. */
struct lock_counts *lock_counts_new(void);

/* lock_counts_begin empties the table for the next recording, except for references: see
   lock_counts_delete_refs. A thread that still uses the table for the recording before adds or
   counts a lock in the new one at worst. */
void lock_counts_begin(struct lock_counts *c);

/* lock_counts_table returns the address of the entries, for OrcaLocks.table. */
const void *lock_counts_table(const struct lock_counts *c);

/* lock_counts_find returns `key` if a lock with this key is in the table, else 0. Any thread. */
uint32_t lock_counts_find(struct lock_counts *c, uint32_t key);

/* lock_counts_has_room returns false if the table has refused a lock, and no entry was dropped
   since. Any thread. */
bool lock_counts_has_room(const struct lock_counts *c);

/* lock_counts_add_lock adds a lock to the table if it is new.
   - `key`: of a side of a ReentrantReadWriteLock, the identity hash of its sync; else the same as
     `object`; 0: the lock is not known, and is not added.
   - `object`: identity hash of the lock in the files.
   - `has_sides`: it has a read lock and a write lock.
   - `ref`: `*ref` is a reference to the object whose identity hash is the key; NULL: there is none,
     and the lock is not forgotten. Afterwards `*ref` is a reference that the caller has to delete,
     or NULL. It is the own one of the caller if the lock was not added, else one that the table
     does not need any more.
   Returns its key for lock_counts_increment, or 0 when the table is full. Any thread. */
uint32_t lock_counts_add_lock(struct lock_counts *c, uint32_t key, uint32_t object, bool has_sides,
                              void **ref);

/* lock_counts_increment adds 1 to a count of the lock with this key. `entry` is the kind of the
   entry event: if it is of a read lock, the count is the shared one, else the exclusive one. Counts
   nothing when the lock is not in the table. The calling thread has acquired the lock and not
   released it. */
void lock_counts_increment(struct lock_counts *c, uint32_t key, enum event_kind entry);

/* lock_counts_report_changed calls `report` for each count that has changed since its last report.
   `kind` is the event that a recorded acquisition would end with; `more` is the number of
   acquisitions since the last report, at least 1. Several entries can have the same `object`. One
   thread at a time; it waits for a part of lock_counts_sweep that does not call the JVM. */
void lock_counts_report_changed(struct lock_counts *c,
                                void (*report)(void *arg, enum event_kind kind, uint32_t object,
                                               uint64_t more),
                                void *arg);

/* lock_counts_visit calls `visit` with the object of each entry that may still be reported. The
   thread is that of lock_counts_report_changed. */
void lock_counts_visit(struct lock_counts *c, void (*visit)(void *arg, uint32_t object), void *arg);

/* The functions that lock_counts_sweep calls for references. */
struct lock_refs {
  bool (*is_dead)(void *arg, void *ref); /* whether the lock of the reference died */
  void (*delete_ref)(void *arg, void *ref);
  void *arg;
};

/* lock_counts_sweep drops the entries that an earlier sweep retired, and retires those whose locks
   died since then. Does nothing while it has at most 512 locks. One thread at a time. */
void lock_counts_sweep(struct lock_counts *c, const struct lock_refs *refs);

/* lock_counts_delete_refs deletes all references: after the end of a recording, when no entry needs
   to be dropped any more. Any thread, also during a sweep. */
void lock_counts_delete_refs(struct lock_counts *c, const struct lock_refs *refs);

struct table_size lock_counts_size(const struct lock_counts *c);

/* lock_counts_is_incomplete returns whether some acquisitions were not counted since
   lock_counts_begin, mostly because a lock found no room or was left out. Their number is not
   known: to count them, threads would write to memory that all of them share. */
bool lock_counts_is_incomplete(const struct lock_counts *c);

END_C
