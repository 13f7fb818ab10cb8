#include "tools/orca/causal/whatif/heap.h"

#include <stdlib.h>

#include "tools/orca/model/base/grow.h"

static bool is_less(const struct heap_row *a, const struct heap_row *b) {
  return a->key < b->key || (a->key == b->key && a->order < b->order);
}

bool heap_add(struct heap *h, double key, uint32_t value) {
  struct heap_row *rows = grow(h->rows, h->num, &h->capacity, sizeof *rows);
  if (rows == NULL) return false;
  h->rows = rows;
  struct heap_row row = {key, h->added++, value};
  size_t at = h->num++;
  while (at > 0 && is_less(&row, &rows[(at - 1) / 2])) {
    rows[at] = rows[(at - 1) / 2];
    at = (at - 1) / 2;
  }
  rows[at] = row;
  return true;
}

uint32_t heap_take(struct heap *h) {
  struct heap_row *rows = h->rows;
  uint32_t value = rows[0].value;
  struct heap_row row = rows[--h->num];
  size_t at = 0;
  for (size_t child = 1; child < h->num; child = 2 * at + 1) {
    if (child + 1 < h->num && is_less(&rows[child + 1], &rows[child])) child++;
    if (!is_less(&rows[child], &row)) break;
    rows[at] = rows[child];
    at = child;
  }
  rows[at] = row;
  return value;
}

void heap_free(struct heap *h) {
  free(h->rows);
  *h = (struct heap){0};
}
