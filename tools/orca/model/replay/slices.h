#pragma once
/* The profile over time: the time of each stack of each thread in slices of equal length, for the
   profile of any part of a recording. CPU time is that of the samples in the slice; unsampled time
   is in no slice. The other values are exact and divided among the slices that they cover. If there
   are too many rows, the slices become longer. */
#include "agent/base/extern_c.h"
#include "tools/orca/model/model.h"

BEGIN_C

#define SLICES_LINES \
  (PASS_EVENTS | PASS_SAMPLE(SAMPLE_THREAD) | PASS_SAMPLE(SAMPLE_CPU) | PASS_OPEN_PAIRS)

struct slices_row {
  uint32_t slice; /* its number, from 0 */
  uint32_t thread;
  stack_id_t stack;
  ticks_t times[NUM_PROFILE_VALUES];
};

/* What the last Sample line of a thread showed. */
struct slices_thread {
  uint32_t thread;
  stack_id_t stack, ran; /* `ran`: the last stack in which it ran; 0: none */
  ticks_t seen;          /* 0: it was not seen, or has ended */
  uint64_t carried_ns;   /* CPU time before it was seen running, as in struct cpu */
  ticks_t carried;       /* when the last of it was seen */
};

/* All zero is empty; slices_free frees the memory. */
struct slices {
  const struct model *model; /* the caller's */
  ticks_t start, end;        /* the range of the filter */
  ticks_t step;              /* length of a slice */
  size_t max;
  struct hashmap ids; /* slice, thread and stack -> row plus one */
  struct slices_row *rows;
  size_t num, capacity;
  struct hashmap thread_ids; /* thread -> row plus one */
  struct slices_thread *threads;
  size_t num_threads, threads_capacity;
};

/* slices_start begins with `num_slices` slices. Then at most `max` rows remain, unless one slice
   of the whole recording has more. */
void slices_start(struct slices *s, const struct model *m, size_t num_slices, size_t max);

/* slices_take takes a step of a replay of at least SLICES_LINES; slices_end sorts the rows by
   slice, thread and stack. Both return false when memory ran out. */
bool slices_take(struct slices *s, const struct step *step);
bool slices_end(struct slices *s);

void slices_free(struct slices *s);

END_C
