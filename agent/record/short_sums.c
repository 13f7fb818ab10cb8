#include "agent/record/short_sums.h"

#include <stdbool.h>
#include <stdlib.h>

#include "agent/base/memory.h"
#include "agent/record/intern.h"

void short_sums_init(struct short_sums *s, struct short_sum *rows, uint32_t object_sets,
                     uint32_t stack_sets) {
  *s = (struct short_sums){
      .rows = rows, .num_object_sets = object_sets, .num_all_sets = object_sets + stack_sets};
}

/* --- adding ---------------------------------------------------------------------------------- */

static bool is_same(const struct short_key *a, const struct short_key *b) {
  return a->object == b->object && a->stack == b->stack && a->kind == b->kind;
}

static void merge(struct short_sum *row, const struct short_sum *sum) {
  row->key.class_id = sum->key.class_id;
  row->calls += sum->calls;
  row->total_ns += sum->total_ns;
  if (sum->longest_ns > row->longest_ns) row->longest_ns = sum->longest_ns;
}

/* Returns the row of this key in a set: its old one, a free one, or that with the fewest calls. */
static struct short_sum *find_row(struct short_sum *set, const struct short_key *key) {
  struct short_sum *least = set;
  for (int i = 0; i < SHORT_WAYS; i++) {
    if (set[i].calls > 0 && is_same(&set[i].key, key)) return &set[i];
    if (set[i].calls < least->calls) least = &set[i];
  }
  return least;
}

/* Adds `sum` to the set. If another row has to make room, or is worth more, then what is left to be
   added elsewhere becomes `sum`. Returns whether there is something left. */
static bool add_to_set(struct short_sum *set, struct short_sum *sum) {
  struct short_sum *row = find_row(set, &sum->key);
  if (row->calls == 0) {
    *row = *sum;
    return false;
  }
  if (is_same(&row->key, &sum->key)) {
    merge(row, sum);
    return false;
  }
  if (row->calls <= sum->calls) {
    struct short_sum old = *row;
    *row = *sum;
    *sum = old;
  }
  return true;
}

static struct short_sum *find_set(const struct short_sums *s, const struct short_key *key) {
  uint64_t hash = hash_word((uintptr_t)key->stack + key->kind);
  uint32_t num_stack_sets = s->num_all_sets - s->num_object_sets;
  uint64_t at = key->object != 0 ? hash_word(hash ^ key->object) & (s->num_object_sets - 1)
                                 : s->num_object_sets + (hash & (num_stack_sets - 1));
  return &s->rows[at * SHORT_WAYS];
}

static void add_without_object(struct short_sums *s, struct short_sum left) {
  left.key.object = left.key.class_id = 0;
  if (left.key.stack != NULL && !add_to_set(find_set(s, &left.key), &left)) return;
  left.key.stack = NULL;
  struct short_sum *row = &s->kinds[left.key.kind];
  if (row->calls == 0) row->key = left.key;
  merge(row, &left);
}

void short_sums_add(struct short_sums *s, const struct short_sum *sum) {
  struct short_sum left = *sum;
  if (left.key.object != 0 && !add_to_set(find_set(s, &left.key), &left)) return;
  add_without_object(s, left);
}

static int compare_totals(const void *a, const void *b) {
  uint64_t x = (*(struct short_sum *const *)a)->total_ns;
  uint64_t y = (*(struct short_sum *const *)b)->total_ns;
  return x > y ? -1 : x < y;
}

void short_sums_keep_objects(struct short_sums *s, size_t most) {
  size_t max = (size_t)s->num_object_sets * SHORT_WAYS, num = 0;
  struct short_sum **used = memory_new(max * sizeof(struct short_sum *));
  if (used == NULL) return;
  for (size_t i = 0; i < max; i++) {
    if (s->rows[i].calls > 0) used[num++] = &s->rows[i];
  }
  if (num > most) qsort(used, num, sizeof *used, compare_totals);
  for (size_t i = most; i < num; i++) {
    add_without_object(s, *used[i]);
    *used[i] = (struct short_sum){.calls = 0};
  }
  free(used);
}

/* --- taking ---------------------------------------------------------------------------------- */

static void take_rows(struct short_sum *rows, size_t num,
                      void (*take)(void *arg, struct short_sum *sum), void *arg) {
  for (size_t i = 0; i < num; i++) {
    if (rows[i].calls == 0) continue;
    take(arg, &rows[i]);
    rows[i] = (struct short_sum){.calls = 0};
  }
}

void short_sums_take(struct short_sums *s, void (*take)(void *arg, struct short_sum *sum),
                     void *arg) {
  take_rows(s->rows, (size_t)s->num_all_sets * SHORT_WAYS, take, arg);
  take_rows(s->kinds, NUM_EVENTS, take, arg);
}
