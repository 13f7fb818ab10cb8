#pragma once
/* When each lock was last released: tells whether a thread that got a lock had to wait for it. */
#include "agent/base/extern_c.h"
#include "tools/orca/model/state/holders.h"

BEGIN_C

/* All zero is empty; releases_free frees the memory. */
struct releases {
  struct hashmap times; /* kind of lock and object -> time of the last release */
};

/* releases_event takes the events in their order. Returns false when memory ran out. */
bool releases_event(struct releases *r, const struct event_line *line);

/* releases_had_to_wait returns whether the thread of an ended or open pair was blocked on its lock.
   Call it before releases_event takes the event that ends the pair.
   - A pair that is not an acquisition, is still open, or failed: true.
   - Where only contended acquisitions have lines (locks=waits, threshold, monitors): true.
   - Where all have lines (locks=all; semaphores): true if the pair names an owner, or if the lock
     was released since the pair began. A release lets the next waiter in. */
bool releases_had_to_wait(const struct releases *r, const struct holders *holders,
                          const struct pair *pair);

void releases_free(struct releases *r);

END_C
