#pragma once
/* The time of each stack of each thread: the profile from which flame graphs, call trees and
   exports are made. A row is a thread and a stack. Call profile_add and profile_pair for all times,
   then profile_sort, then the functions that read. */
#include "agent/base/extern_c.h"
#include "tools/orca/model/state/pairs.h"

BEGIN_C

enum profile_value {
  PROFILE_CPU,     /* CPU time; struct cpu chooses the stack */
  PROFILE_WALL,    /* wall-clock time: from a Sample line of a thread to its next one */
  PROFILE_BLOCKED, /* blocked time of contended acquisitions: monitors and other locks */
  PROFILE_WAITS,   /* time of all other pairs: waits, parks, sleeps, joins, queues, … */
  NUM_PROFILE_VALUES
};

/* "cpu", "wall", "blocked", "waits": the arguments of the option --value. */
extern const char *const profile_value_names[NUM_PROFILE_VALUES];

/* profile_value_find looks up such a name; it returns false for any other text. */
bool profile_value_find(const char *name, enum profile_value *out);

/* The time is exact, so that its sums are equal to those of the other parts of the model. `count`
   is the number of times that were added: for PROFILE_WALL the intervals between Sample lines, for
   PROFILE_BLOCKED and PROFILE_WAITS the pairs. For PROFILE_CPU it is not the number of samples. */
struct profile_cost {
  ticks_t time;
  uint64_t count;
};

struct profile_row {
  uint32_t thread;
  stack_id_t stack; /* 0: not known, or a thread without Java frames */
  struct profile_cost costs[NUM_PROFILE_VALUES];
};

/* A struct of zeros is empty; profile_free frees its memory. */
struct profile {
  struct hashmap ids; /* thread and stack -> row plus one, until profile_sort */
  struct profile_row *rows;
  size_t num, capacity;
};

/* profile_add adds a time to a row. It returns false when memory ran out. */
bool profile_add(struct profile *p, uint32_t thread, stack_id_t stack, enum profile_value value,
                 ticks_t time);

/* profile_pair adds a clipped pair during which its thread was blocked or waited; take_profile in
   analysis.c calls it. It returns false when memory ran out. */
bool profile_pair(struct profile *p, const struct pair *pair);

/* profile_forget sets a value of all rows to zero. */
void profile_forget(struct profile *p, enum profile_value value);

/* profile_sort sorts the rows by thread, then by stack, ascending. It drops the rows without any
   value. Nothing may be added after it. */
void profile_sort(struct profile *p);

/* profile_fold sums up a sorted profile over all threads. In `*out`, which is sorted, all rows have
   thread 0. It returns false when memory ran out; call profile_free for `*out` either way. */
bool profile_fold(const struct profile *p, struct profile *out);

/* profile_total returns the sum of a value over all rows. */
struct profile_cost profile_total(const struct profile *p, enum profile_value value);

/* profile_ns returns a value of a row in nanoseconds. */
static inline uint64_t profile_ns(const struct profile_row *row, enum profile_value value) {
  return row->costs[value].time / TICKS_PER_NS;
}

void profile_free(struct profile *p);

END_C
