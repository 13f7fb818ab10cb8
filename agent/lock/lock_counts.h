#pragma once
/* How often locks were acquired that need not be waited for. The counters lie in memory of ours
   that Java code counts in (java/OrcaLocks.java): no call of a native is as cheap. A lock that is
   held alone is counted by who holds it, so nothing is counted twice or lost without an atomic add;
   one that is shared is counted by atomic adds. */
#include <jvmti.h>

#include "agent/event/event.h"
#include "agent/lock/lock_fields.h"

#ifdef __cplusplus
extern "C" {
#endif

struct lock_counts;

/* lock_counts_new makes the table: 65,536 locks, of whose memory the system gives only what is
   touched. NULL without memory. Never freed. */
struct lock_counts *lock_counts_new(void);

/* lock_counts_begin begins a recording: no lock is known. Nothing is counted while it runs. */
void lock_counts_begin(struct lock_counts *c);

/* lock_counts_table is what Java code is given: the address of the entries, see OrcaLocks. */
jlong lock_counts_table(const struct lock_counts *c);

/* lock_counts_at makes room for the lock if it has none: its key, by which lock_counts_add finds
   it; 0 when the table is full. */
uint32_t lock_counts_at(struct lock_counts *c, const struct lock_look *lock);

/* lock_counts_add counts one acquisition more, which began with the event `entry`; nothing where
   the lock has no room. By who has acquired it, and still has it. */
void lock_counts_add(struct lock_counts *c, uint32_t key, enum event_kind entry);

/* lock_counts_changed tells each count that is not what it was when it was last told: acquisitions
   of a lock in all, by the event that each of them would be. One thread at a time. */
void lock_counts_changed(struct lock_counts *c,
                         void (*tell)(void *arg, enum event_kind kind, uint32_t object,
                                      uint64_t count),
                         void *arg);

/* lock_counts_refused is how often a lock found no room. */
uint64_t lock_counts_refused(const struct lock_counts *c);

#ifdef __cplusplus
}
#endif
