#pragma once
/* All stacks of a page as one tree, so that common outer frames are stored once. The outermost
   frame of a stack is a child of the root. */
#include "agent/base/extern_c.h"
#include "tools/orca/model/state/stacks.h"

BEGIN_C

struct frame_node {
  uint32_t parent; /* 0: the root */
  place_t place;
};

/* All zero is a tree that has only the root, node 0. frame_tree_free releases the memory. */
struct frame_tree {
  struct frame_node *nodes; /* node n is nodes[n - 1]; parents precede their children */
  size_t num, capacity;
  struct hashmap ids;    /* parent and place -> node */
  struct hashmap stacks; /* stack -> node */
  bool full;             /* stacks were cut, because the tree has `max` nodes */
};

/* frame_tree_add adds a stack and returns the node of its innermost frame; 0 if `stack` is 0. Once
   the tree has `max` nodes, it adds no more: the node of a new stack is the innermost frame that is
   in the tree already. False: memory ran out. */
bool frame_tree_add(struct frame_tree *t, const struct stacks *stacks, const struct dump *d,
                    stack_id_t stack, size_t max, uint32_t *out);

void frame_tree_free(struct frame_tree *t);

END_C
