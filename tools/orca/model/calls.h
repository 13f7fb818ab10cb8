#pragma once
/* The calls of tracked methods (option track): how often, how long, called by which methods. The
   memory grows with the numbers of methods, of stacks in which they are called, and of simultaneous
   calls. */
#include "agent/base/extern_c.h"
#include "agent/event/line.h"
#include "tools/orca/model/base/histogram.h"
#include "tools/orca/model/base/tally.h"
#include "tools/orca/model/short_calls.h"
#include "tools/orca/model/state/stacks.h"

BEGIN_C

/* The calls of one method. */
struct called {
  uint32_t id; /* the group of this method in the tallies */
  uint32_t method;
  uint64_t calls; /* calls that were entered */
  uint64_t open;  /* of `calls`: had not exited when the recording ended */
  uint64_t threw; /* of `calls`: exited by an exception */
  ticks_t
      total;    /* with all that they call; a recursive call counts only as part of the outer one */
  ticks_t self; /* without the calls of other tracked methods */
  ticks_t sum;  /* of all calls that exited, the recursive ones too */
  ticks_t longest_open;           /* the longest call that had not exited */
  uint64_t cpu_calls;             /* calls with a measured CPU time */
  uint64_t cpu_ns;                /* their CPU time, without recursive calls, as in `total` */
  struct histogram times;         /* of the calls that exited, in ns */
  struct short_calls short_calls; /* in none of the others, which need the single calls */
};

struct calls_slot;

/* A struct of zeros is empty; calls_free frees its memory. */
struct calls {
  struct hashmap ids;  /* method -> row plus one */
  struct called *rows; /* after calls_end the largest time first, that of short calls included */
  size_t num, capacity;
  struct tally callers;     /* by method: place_t of the call, count and time */
  struct tally thrown;      /* by method: ClassID of the exception */
  struct tally stacks;      /* by method: stack_id_t; used until calls_end */
  struct hashmap inside;    /* thread -> slot of its innermost call, plus one */
  struct hashmap recursion; /* thread and row -> how many calls of this method the thread is in */
  struct calls_slot *slots;
  size_t num_slots, slots_capacity;
  size_t spare; /* a free slot, plus one; 0: none */
  bool clipped; /* the filter has a range: ignore calls without any time in it */
  uint64_t without_end, without_begin; /* calls whose exit, or whose entry, is missing */
  struct short_calls several;          /* of methods that sums do not tell apart; in no row */
};

void calls_free(struct calls *c);

END_C
