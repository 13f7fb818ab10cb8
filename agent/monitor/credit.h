#pragma once
/* The query budget: how much time the owner watch may spend on queries to the JVM, which stop all
   threads of the program. A fixed share of the time that passes is added to the budget, up to a
   bound; each query is charged to it.

   When all CPUs are busy, most of a query's duration is the time until the JVM's own thread gets a
   CPU, while the program still runs. So each query is charged with the shortest duration of the
   last CREDIT_RECENT queries. Times are those of clock_monotonic_ns. One thread. */
#include <stdbool.h>
#include <stdint.h>

#include "agent/base/extern_c.h"

BEGIN_C

#define CREDIT_RECENT 16

struct credit {
  uint64_t updated_ns;            /* when time was last added to the balance */
  int64_t balance_ns;             /* negative after a query that took longer than the balance */
  uint64_t recent[CREDIT_RECENT]; /* durations of the last queries, in ns; a ring */
  unsigned num_spent;             /* number of queries */
};

/* credit_start begins with a full budget. */
void credit_start(struct credit *c, uint64_t now_ns);

/* credit_is_left returns whether the budget allows a query now. */
bool credit_is_left(struct credit *c, uint64_t now_ns);

/* credit_next returns from which time on the budget allows a query, if there is none before. */
uint64_t credit_next(const struct credit *c);

/* credit_spend charges one query, which took `took_ns`. */
void credit_spend(struct credit *c, uint64_t took_ns);

/* credit_charge charges exactly `ns`, if the caller knows what a query cost. */
void credit_charge(struct credit *c, uint64_t ns);

END_C
