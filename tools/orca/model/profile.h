#pragma once
/* What each stack cost, by thread: the profile that flame graphs, call trees and exports are made
   of. Rows go by distinct thread and stack. First add, then sort, then ask. */
#include "tools/orca/model/state/pairs.h"

#ifdef __cplusplus
extern "C" {
#endif

enum profile_value {
  PROFILE_CPU,     /* CPU time, by the samples, with the stacks that struct cpu gives it to */
  PROFILE_WALL,    /* time of the clock, by the samples: from a line of a thread to its next one */
  PROFILE_BLOCKED, /* until a lock was had: monitors, and other locks that were not free */
  PROFILE_WAITS,   /* every other pair: waits, parks, sleeps, joins, queues, … */
  NUM_PROFILE_VALUES
};

/* "cpu", "wall", "blocked", "waits": as the option --value has them. */
extern const char *const profile_value_names[NUM_PROFILE_VALUES];

/* profile_value_find looks such a name up; false where there is none. */
bool profile_value_find(const char *name, enum profile_value *out);

/* Exact, so that sums are those of the other models. `count`: spells of the same state, pairs; of
   CPU time how often it was added, which is no number of samples where they are spread. */
struct profile_cost {
  ticks_t time;
  uint64_t count;
};

struct profile_row {
  uint32_t thread;
  stack_id_t stack; /* 0: not known; a thread without Java frames */
  struct profile_cost costs[NUM_PROFILE_VALUES];
};

/* All zero is empty; profile_free gives the memory back. */
struct profile {
  struct hashmap ids; /* thread and stack -> row plus one, until the rows are sorted */
  struct profile_row *rows;
  size_t num, capacity;
};

/* profile_add adds one more time to a row. False where memory runs out. */
bool profile_add(struct profile *p, uint32_t thread, stack_id_t stack, enum profile_value value,
                 ticks_t time);

/* profile_pair adds a pair that has ended, and stands for a wait (locks_pair). False where memory
   runs out. */
bool profile_pair(struct profile *p, const struct pair *pair);

/* profile_forget takes a value out of all rows. */
void profile_forget(struct profile *p, enum profile_value value);

/* profile_sort ends the adding: by thread, then by stack, the numbers ascending. Rows that nothing
   is left of are dropped. */
void profile_sort(struct profile *p);

/* profile_of_thread gives the rows of a thread in a sorted profile. */
const struct profile_row *profile_of_thread(const struct profile *p, uint32_t thread,
                                            size_t *out_num);

/* profile_fold makes a sorted profile of all threads together, whose rows name thread 0. False
   where memory runs out; profile_free of `out` either way. */
bool profile_fold(const struct profile *p, struct profile *out);

/* profile_total sums a value up over all rows. */
struct profile_cost profile_total(const struct profile *p, enum profile_value value);

static inline uint64_t profile_ns(const struct profile_row *row, enum profile_value value) {
  return row->costs[value].time / TICKS_PER_NS;
}

void profile_free(struct profile *p);

#ifdef __cplusplus
}
#endif
