#pragma once
/* The short calls of the threads (short_sums.h) on their way to the writer. A thread adds its calls
   to one of several tables, so that threads on different CPUs rarely write the same memory. If
   another thread uses that table at this moment, it takes the next one, so it hardly ever waits.
   The writer takes the sums from time to time. */
#include <stdbool.h>
#include <stdint.h>

#include "agent/base/extern_c.h"
#include "agent/record/short_sums.h"

BEGIN_C

struct short_calls;

/* short_calls_new makes empty tables, of which the system provides only what is touched. NULL
   without memory. Never freed. */
struct short_calls *short_calls_new(void);

/* short_calls_add adds one call that took `ns`, of the recording with this number. Without effect
   once sums of a later recording were added or taken. `thread`: a number that few threads have in
   common. Any thread. */
void short_calls_add(struct short_calls *c, uint32_t thread, uint32_t recording,
                     const struct short_key *key, uint64_t ns);

/* short_calls_take hands all sums of the recording to `take` and frees them, and forgets those of
   earlier ones. It waits at most a second, for threads that are stopped in the middle of an
   addition; the next call comes to their tables. One thread at a time. */
void short_calls_take(struct short_calls *c, uint32_t recording,
                      void (*take)(void *arg, struct short_sum *sum), void *arg);

END_C
