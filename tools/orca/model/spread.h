#pragma once
/* The CPU time of Cpu lines, by thread and stack. The lines of a thread add up to its CPU clock,
   but samples cover only part of that time. A thread that lives for a millisecond has hardly any
   sampled time. spread_end distributes the unsampled time over stacks, so that no time is lost.

   Samples are taken at a constant rate of CPU time, so each sample stands for the same time. If the
   option interval changes while recording, a sample stands for the interval of its time: that is
   its weight below, instead of 1.
   - A thread with at least SPREAD_ENOUGH samples distributes its unsampled time over its own
   stacks, in proportion to their numbers of samples.
   - All other threads are pooled by name. A run of digits counts as one digit, so "worker-7" and
     "worker-12" are in one pool. Threads without a name are one pool. The CPU time of a pool,
     sampled and unsampled, is divided by its number of samples; that is the weight of each sample.
     (The time since its thread started would favour what the thread does late.)
   - Each thread of a pool keeps its clock as its total. It first gets the weights of its own
     samples, as far as its clock goes. What is left of its clock goes to stacks of other threads in
     the pool whose weights exceed their clocks.
   - A pool without samples gets the pseudo stack NOT_SAMPLED.

   Call spread_add for all lines, then spread_end, then read the rows. */
#include "agent/base/extern_c.h"
#include "agent/base/hashmap.h"
#include "tools/orca/model/state/stacks.h"
#include "tools/orca/model/threads.h"

BEGIN_C

#define SPREAD_ENOUGH 20

/* rows_of needs the thread as the first field. Times are nanoseconds. */
struct spread_row {
  uint32_t thread;
  stack_id_t stack;
  uint64_t ns;      /* sampled time; after spread_end also the share of unsampled time */
  uint64_t samples; /* 0: the stack was only sampled in other threads of the pool */
  uint64_t weight;  /* of the samples */
};

struct spread_thread {
  uint32_t thread;
  uint64_t ns, unsampled_ns; /* time of its samples; time that no sample covers */
  uint64_t samples, weight;
};

/* A struct of zeros is empty; spread_free frees its memory. */
struct spread {
  struct hashmap ids; /* thread and stack -> row plus one, until spread_end */
  struct spread_row *rows;
  size_t num, capacity;
  size_t num_sampled;        /* the first rows, sorted by thread, have samples; set by spread_end */
  struct hashmap thread_ids; /* thread -> row plus one */
  struct spread_thread *threads;
  size_t num_threads, threads_capacity;
  uint64_t samples;        /* of all threads */
  const struct dump *dump; /* for the intervals; NULL: the interval did not change */
};

/* spread_start makes the spread follow the changes of the option interval. The dump must outlive
   it. */
void spread_start(struct spread *s, const struct dump *d);

/* spread_add takes a Cpu line and its stack from stacks_of_cpu_line. It returns false when memory
   ran out. */
bool spread_add(struct spread *s, const struct sample_line *line, stack_id_t stack);

/* spread_end distributes all unsampled time over stacks. `threads` has the names of the threads.
   The rows of a thread then add up to its clock; several rows can have the same thread and stack.
   It returns false when memory ran out. */
bool spread_end(struct spread *s, struct stacks *stacks, const struct threads *threads);

void spread_free(struct spread *s);

END_C
