#pragma once
/* What a profile cost, as a tree of calls: from the outermost frames down, or from one method up to
   those that call it. Nodes are methods, so that the lines of a method are one. A method that calls
   itself is one node however often it stands in a row. */
#include "tools/orca/model/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A method, or a thread (CALL_TREE_THREAD | hash) over what it calls. */
#define CALL_TREE_THREAD (UINT64_C(1) << 32)

struct call_node {
  uint64_t key;
  uint32_t parent; /* index of a node plus one; 0: outermost */
  uint32_t depth;  /* 0: outermost */
  uint32_t times;  /* the most frames in a row that it stands for; 1: it does not call itself */
  ticks_t total, self;
  uint32_t first_child, num_children; /* in `order`, set by call_tree_end */
};

/* All zero is empty; call_tree_free gives the memory back. */
struct call_tree {
  struct call_node *nodes;
  size_t num, capacity;
  struct hashmap ids; /* parent and key -> node plus one */
  uint32_t *order;    /* nodes by parent, the largest first; the outermost come first */
  uint32_t num_roots;
  ticks_t total;
};

/* call_tree_down fills the empty tree with a value of the model's profile; `by_thread` puts threads
   at its top. call_tree_up fills it with the stacks in which a method stands that is meant by the
   pattern (names_method_is): that method, then its callers. Both end with call_tree_end done.
   False: memory ran out. */
bool call_tree_down(struct call_tree *t, const struct model *m, enum profile_value value,
                    bool by_thread);
bool call_tree_up(struct call_tree *t, const struct model *m, enum profile_value value,
                  const char *pattern);

/* call_tree_children gives those of a node, NULL: the outermost; the largest first. */
const uint32_t *call_tree_children(const struct call_tree *t, const struct call_node *node,
                                   size_t *out_num);

void call_tree_free(struct call_tree *t);

#ifdef __cplusplus
}
#endif
