#include "tools/orca/model/stack_diff.h"

#include <stdlib.h>

#include "tools/orca/dump/digest.h"
#include "tools/orca/model/base/rows.h"

/* One run while its stacks are added. */
struct run {
  struct stack_diff *diff;
  int side;
  size_t max;
  struct hashmap methods; /* MethodID -> number of the method plus one */
  struct hashmap leaves;  /* stack -> number of its innermost node plus one */
  struct builder key;
};

/* --- frames ----------------------------------------------------------------------------- */

/* Sets `*out` to the number of a method. False: memory ran out. */
static bool number_method(struct run *r, uint32_t id, uint32_t *out) {
  struct stack_diff *d = r->diff;
  uint64_t *known = hashmap_at(&r->methods, id);
  if (known == NULL) return false;
  if (*known == 0) {
    bool is_new;
    r->key.len = 0;
    sums_put_method_key(&r->key, d->runs[r->side]->dump, id);
    if (r->key.failed) return false;
    struct stack_diff_method *method =
        rows_at(&d->method_ids, digest((struct span){r->key.data, r->key.len}), &d->methods,
                &d->num_methods, &d->methods_capacity, sizeof *method, &is_new);
    if (method == NULL) return false;
    if (is_new) *method = (struct stack_diff_method){r->side, id};
    *known = (uint64_t)(method - d->methods) + 1;
  }
  *out = (uint32_t)*known - 1;
  return true;
}

/* Sets `*node` to its child for a method. If the tree is full, a missing child leaves it unchanged.
   False: memory ran out. */
static bool descend(struct run *r, uint32_t *node, uint32_t method) {
  struct stack_diff *d = r->diff;
  uint64_t *child = hashmap_at(&d->node_ids, (uint64_t)*node << 32 | method);
  if (child == NULL) return false;
  if (*child == 0) {
    d->full |= d->num >= r->max;
    if (d->num >= r->max) return true;
    size_t number = rows_add(&d->nodes, &d->num, &d->capacity, sizeof *d->nodes);
    if (number == 0) return false;
    d->nodes[number - 1].parent = *node;
    d->nodes[number - 1].method = method;
    *child = number - 1;
  }
  *node = (uint32_t)*child;
  return true;
}

/* Sets `*leaf` to the node of the innermost frame of a stack; 0 if it has no frames. */
static bool find_leaf(struct run *r, stack_id_t stack, uint32_t *leaf) {
  const struct model *m = r->diff->runs[r->side];
  uint64_t *known = hashmap_at(&r->leaves, stack);
  if (known == NULL) return false;
  *leaf = 0;
  if (*known == 0 && stack != 0) {
    size_t depth;
    const struct frame *frames = stacks_frames(&m->stacks, stack, &depth);
    for (bool more = true; depth > 0 && more; depth--) {
      uint32_t method, before = *leaf;
      if (!number_method(r, frames[depth - 1].method, &method)) return false;
      if (!descend(r, leaf, method)) return false;
      more = *leaf != before;
    }
    *known = (uint64_t)*leaf + 1;
  }
  if (*known > 0) *leaf = (uint32_t)*known - 1;
  return true;
}

/* --- times ------------------------------------------------------------------------------ */

/* The number of CPU samples is an estimate from the time, as in compare.c. */
static void add_row(struct run *r, uint32_t leaf, const struct profile_row *row) {
  const struct cpu *cpu = &r->diff->runs[r->side]->cpu;
  double samples = cpu->total_ns == 0 ? 0 : (double)cpu->num_samples / (double)cpu->total_ns;
  for (int value = 0; value < NUM_PROFILE_VALUES; value++) {
    const struct profile_cost *cost = &row->costs[value];
    struct stack_diff_node *node = &r->diff->nodes[leaf];
    double ns = (double)profile_ns(row, (enum profile_value)value);
    node->costs[value][r->side].time += cost->time;
    node->costs[value][r->side].count += value == PROFILE_CPU ? ns * samples : (double)cost->count;
  }
}

static bool add_run(struct stack_diff *d, int side, size_t max) {
  struct run r = {.diff = d, .side = side, .max = max};
  const struct profile *p = &d->runs[side]->profile;
  bool good = true;
  for (size_t i = 0; i < p->num && good; i++) {
    uint32_t leaf;
    good = find_leaf(&r, p->rows[i].stack, &leaf);
    if (good) add_row(&r, leaf, &p->rows[i]);
  }
  hashmap_free(&r.methods);
  hashmap_free(&r.leaves);
  builder_free(&r.key);
  return good;
}

/* Adds the times of callees to their callers. */
static void sum_up(struct stack_diff *d) {
  for (size_t i = d->num; i-- > 1;) {
    const struct stack_diff_node *node = &d->nodes[i];
    for (int k = 0; k < NUM_PROFILE_VALUES * 2; k++) {
      d->nodes[node->parent].costs[k / 2][k % 2].time += node->costs[k / 2][k % 2].time;
      d->nodes[node->parent].costs[k / 2][k % 2].count += node->costs[k / 2][k % 2].count;
    }
  }
}

bool stack_diff_read(struct stack_diff *d, const struct model *a, const struct model *b,
                     size_t max) {
  *d = (struct stack_diff){.runs = {a, b}};
  bool good = rows_add(&d->nodes, &d->num, &d->capacity, sizeof *d->nodes) > 0 &&
              add_run(d, 0, max) && add_run(d, 1, max);
  if (good) sum_up(d);
  return good;
}

/* --- judging ---------------------------------------------------------------------------- */

static const enum diff_basis bases[] = {[PROFILE_CPU] = DIFF_SAMPLES,
                                        [PROFILE_WALL] = DIFF_SAMPLES,
                                        [PROFILE_BLOCKED] = DIFF_EVENTS,
                                        [PROFILE_WAITS] = DIFF_EVENTS};

enum diff_verdict stack_diff_judge(const struct stack_diff *d, size_t node,
                                   enum profile_value value, enum stack_diff_norm norm) {
  struct diff_row row = {0};
  ticks_t lengths[2];
  for (int side = 0; side < 2; side++) {
    row.sides[side].time = d->nodes[node].costs[value][side].time;
    row.sides[side].count = d->nodes[node].costs[value][side].count;
    lengths[side] = norm == STACK_DIFF_LENGTH ? recording_time(&d->runs[side]->recording)
                                              : d->nodes[0].costs[value][side].time;
  }
  /* The CPU time of all stacks is measured, see judge_total in compare.c. */
  bool is_exact = node == 0 && value == PROFILE_CPU;
  diff_judge(&row, is_exact ? DIFF_EXACT : bases[value], lengths);
  return row.verdict;
}

void stack_diff_free(struct stack_diff *d) {
  hashmap_free(&d->method_ids);
  hashmap_free(&d->node_ids);
  free(d->nodes);
  free(d->methods);
  *d = (struct stack_diff){0};
}
