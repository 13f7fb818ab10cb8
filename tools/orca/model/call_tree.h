#pragma once
/* A value of the model's profile as a tree of calls: top-down from the outermost frames, or
   bottom-up from a method to its callers. A node is a method, whatever its lines. Consecutive
   frames of the same method (direct recursion) are one node. */
#include "agent/base/extern_c.h"
#include "tools/orca/model/model.h"

BEGIN_C

/* In a node's key: the key is a thread's hash, not a method. */
#define CALL_TREE_THREAD (UINT64_C(1) << 32)

struct call_node {
  uint64_t key;    /* MethodID, or CALL_TREE_THREAD | hash of a thread */
  uint32_t parent; /* index of a node plus one; 0: outermost */
  uint32_t depth;  /* 0: outermost */
  uint32_t times;  /* the largest number of consecutive frames that it combines; 1: no recursion */
  ticks_t total;
  ticks_t self; /* top-down: own time of this method; bottom-up: of the method that matches */
  uint32_t first_child, num_children; /* in `order` of struct call_tree */
};

/* A struct of zeros is empty; call_tree_free frees its memory. */
struct call_tree {
  struct call_node *nodes;
  size_t num, capacity;
  struct hashmap ids; /* parent and key -> node plus one */
  uint32_t *order;    /* nodes by parent, outermost first; within a parent the largest first */
  uint32_t num_roots;
  ticks_t total;
};

/* call_tree_down fills an empty tree with a value of the model's profile, outermost frames first.
   With `by_thread` the outermost nodes are threads. It returns false when memory ran out. */
bool call_tree_down(struct call_tree *t, const struct model *m, enum profile_value value,
                    bool by_thread);

/* call_tree_up fills an empty tree with the stacks that contain a method that matches the pattern
   (names_method_matches). A path starts at the innermost frame that matches and leads to its
   callers. `self` of every node of a path is the own time of the method that matches, so it tells
   which callers that time comes from. It returns false when memory ran out. */
bool call_tree_up(struct call_tree *t, const struct model *m, enum profile_value value,
                  const char *pattern);

/* call_tree_children returns the children of a node, the largest first, as indexes of nodes. With
   `node` NULL it returns the outermost nodes. `*out_num` receives their number. */
const uint32_t *call_tree_children(const struct call_tree *t, const struct call_node *node,
                                   size_t *out_num);

void call_tree_free(struct call_tree *t);

END_C
