#include "tools/orca/model/diff.h"

#include <stdlib.h>

#include "tools/orca/dump/digest.h"
#include "tools/orca/model/base/rows.h"

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
    row->rates[side] = lengths[side] == 0 ? 0 : (double)ns / seconds;
  }
  row->verdict = DIFF_SAME;
  if (!is_significant(row, basis)) return;
  bool more = diff_change(row) > 0;
  row->verdict = more ? DIFF_MORE : DIFF_LESS;
  if (row->sides[!more].time == 0) row->verdict = more ? DIFF_NEW : DIFF_GONE;
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
  return (a->sides[1].id > b->sides[1].id) - (a->sides[1].id < b->sides[1].id);
}

void diff_end(struct diff *d) {
  hashmap_free(&d->ids); /* its row numbers are about to change */
  for (size_t i = 0; i < d->num; i++) {
    diff_judge(&d->rows[i], d->basis, d->lengths);
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
