#pragma once
/* Which triggers have fired, on their way from the writer to the thread that changes options for
   them. Neither side waits for a lock. */
#include <stdbool.h>
#include <stdint.h>

#include "agent/base/extern_c.h"
#include "agent/base/semaphore.h"

BEGIN_C

struct firings {
  uint32_t fired;         /* bit t: trigger t has; atomic */
  struct semaphore noted; /* posted by firings_note and firings_end */
};

/* firings_init is called once. firings_reset forgets all while no thread waits. */
void firings_init(struct firings *f);
void firings_reset(struct firings *f);

/* firings_note notes that trigger number `trigger` has fired, from 0 to 31. Any thread. */
void firings_note(struct firings *f, unsigned trigger);

/* firings_wait waits for firings_note or firings_end, at most until `until_ns`
   (clock_monotonic_ns). It returns the triggers that have fired since the last call, as bits. One
   thread. */
uint32_t firings_wait(struct firings *f, uint64_t until_ns);

/* firings_end ends the current or next firings_wait. Any thread. */
void firings_end(struct firings *f);

END_C
