#include "tools/orca/model/call_tree.h"

#include <stdlib.h>

#include "tools/orca/model/base/rows.h"
#include "tools/orca/model/base/sorting.h"
#include "tools/orca/model/names.h"

/* --- nodes ---------------------------------------------------------------------------- */

/* Told by 64 bits, as stacks are (stacks_intern). */
static uint64_t hash_of(uint32_t parent, uint64_t key) {
  uint64_t hash = (key ^ (uint64_t)parent << 33) * UINT64_C(0x9E3779B97F4A7C15);
  return (hash ^ hash >> 29 ^ parent) * UINT64_C(0xD6E8FEB86659FD93);
}

/* The child of `parent` with this key, plus one, a new one where there is none; 0: no memory. */
static uint32_t child_of(struct call_tree *t, uint32_t parent, uint64_t key) {
  bool is_new;
  size_t number = rows_number(&t->ids, hash_of(parent, key), &t->nodes, &t->num, &t->capacity,
                              sizeof *t->nodes, &is_new);
  if (is_new) {
    uint32_t depth = parent == 0 ? 0 : t->nodes[parent - 1].depth + 1;
    t->nodes[number - 1] = (struct call_node){.key = key, .parent = parent, .depth = depth};
  }
  return (uint32_t)number;
}

/* Goes one step down on a path that costs `time`, `times` frames in a row. */
static bool descend(struct call_tree *t, uint32_t *at, uint64_t key, uint32_t times, ticks_t time) {
  *at = child_of(t, *at, key);
  if (*at == 0) return false;
  struct call_node *node = &t->nodes[*at - 1];
  node->total += time;
  if (times > node->times) node->times = times;
  return true;
}

/* Goes down by all frames from `from` up to `to`, which is not one of them; `to` SIZE_MAX: in the
   other order, to the first frame of all. */
static bool descend_frames(struct call_tree *t, uint32_t *at, const struct frame *frames,
                           size_t from, size_t to, ticks_t time) {
  size_t step = to == SIZE_MAX ? SIZE_MAX : 1; /* one more, or one less */
  for (size_t i = from; i != to;) {
    uint32_t method = frames[i].method, times = 0;
    for (; i != to && frames[i].method == method; i += step) times++;
    if (!descend(t, at, method, times, time)) return false;
  }
  return true;
}

static void end_path(struct call_tree *t, uint32_t at, ticks_t time) {
  if (at != 0) t->nodes[at - 1].self += time;
  t->total += time;
}

/* --- order ------------------------------------------------------------------------------ */

/* qsort knows no context. */
struct sorted {
  const struct call_node *node;
  uint32_t index;
};

static int by_parent_and_size(const void *left, const void *right) {
  const struct call_node *a = ((const struct sorted *)left)->node;
  const struct call_node *b = ((const struct sorted *)right)->node;
  if (a->parent != b->parent) return compare_numbers(a->parent, b->parent);
  if (a->total != b->total) return compare_numbers(b->total, a->total);
  return compare_numbers(a->key, b->key);
}

static void count_child(struct call_tree *t, uint32_t place) {
  uint32_t parent = t->nodes[t->order[place]].parent;
  if (parent == 0) {
    t->num_roots++;
    return;
  }
  struct call_node *node = &t->nodes[parent - 1];
  if (node->num_children++ == 0) node->first_child = place;
}

static bool end(struct call_tree *t) {
  struct sorted *sorted = calloc(t->num + 1, sizeof *sorted);
  t->order = calloc(t->num + 1, sizeof *t->order);
  bool good = sorted != NULL && t->order != NULL;
  for (size_t i = 0; good && i < t->num; i++) {
    sorted[i] = (struct sorted){&t->nodes[i], (uint32_t)i};
  }
  if (good) qsort(sorted, t->num, sizeof *sorted, by_parent_and_size);
  for (size_t i = 0; good && i < t->num; i++) {
    t->order[i] = sorted[i].index;
    count_child(t, (uint32_t)i);
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

static bool add_down(struct call_tree *t, const struct model *m, const struct profile_row *row,
                     ticks_t time, bool by_thread) {
  size_t depth;
  const struct frame *frames = stacks_frames(&m->stacks, row->stack, &depth);
  uint32_t at = 0;
  if (by_thread && !descend(t, &at, CALL_TREE_THREAD | row->thread, 1, time)) return false;
  if (depth > 0 && !descend_frames(t, &at, frames, depth - 1, SIZE_MAX, time)) return false;
  end_path(t, at, time);
  return true;
}

bool call_tree_down(struct call_tree *t, const struct model *m, enum profile_value value,
                    bool by_thread) {
  for (size_t i = 0; i < m->profile.num; i++) {
    const struct profile_row *row = &m->profile.rows[i];
    ticks_t time = row->costs[value].time;
    if (time > 0 && !add_down(t, m, row, time, by_thread)) return false;
  }
  return end(t);
}

/* Whether a method is meant by the pattern, asked once a method. */
static bool is_meant(struct hashmap *meant, const struct model *m, uint32_t method,
                     const char *pattern) {
  enum { UNKNOWN, NO, YES };
  uint64_t *at = hashmap_at(meant, method);
  if (at == NULL) return names_method_is(m->dump, method, pattern);
  if (*at == UNKNOWN) *at = names_method_is(m->dump, method, pattern) ? YES : NO;
  return *at == YES;
}

/* The innermost frame that is meant, then those outside of it. */
static bool add_up(struct call_tree *t, const struct model *m, const struct profile_row *row,
                   ticks_t time, struct hashmap *meant, const char *pattern) {
  size_t depth, i = 0;
  const struct frame *frames = stacks_frames(&m->stacks, row->stack, &depth);
  uint32_t at = 0;
  while (i < depth && !is_meant(meant, m, frames[i].method, pattern)) i++;
  if (i == depth) return true;
  if (!descend_frames(t, &at, frames, i, depth, time)) return false;
  end_path(t, at, time);
  return true;
}

bool call_tree_up(struct call_tree *t, const struct model *m, enum profile_value value,
                  const char *pattern) {
  struct hashmap meant = {0};
  bool good = true;
  for (size_t i = 0; i < m->profile.num && good; i++) {
    const struct profile_row *row = &m->profile.rows[i];
    ticks_t time = row->costs[value].time;
    good = time == 0 || add_up(t, m, row, time, &meant, pattern);
  }
  hashmap_free(&meant);
  return good && end(t);
}
