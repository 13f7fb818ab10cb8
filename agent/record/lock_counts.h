#pragma once
/* Counts acquisitions of locks of java.util.concurrent, contended and uncontended ones, while
   locks=waits records only the contended ones. The counters are in memory of the agent. Java code
   (agent/track/java/OrcaLocks.java) counts the uncontended acquisitions, because the call of a
   native method would be slower. A thread increments the exclusive count while it owns the lock, so
   a plain add is enough. The shared count needs an atomic add. */
#include <stdbool.h>
#include <stdint.h>

#include "agent/event/event.h"
#include "agent/record/table_size.h"

#ifdef __cplusplus
extern "C" {
#endif

struct lock_counts;

/* lock_counts_new makes the table of 65,536 entries. The kernel provides only the pages that are
   used. Returns NULL without memory. Never freed. */
struct lock_counts *lock_counts_new(void);

/* lock_counts_begin empties the table for the next recording. No thread may use the table
   meanwhile. */
void lock_counts_begin(struct lock_counts *c);

/* lock_counts_table returns the address of the entries, for OrcaLocks.table. */
const void *lock_counts_table(const struct lock_counts *c);

/* lock_counts_add_lock adds a lock to the table if it is new.
   - `key`: of a side of a ReentrantReadWriteLock, the identity hash of its sync; else the same as
     `object`; 0: the lock is not known, and is not added.
   - `object`: identity hash of the lock in the files.
   - `has_sides`: it has a read lock and a write lock.
   Returns its key for lock_counts_increment, or 0 when the table is full. Any thread. */
uint32_t lock_counts_add_lock(struct lock_counts *c, uint32_t key, uint32_t object, bool has_sides);

/* lock_counts_increment adds 1 to a count of the lock with this key: to the shared count if
   `entry`, the kind of the entry event, is of a read lock, else to the exclusive one. Does nothing
   when the lock is not in the table. The calling thread has acquired the lock and not released it.
 */
void lock_counts_increment(struct lock_counts *c, uint32_t key, enum event_kind entry);

/* lock_counts_report_changed calls `report` for each count that has changed since its last report.
   `kind` is the event that a recorded acquisition would end with; `count` is the number of
   acquisitions since the start of the recording. One thread at a time. */
void lock_counts_report_changed(struct lock_counts *c,
                                void (*report)(void *arg, enum event_kind kind, uint32_t object,
                                               uint64_t count),
                                void *arg);

struct table_size lock_counts_size(const struct lock_counts *c);

/* lock_counts_is_full returns whether a lock was not added because the table was full. The number
   of these locks is not known: to count them, threads would write to memory that all of them share.
 */
bool lock_counts_is_full(const struct lock_counts *c);

#ifdef __cplusplus
}
#endif
