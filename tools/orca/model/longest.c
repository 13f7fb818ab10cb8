#include "tools/orca/model/longest.h"

#include "tools/orca/model/base/sorting.h"

#include <stdlib.h>

/* Has room for twice as many pairs. Each time it is full, sorting drops half of them. */
bool longest_start(struct longest *l, size_t max) {
  *l = (struct longest){.rows = calloc(max, 2 * sizeof *l->rows), .max = max};
  return l->rows != NULL;
}

static int compare_lengths(const void *left, const void *right) {
  const struct pair *a = left, *b = right;
  if (a->end - a->begin != b->end - b->begin) {
    return compare_numbers(b->end - b->begin, a->end - a->begin);
  }
  if (a->begin != b->begin) return compare_numbers(a->begin, b->begin);
  return compare_numbers(a->thread, b->thread);
}

void longest_sort(struct longest *l) {
  if (l->num > 0) qsort(l->rows, l->num, sizeof *l->rows, compare_lengths);
  if (l->num > l->max) l->num = l->max;
}

void longest_add(struct longest *l, const struct pair *pair) {
  l->seen++;
  l->rows[l->num++] = *pair;
  if (l->num == 2 * l->max) longest_sort(l);
}

void longest_free(struct longest *l) {
  free(l->rows);
  *l = (struct longest){0};
}
