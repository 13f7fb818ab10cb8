#include "tools/orca/live/batch.h"

#include <stdlib.h>
#include <string.h>

#include "tools/orca/model/base/grow.h"

/* Times do not ascend in a broken file. */
static bool is_of_newest(const struct batches *b, ticks_t time) {
  if (b->num == 0) return false;
  ticks_t end = b->rows[b->num - 1].end;
  return time < end || time - end <= BATCH_GAP;
}

bool batches_line(struct batches *b, ticks_t time, ticks_t earliest) {
  if (!is_of_newest(b, time)) {
    struct batch *rows = grow(b->rows, b->num, &b->capacity, sizeof *rows);
    if (rows == NULL) return false;
    b->rows = rows;
    ticks_t begin = b->last <= time ? b->last : BATCH_NO_BEGIN;
    if (begin < earliest && earliest <= time) begin = earliest;
    b->rows[b->num++] = (struct batch){.begin = begin, .end = time};
  }
  struct batch *newest = &b->rows[b->num - 1];
  if (time > newest->end) newest->end = time;
  b->last = newest->end;
  return true;
}

bool batches_add(struct batches *b, uint32_t sum, const struct short_calls *calls) {
  struct batch *newest = &b->rows[b->num - 1];
  struct batch_sum *sums = grow(newest->sums, newest->num, &newest->capacity, sizeof *sums);
  if (sums == NULL) return false;
  newest->sums = sums;
  newest->sums[newest->num++] = (struct batch_sum){sum, *calls};
  return true;
}

void batches_forget(struct batches *b, ticks_t time) {
  size_t num = 0;
  while (num < b->num && b->rows[num].end < time) free(b->rows[num++].sums);
  if (num == 0) return;
  b->num -= num;
  memmove(b->rows, b->rows + num, b->num * sizeof *b->rows);
}

void batches_free(struct batches *b) {
  for (size_t i = 0; i < b->num; i++) free(b->rows[i].sums);
  free(b->rows);
  *b = (struct batches){0};
}
