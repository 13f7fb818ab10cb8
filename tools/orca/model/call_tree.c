#include "tools/orca/model/call_tree.h"

#include <stdlib.h>

#include "tools/orca/model/base/rows.h"
#include "tools/orca/model/base/sorting.h"
#include "tools/orca/model/names.h"

/* --- nodes ---------------------------------------------------------------------------- */

/* Nodes with equal 64-bit hashes are taken to be the same, as stacks are (stacks_intern). */
static uint64_t hash_node(uint32_t parent, uint64_t key) {
  uint64_t hash = (key ^ (uint64_t)parent << 33) * UINT64_C(0x9E3779B97F4A7C15);
  return (hash ^ hash >> 29 ^ parent) * UINT64_C(0xD6E8FEB86659FD93);
}

/* Returns the index, plus one, of the child of `parent` with this key. Adds the child if there is
   none. Returns 0 when memory ran out. */
static uint32_t find_or_add_child(struct call_tree *t, uint32_t parent, uint64_t key) {
  bool is_new;
  size_t number = rows_number(&t->ids, hash_node(parent, key), &t->nodes, &t->num, &t->capacity,
                              sizeof *t->nodes, &is_new);
  if (is_new) {
    uint32_t depth = parent == 0 ? 0 : t->nodes[parent - 1].depth + 1;
    t->nodes[number - 1] = (struct call_node){.key = key, .parent = parent, .depth = depth};
  }
  return (uint32_t)number;
}

/* Times that a stack adds to each node of its path. */
struct path_cost {
  ticks_t total, self;
};

/* Moves `*at` to its child `key` and adds `cost` to it. The child combines `times` frames here. */
static bool enter_child(struct call_tree *t, uint32_t *at, uint64_t key, uint32_t times,
                        struct path_cost cost) {
  *at = find_or_add_child(t, *at, key);
  if (*at == 0) return false;
  struct call_node *node = &t->nodes[*at - 1];
  node->total += cost.total;
  node->self += cost.self;
  if (times > node->times) node->times = times;
  return true;
}

/* Moves `*at` along the frames from index `from` up to `to`, which is excluded. With `to` =
   SIZE_MAX it goes in the other direction, down to index 0. */
static bool enter_frames(struct call_tree *t, uint32_t *at, const struct frame *frames, size_t from,
                         size_t to, struct path_cost cost) {
  size_t step = to == SIZE_MAX ? SIZE_MAX : 1; /* one more, or one less */
  for (size_t i = from; i != to;) {
    uint32_t method = frames[i].method, times = 0;
    for (; i != to && frames[i].method == method; i += step) times++;
    if (!enter_child(t, at, method, times, cost)) return false;
  }
  return true;
}

/* --- order ------------------------------------------------------------------------------ */

/* qsort passes no context to compare_nodes, so each item carries its node. */
struct sorted {
  const struct call_node *node;
  uint32_t index;
};

static int compare_nodes(const void *left, const void *right) {
  const struct call_node *a = ((const struct sorted *)left)->node;
  const struct call_node *b = ((const struct sorted *)right)->node;
  if (a->parent != b->parent) return compare_numbers(a->parent, b->parent);
  if (a->total != b->total) return compare_numbers(b->total, a->total);
  return compare_numbers(a->key, b->key);
}

static bool sort_nodes(struct call_tree *t) {
  struct sorted *sorted = calloc(t->num + 1, sizeof *sorted);
  t->order = calloc(t->num + 1, sizeof *t->order);
  bool good = sorted != NULL && t->order != NULL;
  for (size_t i = 0; good && i < t->num; i++) {
    sorted[i] = (struct sorted){&t->nodes[i], (uint32_t)i};
  }
  if (good) qsort(sorted, t->num, sizeof *sorted, compare_nodes);
  for (size_t i = 0; good && i < t->num; i++) {
    t->order[i] = sorted[i].index;
    uint32_t parent = t->nodes[t->order[i]].parent;
    struct call_node *node = parent == 0 ? NULL : &t->nodes[parent - 1];
    if (node == NULL) {
      t->num_roots++;
    } else if (node->num_children++ == 0) {
      node->first_child = (uint32_t)i;
    }
  }
  free(sorted);
  hashmap_free(&t->ids);
  return good;
}

const uint32_t *call_tree_children(const struct call_tree *t, const struct call_node *node,
                                   size_t *out_num) {
  *out_num = node == NULL ? t->num_roots : node->num_children;
  return node == NULL ? t->order : t->order + node->first_child;
}

void call_tree_free(struct call_tree *t) {
  hashmap_free(&t->ids);
  free(t->nodes);
  free(t->order);
  *t = (struct call_tree){0};
}

/* --- stacks ----------------------------------------------------------------------------- */

bool call_tree_down(struct call_tree *t, const struct model *m, enum profile_value value,
                    bool by_thread) {
  for (size_t i = 0; i < m->profile.num; i++) {
    const struct profile_row *row = &m->profile.rows[i];
    const struct path_cost cost = {.total = row->costs[value].time};
    if (cost.total == 0) continue;
    size_t depth;
    const struct frame *frames = stacks_frames(&m->stacks, row->stack, &depth);
    uint32_t at = 0;
    if (by_thread && !enter_child(t, &at, CALL_TREE_THREAD | row->thread, 1, cost)) return false;
    if (depth > 0 && !enter_frames(t, &at, frames, depth - 1, SIZE_MAX, cost)) return false;
    if (at != 0) t->nodes[at - 1].self += cost.total;
    t->total += cost.total;
  }
  return sort_nodes(t);
}

/* `answers` remembers the answer for each method. */
static bool does_method_match(struct hashmap *answers, const struct model *m, uint32_t method,
                              const char *pattern) {
  enum { UNKNOWN, NO, YES };
  uint64_t *at = hashmap_at(answers, method);
  if (at == NULL) return names_method_matches(m->dump, method, pattern);
  if (*at == UNKNOWN) *at = names_method_matches(m->dump, method, pattern) ? YES : NO;
  return *at == YES;
}

bool call_tree_up(struct call_tree *t, const struct model *m, enum profile_value value,
                  const char *pattern) {
  struct hashmap answers = {0};
  bool good = true;
  for (size_t i = 0; i < m->profile.num && good; i++) {
    const struct profile_row *row = &m->profile.rows[i];
    struct path_cost cost = {.total = row->costs[value].time};
    if (cost.total == 0) continue;
    /* The path leads from the innermost frame that matches to its callers. */
    size_t depth, first = 0;
    const struct frame *frames = stacks_frames(&m->stacks, row->stack, &depth);
    while (first < depth && !does_method_match(&answers, m, frames[first].method, pattern)) first++;
    if (first == depth) continue;
    /* As in cpu_rank, time in native code and in the JVM is own time of the method below it. */
    if (first == 0 || (first == 1 && pseudo_is_leaf(frames[0].method))) cost.self = cost.total;
    uint32_t at = 0;
    good = enter_frames(t, &at, frames, first, depth, cost);
    t->total += cost.total;
  }
  hashmap_free(&answers);
  return good && sort_nodes(t);
}
