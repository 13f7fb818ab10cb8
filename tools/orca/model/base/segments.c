#include "tools/orca/model/base/segments.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

struct division {
  const struct segments_series *series;
  double *sums;                 /* of each feature, over the measurements before an index */
  double *squares;              /* the same of the squares of all features */
  double *costs[SEGMENTS_MOST]; /* of the best division of the first measurements; HUGE_VAL: none */
  size_t *begins[SEGMENTS_MOST]; /* of its last segment */
};

static void add_up(struct division *d) {
  const struct segments_series *s = d->series;
  for (size_t i = 0; i < s->num; i++) {
    d->squares[i + 1] = d->squares[i];
    for (size_t f = 0; f < s->num_features; f++) {
      size_t at = i * s->num_features + f;
      d->sums[at + s->num_features] = d->sums[at] + s->values[at];
      d->squares[i + 1] += s->values[at] * s->values[at];
    }
  }
}

/* The sum of the squared deviations from the means of a segment. */
static double measure_cost(const struct division *d, size_t begin, size_t end) {
  size_t num = d->series->num_features;
  double cost = d->squares[end] - d->squares[begin];
  for (size_t f = 0; f < num; f++) {
    double sum = d->sums[end * num + f] - d->sums[begin * num + f];
    cost -= sum * sum / (double)(end - begin);
  }
  return cost < 0 ? 0 : cost;
}

/* Finds the best divisions into `last` + 1 segments from those into `last`. */
static void divide_further(struct division *d, size_t last) {
  size_t least = d->series->least;
  for (size_t end = 0; end <= d->series->num; end++) {
    d->costs[last][end] = HUGE_VAL;
    d->begins[last][end] = 0;
    for (size_t begin = last * least; begin + least <= end; begin++) {
      double before = last == 0 ? 0 : d->costs[last - 1][begin];
      double cost = before + (isinf(before) ? 0 : measure_cost(d, begin, end));
      if (cost < d->costs[last][end]) {
        d->costs[last][end] = cost;
        d->begins[last][end] = begin;
      }
      if (last == 0) break; /* the first segment begins at 0 */
    }
  }
}

static size_t choose_number(const struct division *d) {
  size_t best = 0, num = d->series->num;
  for (size_t last = 1; last < SEGMENTS_MOST; last++) {
    double worth = d->series->worth_cut * (double)(last - best);
    if (d->costs[last][num] + worth < d->costs[best][num]) best = last;
  }
  return best + 1;
}

static bool allocate(struct division *d) {
  size_t num = d->series->num + 1;
  d->sums = calloc(num * (d->series->num_features + 1), sizeof *d->sums);
  d->squares = calloc(num, sizeof *d->squares);
  bool good = d->sums != NULL && d->squares != NULL;
  for (size_t i = 0; i < SEGMENTS_MOST; i++) {
    d->costs[i] = calloc(num, sizeof *d->costs[i]);
    d->begins[i] = calloc(num, sizeof *d->begins[i]);
    good = good && d->costs[i] != NULL && d->begins[i] != NULL;
  }
  return good;
}

static void free_division(struct division *d) {
  free(d->sums);
  free(d->squares);
  for (size_t i = 0; i < SEGMENTS_MOST; i++) {
    free(d->costs[i]);
    free(d->begins[i]);
  }
}

size_t segments_find(const struct segments_series *s, size_t ends[SEGMENTS_MOST], bool *good) {
  struct division d = {.series = s};
  size_t num = 0;
  *good = true;
  if (s->num == 0) return 0;
  ends[0] = s->num;
  if (s->num < 2 * s->least) return 1;
  *good = allocate(&d);
  if (*good) {
    add_up(&d);
    for (size_t last = 0; last < SEGMENTS_MOST; last++) divide_further(&d, last);
    num = choose_number(&d);
    size_t end = s->num;
    for (size_t i = num; i > 0; i--) {
      ends[i - 1] = end;
      end = d.begins[i - 1][end];
    }
  }
  free_division(&d);
  return num;
}
