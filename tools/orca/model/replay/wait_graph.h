#pragma once
/* Who waits for whom over time: the threads that ask for a lock or join another thread, and those
   who keep them waiting. It tells the state at one moment, the longest row of threads one behind
   the other, and rings that came apart again, as one of their threads gave up.

   First wait_graph_start, then all steps of a replay, then wait_graph_end, then ask. Memory goes by
   threads and by what is held. */
#include "tools/orca/model/replay/replay.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A thread that waits. Who keeps it out is as known as holders_owner knows it: one thread. */
struct wait_link {
  enum event_kind kind; /* of the pair's BEGIN */
  uint32_t thread, object;
  uint32_t owner; /* 0: not known, or several */
  stack_id_t stack;
  ticks_t since;
  stack_id_t owner_stack; /* where the owner got it; 0: not known */
  ticks_t owner_since;    /* when; 0: not known */
};

struct wait_row; /* a thread, while lines are taken */

/* A ring of threads that came apart. */
struct wait_ring {
  size_t first, num; /* in `links` */
  ticks_t begin, end;
  bool ended;
};

#define WAIT_CHAIN 64 /* links of a row of threads at most */
#define WAIT_RINGS 64 /* that are kept */
#define WAIT_AT_THE_END UINT64_MAX

/* All zero is empty; wait_graph_free gives the memory back. */
struct wait_graph {
  struct model *model; /* the caller's */
  ticks_t at;          /* the moment that is asked for */
  bool past;           /* it is over */
  struct hashmap ids;  /* thread -> row plus one */
  struct wait_row *rows;
  size_t num, capacity;
  struct holders holders;

  struct wait_link *moment; /* those who waited then, longest first */
  size_t num_moment, moment_capacity;
  struct wait_link chain[WAIT_CHAIN]; /* the longest row: each waits for the next one */
  size_t num_chain;
  ticks_t chain_time;
  struct wait_link *links;
  size_t num_links, links_capacity;
  struct wait_ring rings[WAIT_RINGS]; /* those that did not come apart have not `ended` */
  size_t num_rings;
  uint64_t all_rings; /* that came apart */
};

/* wait_graph_start begins with a model that was read; `at`: the moment that is asked for,
   WAIT_AT_THE_END. */
void wait_graph_start(struct wait_graph *g, struct model *m, ticks_t at);

/* wait_graph_take takes a step of a replay. False: memory ran out. */
bool wait_graph_take(struct wait_graph *g, const struct step *step);

/* wait_graph_end ends the taking. What of it is asked for is what the filter of the model says.
   False: memory ran out. */
bool wait_graph_end(struct wait_graph *g);

void wait_graph_free(struct wait_graph *g);

#ifdef __cplusplus
}
#endif
