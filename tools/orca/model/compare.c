#include "tools/orca/model/compare.h"

#include <string.h>

static const enum diff_basis bases[NUM_COMPARE_PARTS] = {
    [COMPARE_METHODS] = DIFF_SAMPLES, [COMPARE_LOCKS] = DIFF_EVENTS, [COMPARE_WAITS] = DIFF_EVENTS};

/* The number of samples of a method is an estimate from its share of the CPU time. Samples have
   about the same CPU time each, apart from time that was carried to a later sample. */
static double count_samples(const struct model *m, ticks_t time) {
  const struct cpu *c = &m->cpu;
  double samples = c->total_ns == 0 ? 0 : (double)c->num_samples / (double)c->total_ns;
  ticks_t ns = time / TICKS_PER_NS;
  return (double)ns * samples;
}

static double count_of(const struct model *m, enum compare_part part, ticks_t time,
                       uint64_t count) {
  return part == COMPARE_METHODS ? count_samples(m, time) : (double)count;
}

/* --- rows ----------------------------------------------------------------------------- */

static bool add_row(struct comparison *c, int side, const struct sums_row *row,
                    struct builder *key) {
  struct diff_side values = {.time = row->time,
                             .count = count_of(c->runs[side], row->part, row->time, row->count),
                             .id = row->id,
                             .place = row->place};
  key->len = 0;
  sums_put_key(key, c->runs[side]->dump, row);
  return !key->failed && diff_add(&c->parts[row->part], (struct span){key->data, key->len},
                                  row->kind, side, &values);
}

static bool add_rows(struct comparison *c, int side, const struct sums *sums) {
  struct builder key = {0};
  bool good = true;
  for (size_t i = 0; i < sums->num && good; i++) good = add_row(c, side, &sums->rows[i], &key);
  builder_free(&key);
  for (int part = 0; part < NUM_COMPARE_PARTS; part++) {
    const struct sums_cut *cut = &sums->cut[part];
    struct diff *d = &c->parts[part];
    d->basis = bases[part];
    d->lengths[side] = recording_time(&c->runs[side]->recording);
    d->most_cut[side].time = cut->most;
    d->most_cut[side].count =
        count_of(c->runs[side], (enum compare_part)part, cut->most, cut->most_count);
    c->cut[part][side] = *cut;
  }
  return good;
}

static bool add_run(struct comparison *c, int side) {
  struct sums sums = {0};
  const struct model *m = c->runs[side];
  if (m->sums.is_read) return add_rows(c, side, &m->sums);
  bool good = sums_find(&sums, m) && add_rows(c, side, &sums);
  sums_free(&sums);
  return good;
}

/* --- several objects ------------------------------------------------------------------ */

bool compare_is_several(enum compare_part part, const struct diff_row *row) {
  int side = diff_choose_name_side(row);
  return sums_is_several(part, row->sides[side].id);
}

static void add_more(struct diff *d, enum compare_part part, const struct diff_row *several) {
  for (size_t i = 0; i < d->num; i++) {
    struct diff_row *row = &d->rows[i];
    if (row->kind != several->kind || compare_is_several(part, row)) continue;
    for (int side = 0; side < 2; side++) row->sides[side].more += several->rates[side];
  }
}

/* How much the other rows of the kind changed in the other direction. */
static double find_opposite(const struct diff *d, enum compare_part part,
                            const struct diff_row *several) {
  double sum = 0, sign = diff_change(several) > 0 ? -1 : 1;
  for (size_t i = 0; i < d->num; i++) {
    const struct diff_row *row = &d->rows[i];
    if (row->kind != several->kind || compare_is_several(part, row)) continue;
    if (diff_change(row) * sign > 0) sum += diff_change(row) * sign;
  }
  return sum;
}

static void find_if_open(struct diff *d, enum compare_part part, struct diff_row *row) {
  double change = diff_change(row);
  double most =
      compare_is_several(part, row) ? find_opposite(d, part, row) : row->sides[change < 0].more;
  row->is_open = row->verdict != DIFF_SAME && most > 0 && most >= (change > 0 ? change : -change);
}

/* Those of one kind are few: a row for each place. */
static void find_more(struct comparison *c, enum compare_part part) {
  struct diff *d = &c->parts[part];
  bool has_several = false;
  for (size_t i = 0; i < d->num; i++) {
    if (!compare_is_several(part, &d->rows[i])) continue;
    has_several = true;
    add_more(d, part, &d->rows[i]);
  }
  for (size_t i = 0; has_several && i < d->num; i++) find_if_open(d, part, &d->rows[i]);
}

/* --- totals --------------------------------------------------------------------------- */

/* The total CPU time is measured, not sampled, so DIFF_EXACT applies to it. */
static void judge_total(struct comparison *c, enum compare_part part) {
  const struct diff *d = &c->parts[part];
  struct diff_row *total = &c->totals[part];
  for (int side = 0; side < 2; side++) {
    total->sides[side].time = c->cut[part][side].time;
    total->sides[side].count = (double)c->cut[part][side].count;
    for (size_t i = 0; i < d->num; i++) {
      total->sides[side].time += d->rows[i].sides[side].time;
      total->sides[side].count += d->rows[i].sides[side].count;
    }
    if (part == COMPARE_METHODS) {
      total->sides[side].time = c->runs[side]->cpu.total_ns * TICKS_PER_NS;
    }
  }
  diff_judge(total, part == COMPARE_METHODS ? DIFF_EXACT : d->basis, d->lengths);
}

bool compare_runs(struct comparison *c, const struct model *a, const struct model *b) {
  *c = (struct comparison){.runs = {a, b}};
  if (!add_run(c, 0) || !add_run(c, 1)) return false;
  for (int part = 0; part < NUM_COMPARE_PARTS; part++) {
    diff_end(&c->parts[part]);
    find_more(c, (enum compare_part)part);
    judge_total(c, (enum compare_part)part);
  }
  return true;
}

bool compare_has_same_option(const struct comparison *c, enum option_key key) {
  struct span values[2];
  for (int side = 0; side < 2; side++) {
    if (!coverage_constant(dump_coverage(c->runs[side]->dump), key, &values[side])) return false;
  }
  return span_same(values[0], values[1]);
}

bool compare_has_same_short_calls(const struct comparison *c) {
  enum short_coverage a = model_short_coverage(c->runs[0]), b = model_short_coverage(c->runs[1]);
  return a == b && a != SHORT_SOME; /* two runs may have different parts */
}

void comparison_free(struct comparison *c) {
  for (int part = 0; part < NUM_COMPARE_PARTS; part++) diff_free(&c->parts[part]);
  *c = (struct comparison){0};
}
