#pragma once
/* All stacks of a page as one tree, outermost frame first, so that what they share stands once. */
#include "tools/orca/model/state/stacks.h"

#ifdef __cplusplus
extern "C" {
#endif

struct frame_node {
  uint32_t parent; /* 0: outermost */
  place_t place;
};

/* All zero is a tree of its root alone, node 0; frame_tree_free gives the memory back. */
struct frame_tree {
  struct frame_node *nodes; /* node n is nodes[n - 1]; parents stand before their children */
  size_t num, capacity;
  struct hashmap ids;    /* parent and place -> node */
  struct hashmap stacks; /* stack -> node */
  bool full;             /* stacks were cut, as there are `max` nodes */
};

/* frame_tree_add gives the node of a stack's innermost frame, 0 of no stack. With `max` nodes the
   tree takes no more, and a new stack ends at its outermost frames that are known. False: memory
   ran out. */
bool frame_tree_add(struct frame_tree *t, const struct stacks *stacks, const struct dump *d,
                    stack_id_t stack, size_t max, uint32_t *out);

void frame_tree_free(struct frame_tree *t);

#ifdef __cplusplus
}
#endif
