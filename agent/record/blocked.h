#pragma once
/* Threads that are blocked on a monitor whose owner is not in the files yet (owners=late). Each has
   a slot of a fixed pool. Three parties share a slot; it is free again when all have released it:

     the blocked thread   from blocked_begin to blocked_end
     the owner watch      from blocked_take_unseen to blocked_release (agent/monitor/owners.c)
     the writer thread    until blocked_take_owner

   These files do not call the JVM: the monitor is a weak reference that only the watch uses. */
#include <stdbool.h>
#include <stdint.h>

#include "agent/base/extern_c.h"

BEGIN_C

#define BLOCKED_SLOTS 4096

struct blocked;
struct blocked_pool;

struct blocked_pool *blocked_pool_new(void); /* NULL without memory; never freed */

/* A thread, and the monitor on which it is blocked. */
struct blocked_on {
  void *monitor;         /* a weak global reference; the watch deletes it */
  uint32_t thread, hash; /* identity hashes of the thread and of the monitor */
  uint64_t since_ns;     /* CLOCK_MONOTONIC */
};

/* blocked_begin takes a slot for a thread that is about to block, and copies `*on` into it. Returns
   NULL when it finds no free slot: then the line stays without an owner, and the caller deletes the
   reference. The blocked thread itself calls it. */
struct blocked *blocked_begin(struct blocked_pool *p, const struct blocked_on *on);

/* blocked_end records that the thread has acquired the monitor, and releases the thread's party.
   The thread calls it before it pushes its next record. NULL is allowed. */
void blocked_end(struct blocked *b);

/* blocked_is_over returns whether blocked_end has been called. Any party. */
bool blocked_is_over(const struct blocked *b);

/* blocked_was_over returns whether blocked_end had been called at `time_ns`. If not, a line about
   the slot with this time comes before the next lines of the thread. Any party. */
bool blocked_was_over(const struct blocked *b, uint64_t time_ns);

/* blocked_take_unseen returns the oldest slot that it has not returned yet, or NULL. Watch only. */
struct blocked *blocked_take_unseen(struct blocked_pool *p);
const struct blocked_on *blocked_on(const struct blocked *b);

/* blocked_set_owner sets the owner of the monitor since the thread began to block. Returns false
   when the line may already have been written without it. Watch only. */
bool blocked_set_owner(struct blocked *b, uint32_t owner);

/* blocked_add_party adds a party, for another record that refers to the slot. The caller is a party
   itself. */
void blocked_add_party(struct blocked *b);

/* blocked_release releases the party of the watch, or of a record for which blocked_add_party was
   called. */
void blocked_release(struct blocked *b);

/* blocked_owner returns the owner that blocked_set_owner has set so far, else 0. Writer only. */
uint32_t blocked_owner(const struct blocked *b);

/* blocked_take_owner returns the owner that blocked_set_owner has set, else 0, and releases the
   writer's party. */
uint32_t blocked_take_owner(struct blocked *b);

END_C
