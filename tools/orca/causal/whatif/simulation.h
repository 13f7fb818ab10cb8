#pragma once
/* Plays a script on CPUs and locks, by discrete events, with changes. */
#include "agent/base/extern_c.h"
#include "tools/orca/causal/whatif/script.h"

BEGIN_C

/* A variant of the simulation. What a recording does not tell exactly differs between the variants,
   so the differences of their results show how much a prediction depends on it. */
enum variant_id {
#define VARIANT(id, cost, hand_off, others) VARIANT_##id,
#include "tools/orca/causal/whatif/variant.def"
#undef VARIANT
  NUM_VARIANTS
};

struct variant {
  double cost, hand_off, others; /* the columns of variant.def */
};

extern const struct variant variants[NUM_VARIANTS];

/* The change of a lock. All zero: none. */
struct lock_change {
  bool is_dropped;
  bool is_unfair;
  bool is_all_read;     /* all acquisitions are reads */
  const float *is_read; /* by stack: the acquisitions below a method are reads; NULL: none */
  double shorter;       /* the holds take this part less */
  uint32_t stripes;     /* 0: one */
  bool has_moved;       /* the parts in `moved` are done after the release */
};

/* What is different from the recording. All zero: nothing. The arrays are the caller's; NULL: no
   change. */
struct changes {
  const struct lock_change *locks; /* by row */
  double cpus;                     /* 0: as recorded */
  /* The part of the time that is saved: in a stretch, by site; in a wait, by stack. */
  const float *site_less, *stack_less;
  /* By method: calls of this tracked method take this part less. */
  uint32_t tracked_method; /* 0: none */
  double tracked_less;
  const float *site_moved, *stack_moved; /* the part that moves out of locks with has_moved */
  uint32_t moved_method;                 /* the same for calls of this tracked method; 0: none */
  uint32_t shorter_group; /* plus one: group whose own work takes `group_less` less; 0: none */
  double group_less;
  const struct variant *variant; /* NULL: as recorded */
  const uint32_t
      *pool_threads; /* by row: so many threads of a known pool run tasks; 0: as recorded */
  double sleep_less; /* sleeps and waits that end by time take this part less */
};

enum simulation_end { SIMULATION_DONE, SIMULATION_STUCK, SIMULATION_ENDLESS, SIMULATION_NO_MEMORY };

struct simulation_lock {
  double waited, held; /* ticks */
};

/* The result. simulation_free frees the memory. */
struct simulation {
  enum simulation_end end;
  double time;                   /* until the goal, in ticks */
  double cpu;                    /* that the threads used */
  double queued;                 /* that ready threads had no CPU */
  struct simulation_lock *locks; /* by row */
};

/* simulation_run plays the script. `limit`: the simulation ends as SIMULATION_ENDLESS at this time
   (ticks). */
void simulation_run(struct simulation *r, const struct script *s, const struct changes *changes,
                    double limit);

void simulation_free(struct simulation *r);

END_C
