#include "tools/orca/model/diff.h"

#include <stdlib.h>

#include "tools/orca/dump/digest.h"
#include "tools/orca/model/base/rows.h"

#define MOST_RATE 1e18 /* an integer has it; only broken files have more */

const unsigned diff_least_percent[] = {[DIFF_SAMPLES] = 5, [DIFF_EVENTS] = 10, [DIFF_EXACT] = 5};

/* --- adding ---------------------------------------------------------------------- */

bool diff_add(struct diff *d, struct span key, unsigned kind, int side,
              const struct diff_side *values) {
  bool is_new;
  struct diff_row *row =
      rows_at(&d->ids, digest(key), &d->rows, &d->num, &d->capacity, sizeof *row, &is_new);
  if (row == NULL) return false;
  if (is_new) row->kind = kind;
  struct diff_side *into = &row->sides[side];
  into->time += values->time;
  into->count += values->count;
  if (values->time < into->most) return true;
  into->most = values->time;
  into->id = values->id;
  into->place = values->place;
  return true;
}

/* --- judging --------------------------------------------------------------------- */

/* Returns the variance of one rate: the square of its standard deviation. */
static double find_variance(const struct diff_row *row, int side, enum diff_basis basis) {
  double count = row->sides[side].count, rate = row->rates[side];
  if (basis == DIFF_EXACT || count <= 0) return 0;
  return rate * rate / count * (basis == DIFF_EVENTS ? 2 : 1);
}

static bool is_significant(const struct diff_row *row, enum diff_basis basis) {
  double change = diff_change(row), larger = row->rates[change > 0];
  double chance = find_variance(row, 0, basis) + find_variance(row, 1, basis);
  if (change == 0 || change * change <= DIFF_DEVIATIONS * DIFF_DEVIATIONS * chance) return false;
  return (change > 0 ? change : -change) * 100 > larger * diff_least_percent[basis];
}

void diff_judge(struct diff_row *row, enum diff_basis basis, const ticks_t lengths[2]) {
  for (int side = 0; side < 2; side++) {
    ticks_t ns = row->sides[side].time / TICKS_PER_NS;
    double seconds = (double)lengths[side] / (double)TICKS_PER_S;
    double rate = lengths[side] == 0 ? 0 : (double)ns / seconds;
    row->rates[side] = rate < MOST_RATE ? rate : MOST_RATE;
  }
  row->verdict = DIFF_SAME;
  if (!is_significant(row, basis)) return;
  bool more = diff_change(row) > 0;
  row->verdict = more ? DIFF_MORE : DIFF_LESS;
  if (row->sides[!more].time == 0) row->verdict = more ? DIFF_NEW : DIFF_GONE;
}

/* A row that one run lacks may be one of those that were cut. */
static void judge_with_cut(const struct diff *d, struct diff_row *row) {
  diff_judge(row, d->basis, d->lengths);
  for (int side = 0; side < 2; side++) {
    if (row->sides[side].time > 0 || d->most_cut[side].time == 0) continue;
    struct diff_row largest = *row;
    largest.sides[side].time = d->most_cut[side].time;
    largest.sides[side].count = d->most_cut[side].count;
    diff_judge(&largest, d->basis, d->lengths);
    bool is_same_way = (diff_change(&largest) > 0) == (diff_change(row) > 0);
    if (largest.verdict == DIFF_SAME || !is_same_way) row->verdict = DIFF_SAME;
  }
}

/* --- the end ------------------------------------------------------------------------ */

static double find_change_size(const struct diff_row *row) {
  double change = diff_change(row);
  return change > 0 ? change : -change;
}

static int compare_diff_rows(const void *left, const void *right) {
  const struct diff_row *a = left, *b = right;
  bool is_a_changed = a->verdict != DIFF_SAME, is_b_changed = b->verdict != DIFF_SAME;
  if (is_a_changed != is_b_changed) return is_a_changed ? -1 : 1;
  if (find_change_size(a) != find_change_size(b))
    return find_change_size(a) > find_change_size(b) ? -1 : 1;
  if (a->rates[1] != b->rates[1]) return a->rates[1] > b->rates[1] ? -1 : 1;
  if (a->kind != b->kind) return a->kind < b->kind ? -1 : 1;
  for (int side = 1; side >= 0; side--) { /* equal rows have an order too */
    const struct diff_side *left_side = &a->sides[side], *right_side = &b->sides[side];
    if (left_side->id != right_side->id) return left_side->id < right_side->id ? -1 : 1;
    if (left_side->place != right_side->place) return left_side->place < right_side->place ? -1 : 1;
  }
  return 0;
}

void diff_end(struct diff *d) {
  hashmap_free(&d->ids); /* its row numbers are about to change */
  for (size_t i = 0; i < d->num; i++) {
    judge_with_cut(d, &d->rows[i]);
    double change = diff_change(&d->rows[i]);
    if (change > 0) d->more += change;
    if (change < 0) d->less -= change;
  }
  if (d->num > 0) qsort(d->rows, d->num, sizeof *d->rows, compare_diff_rows);
}

void diff_free(struct diff *d) {
  hashmap_free(&d->ids);
  free(d->rows);
  *d = (struct diff){0};
}
