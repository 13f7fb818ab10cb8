#pragma once
/* Which threads wait for which threads over time: a waiter waits for the owner of the lock, a
   joiner for the joined thread. The results are:
   - the waits at one moment;
   - the longest chain, in which each thread waits for the next one;
   - the rings: chains that lead back to their first thread. A ring ends if one of its threads gives
     up; a ring that never ends is a deadlock.

   Call wait_graph_start, wait_graph_take for each step of a replay, and wait_graph_end. The results
   are valid after that. Memory grows with the threads and the holds. */
#include "agent/base/extern_c.h"
#include "tools/orca/model/model.h"

BEGIN_C

struct wait_row;

struct wait_ring {
  size_t first, num; /* its links, in `links` */
  ticks_t begin, end;
  bool ended;
};

#define WAIT_CHAIN 64 /* maximal length of a chain */
#define WAIT_RINGS 64 /* maximal number of rings; later ones are not recorded */
#define WAIT_AT_THE_END UINT64_MAX

/* All zero is empty; wait_graph_free frees the memory. */
struct wait_graph {
  struct model *model; /* the caller's */
  ticks_t at;          /* the moment */
  bool has_moment;     /* the waits at the moment are recorded */
  struct hashmap ids;  /* thread -> row plus one */
  struct wait_row *rows;
  size_t num, capacity;
  struct holders holders; /* not those of the pass: at the moment, the pass is one event ahead */

  struct wait_link *moment; /* the waits at the moment that match the filter, longest first */
  size_t num_moment, moment_capacity;
  struct wait_link chain[WAIT_CHAIN]; /* the longest chain whose first wait matches the filter */
  size_t num_chain;
  ticks_t chain_time;
  struct wait_link *links; /* of all rings */
  size_t num_links, links_capacity;
  struct wait_ring rings[WAIT_RINGS]; /* whose last wait to begin matches the filter */
  size_t num_rings;
  uint64_t all_rings; /* that ended */
};

/* wait_graph_start prepares the pass for a complete model. `at`: the moment, or WAIT_AT_THE_END. */
void wait_graph_start(struct wait_graph *g, struct model *m, ticks_t at);

/* wait_graph_take takes a step of a replay of REPLAY_LINES. Returns false when memory ran out. */
bool wait_graph_take(struct wait_graph *g, const struct step *step);

/* wait_graph_end records the waits at the moment if it is at the end or later. Returns false when
   memory ran out. */
bool wait_graph_end(struct wait_graph *g);

void wait_graph_free(struct wait_graph *g);

END_C
