#pragma once
/* The calls of the methods that the user chose (option track): how often, how long, by whom. First
   the events in their order, then calls_end, then ask. Memory goes by methods, by the stacks they
   are called in, and by the calls that are under way at one time. */
#include "agent/event/line.h"
#include "tools/orca/model/base/histogram.h"
#include "tools/orca/model/base/tally.h"
#include "tools/orca/model/state/stacks.h"

#ifdef __cplusplus
extern "C" {
#endif

struct called {
  uint32_t id; /* the group of this method in the tallies */
  uint32_t method;
  uint64_t calls; /* that began */
  uint64_t open;  /* of them: not over when the recording ended */
  uint64_t threw; /* of them: left by an exception */
  ticks_t total;  /* with all that it calls; calls within a call of it count once, as a whole */
  ticks_t self;   /* less the calls of other methods here */
  ticks_t sum;    /* of the calls that are over, each for itself */
  ticks_t longest_open;   /* of those that are not */
  uint64_t cpu_calls;     /* calls whose CPU time was measured */
  uint64_t cpu_ns;        /* theirs, counted as the total is */
  struct histogram times; /* of the calls that are over, in ns */
};

struct calls_slot;

/* All zero is empty; calls_free gives the memory back. */
struct calls {
  struct hashmap ids; /* method -> row plus one */
  struct called *rows;
  size_t num, capacity;
  struct tally callers;     /* by method: place_t of the call, how often and how long */
  struct tally thrown;      /* by method: ClassID */
  struct tally stacks;      /* by method: stack_id_t, until calls_end */
  struct hashmap inside;    /* thread -> slot of the innermost call, plus one */
  struct hashmap recursion; /* thread and row -> calls of the method that the thread is in */
  struct calls_slot *slots;
  size_t num_slots, slots_capacity;
  size_t spare; /* a slot without a call, plus one */
  bool clipped; /* calls without any time are none: they were before or behind what is asked for */
  uint64_t without_end, without_begin;
};

/* calls_feed takes an event, whose time is clipped to what is asked for; others than of methods and
   of the end of a thread are nothing to it. `asked`, of an entry: the call counts, as far as some
   of its time is. False: memory ran out. */
bool calls_feed(struct calls *c, const struct event_line *line, stack_id_t stack, bool asked);

/* calls_end counts what is under way up to `end`; then the method with the largest total comes
   first. False: memory ran out. */
bool calls_end(struct calls *c, const struct dump *d, const struct stacks *stacks, ticks_t end);

void calls_free(struct calls *c);

#ifdef __cplusplus
}
#endif
