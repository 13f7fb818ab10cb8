#pragma once
/* The CPU time of Cpu lines, by thread and stack. A thread's lines add up to its clock, but part of
   that time is covered by no sample: what a thread used after its last one, which is nearly all of
   a thread that lives for a millisecond. That part goes to stacks here, and none of it is lost.

   Samples are taken at a constant rate of CPU time, so that each one stands for the same time:
   - A thread with SPREAD_ENOUGH samples or more spreads its unsampled time over its own stacks, in
     proportion to their number of samples.
   - All other threads are pooled by name, where digits count as one ("worker-7" and "worker-12");
     threads without a name are one pool. The CPU time of a pool, sampled or not, is divided by its
     number of samples, and each sample weighs that. To weigh it with the time since its thread
     began would favour what a thread does late.
   - In a pool each thread keeps its clock as its total: first it is given what its own samples
     weigh, then what the samples of others weigh more than their threads have used.
   - A pool without a sample is not sampled: its time has the pseudo stack NOT_SAMPLED.

   First add, then end, then read the rows. */
#include "agent/base/hashmap.h"
#include "tools/orca/model/state/stacks.h"
#include "tools/orca/model/threads.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SPREAD_ENOUGH 20

/* The thread comes first, for rows_of. Times are nanoseconds. */
struct spread_row {
  uint32_t thread;
  stack_id_t stack;
  uint64_t ns;      /* sampled time; after spread_end also its share of unsampled time */
  uint64_t samples; /* 0: only time that others were sampled in */
};

struct spread_thread {
  uint32_t thread;
  uint64_t ns, unsampled_ns; /* of samples; that no sample covers */
  uint64_t samples;
};

/* All zero is empty; spread_free gives the memory back. */
struct spread {
  struct hashmap ids; /* thread and stack -> row plus one, until spread_end */
  struct spread_row *rows;
  size_t num, capacity;
  size_t num_sampled;        /* the first of them, by thread, have samples; set by spread_end */
  struct hashmap thread_ids; /* thread -> row plus one */
  struct spread_thread *threads;
  size_t num_threads, threads_capacity;
  uint64_t samples; /* of all threads */
};

/* spread_add takes a Cpu line and its stacks_of_cpu_line. False: memory ran out. */
bool spread_add(struct spread *s, const struct sample_line *line, stack_id_t stack);

/* spread_end gives all unsampled time to stacks. Threads are named by `threads`. The rows of a
   thread add up to its clock, but may be more than one for the same stack. False: memory ran out.
 */
bool spread_end(struct spread *s, struct stacks *stacks, const struct threads *threads);

void spread_free(struct spread *s);

#ifdef __cplusplus
}
#endif
