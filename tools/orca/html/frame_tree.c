#include "tools/orca/html/frame_tree.h"

#include <stdlib.h>

#include "tools/orca/model/base/grow.h"

/* A hash of 64 bits identifies a node, as it does a stack in stacks_intern. */
static uint64_t hash_node(uint32_t parent, place_t place) {
  uint64_t key = (place ^ place >> 31) * UINT64_C(0x9E3779B97F4A7C15);
  return (key ^ key >> 29 ^ parent) * UINT64_C(0xD6E8FEB86659FD93);
}

/* Sets `*node` to its child for `place`, which is created if necessary. With `max` nodes, a missing
   child leaves `*node` unchanged. False: memory ran out. */
static bool descend_to_child(struct frame_tree *t, uint32_t *node, place_t place, size_t max) {
  uint64_t *at = hashmap_at(&t->ids, hash_node(*node, place));
  if (at == NULL) return false;
  if (*at == 0) {
    if (t->num >= max) {
      t->full = true;
      return true;
    }
    void *grown = grow(t->nodes, t->num, &t->capacity, sizeof *t->nodes);
    if (grown == NULL) return false;
    t->nodes = grown;
    t->nodes[t->num] = (struct frame_node){*node, place};
    *at = ++t->num;
  }
  *node = (uint32_t)*at;
  return true;
}

bool frame_tree_add(struct frame_tree *t, const struct stacks *stacks, const struct dump *d,
                    stack_id_t stack, size_t max, uint32_t *out) {
  uint64_t found;
  *out = 0;
  if (stack == 0) return true;
  if (hashmap_get(&t->stacks, stack, &found)) {
    *out = (uint32_t)found;
    return true;
  }
  size_t depth;
  const struct frame *frames = stacks_frames(stacks, stack, &depth);
  for (bool more = true; depth > 0 && more; depth--) {
    uint32_t before = *out;
    if (!descend_to_child(t, out, place_of_frame(d, frames[depth - 1]), max)) return false;
    more = *out != before;
  }
  return hashmap_put(&t->stacks, stack, *out);
}

void frame_tree_free(struct frame_tree *t) {
  free(t->nodes);
  hashmap_free(&t->ids);
  hashmap_free(&t->stacks);
  *t = (struct frame_tree){0};
}
