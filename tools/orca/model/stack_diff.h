#pragma once
/* The stacks of two recordings as one tree, with the times of both runs at each frame. Frames are
   matched like the methods of compare.h: by name, without line numbers. */
#include "agent/base/extern_c.h"
#include "tools/orca/model/compare.h"

BEGIN_C

/* A method, as the run `side` names it. */
struct stack_diff_method {
  int side;
  uint32_t id;
};

struct stack_diff_node {
  uint32_t parent; /* number of a node before this one; of the root: 0 */
  uint32_t method; /* number of a method; of the root: 0 */
  /* With callees, by value and run. `count`: see diff_side. */
  struct {
    ticks_t time;
    double count;
  } costs[NUM_PROFILE_VALUES][2];
};

/* stack_diff_free releases the memory. */
struct stack_diff {
  const struct model *runs[2];   /* the caller's */
  struct stack_diff_node *nodes; /* the first is the root, which has the sums */
  size_t num, capacity;
  struct stack_diff_method *methods;
  size_t num_methods, methods_capacity;
  struct hashmap method_ids; /* digest of the name -> number plus one */
  struct hashmap node_ids;   /* parent and method -> number */
  bool full;                 /* there were more than `max` nodes */
};

/* stack_diff_read merges the profiles of two models. With `max` nodes the tree grows no more: the
   time of further stacks counts for the frames that are in the tree, whose times are still exact.
   False: memory ran out. Call stack_diff_free in both cases. The models must outlive it. */
bool stack_diff_read(struct stack_diff *d, const struct model *a, const struct model *b,
                     size_t max);

/* What the times of both runs are divided by. */
enum stack_diff_norm {
  STACK_DIFF_LENGTH, /* the length of the recording */
  STACK_DIFF_TOTAL,  /* the time of all stacks */
  NUM_STACK_DIFF_NORMS
};

/* stack_diff_judge returns whether the time of a node changed by more than chance; see diff.h. */
enum diff_verdict stack_diff_judge(const struct stack_diff *d, size_t node,
                                   enum profile_value value, enum stack_diff_norm norm);

void stack_diff_free(struct stack_diff *d);

END_C
