#include <math.h>

#include "tools/orca/render/unit.h"
#include "tools/orca/render/view/diff.h"
#include "tools/orca/render/view/view.h"

/* The least share in the total change for which a row is mentioned. */
#define LEAST_PART 0.25

static bool is_mentioned(const struct diff_row *row) {
  return row->verdict != DIFF_SAME && fabs(diff_change(row)) >= DIFF_LEAST_CHANGE;
}

/* The row with the largest change of a part. `sign` 1: the largest increase, -1: decrease, 0: of
   both. NULL: no change is large enough, as far as known. */
static const struct diff_row *find_largest(const struct diff *d, int sign) {
  for (size_t i = 0; i < d->num && is_mentioned(&d->rows[i]); i++) {
    if (d->rows[i].is_open) continue;
    if (diff_change(&d->rows[i]) * sign >= 0) return &d->rows[i];
  }
  return NULL;
}

/* --- a row ------------------------------------------------------------------------------ */

/* "Cart.add at Cart.java:7: 1.21 s in each second of run instead of 883 ms" */
static void put_row(struct builder *b, const struct comparison *c, enum compare_part part,
                    const struct diff_row *row) {
  bool is_least[2] = {row->sides[0].more > 0, row->sides[1].more > 0};
  if (part != COMPARE_METHODS) {
    view_diff_name(b, c, part, row);
    builder_string(b, " at ");
  }
  view_diff_place(b, c, row);
  builder_string(b, ": ");
  if (is_least[1]) builder_string(b, "at least ");
  view_diff_rate(b, row->rates[1]);
  builder_string(b, " in each second of run");
  if (row->verdict == DIFF_NEW) {
    builder_string(b, is_least[0] ? ", and nothing in A that is told apart" : ", and nothing in A");
  } else {
    builder_string(b, is_least[0] ? " instead of at least " : " instead of ");
    view_diff_rate(b, row->rates[0]);
  }
}

/* "; most of it in X: …" for a row that changed in the direction of the total. "; it fell most in
   Y: …" for a row that changed in the other direction, or if the total did not change. */
static void put_parts(struct builder *b, const struct comparison *c, enum compare_part part,
                      const char *where) {
  const struct diff *d = &c->parts[part];
  const struct diff_row *total = &c->totals[part];
  double change = is_mentioned(total) ? diff_change(total) : 0;
  for (int i = 0; i < 2; i++) {
    int sign = (change < 0) == (i == 0) ? -1 : 1;
    const struct diff_row *row = find_largest(d, sign);
    if (row == NULL || fabs(diff_change(row)) < fabs(change) * LEAST_PART) continue;
    bool most = fabs(diff_change(row)) * 2 > (sign > 0 ? d->more : d->less);
    bool with = change * sign > 0;
    builder_string(b, with ? (most ? "; most of it " : "; the largest part of it ")
                           : (sign > 0 ? "; it grew most " : "; it fell most "));
    builder_string(b, where);
    put_row(b, c, part, row);
  }
}

/* --- length ----------------------------------------------------------------------------- */

/* The least ratio of two lengths that is mentioned. */
#define LEAST_RATIO 1.2

/* Returns the length of a run that ended by itself; 0 if it did not, or if a filter cuts it. */
static ticks_t find_whole_length(const struct model *m) {
  const struct recording *r = &m->recording;
  struct span reason;
  bool is_whole = r->from == r->start && r->to == r->end;
  if (!is_whole || !dump_info(m->dump, INFO_END_REASON, &reason)) return 0;
  return span_is(reason, "exit") ? recording_time(r) : 0;
}

/* Two programs that ended by themselves may have done the same work, one of them slower. The
   figures can still be equal, because they are per second. */
static void say_length(struct builder *b, const struct comparison *c, const struct style *style) {
  ticks_t length_a = find_whole_length(c->runs[0]), length_b = find_whole_length(c->runs[1]);
  struct builder s = {0};
  if (length_a == 0 || length_b == 0) return;
  double ratio = (double)length_b / (double)length_a;
  if (ratio < LEAST_RATIO && ratio > 1 / LEAST_RATIO) return;
  builder_format(&s, "B ran for %s", UNIT_TICKS(length_b));
  builder_format(&s, " instead of %s. The figures are per second of run: ", UNIT_TICKS(length_a));
  builder_format(&s, "if both runs did the same work, multiply those of B by %.*f.",
                 (ratio < 10) + (ratio < 1), ratio);
  view_put_sentence(b, style, &s);
}

/* --- CPU -------------------------------------------------------------------------------- */

static bool has_changed(const struct comparison *c, enum compare_part part) {
  return is_mentioned(&c->totals[part]) || find_largest(&c->parts[part], 0) != NULL;
}

/* Names methods only if both runs were sampled in the same way. */
static void say_cpu(struct builder *b, const struct comparison *c, const struct style *style) {
  const struct diff_row *total = &c->totals[COMPARE_METHODS];
  struct builder s = {0};
  bool methods = !recording_samplers_differ(&c->runs[0]->recording, &c->runs[1]->recording);
  if (!c->runs[0]->recording.cpu_known || !c->runs[1]->recording.cpu_known) return;
  if (methods ? !has_changed(c, COMPARE_METHODS) : !is_mentioned(total)) return;
  if (is_mentioned(total)) {
    double change = diff_change(total);
    const char *sign = change > 0 ? "more" : "less";
    builder_format(&s, "B uses %.2f CPUs %s than A", fabs(change) / 1e9, sign);
  } else {
    builder_string(&s, "B uses as much CPU time as A");
  }
  builder_format(&s, " (%.2f instead of %.2f)", total->rates[1] / 1e9, total->rates[0] / 1e9);
  if (methods) put_parts(&s, c, COMPARE_METHODS, "in ");
  builder_char(&s, '.');
  view_put_sentence(b, style, &s);
}

/* --- locks and waits ----------------------------------------------------------------------- */

static void say_locks(struct builder *b, const struct comparison *c, const struct style *style) {
  const struct diff_row *total = &c->totals[COMPARE_LOCKS];
  struct builder s = {0};
  if (!has_changed(c, COMPARE_LOCKS)) return;
  builder_string(&s, "Threads are blocked by locks ");
  if (is_mentioned(total)) {
    view_diff_rate(&s, fabs(diff_change(total)));
    builder_string(&s, diff_change(total) > 0 ? " longer" : " less");
    builder_string(&s, " in each second of B (");
  } else {
    builder_string(&s, "as long as in A (");
  }
  builder_string(&s, "all threads together ");
  view_diff_rate(&s, total->rates[1]);
  builder_string(&s, " instead of ");
  view_diff_rate(&s, total->rates[0]);
  builder_char(&s, ')');
  put_parts(&s, c, COMPARE_LOCKS, "on the ");
  builder_char(&s, '.');
  view_put_sentence(b, style, &s);
}

/* Threads often wait only because they have no work, so only the largest change is mentioned. */
static void say_waits(struct builder *b, const struct comparison *c, const struct style *style) {
  const struct diff_row *row = find_largest(&c->parts[COMPARE_WAITS], 0);
  struct builder s = {0};
  if (row == NULL) return;
  builder_string(&s, "Of other waits the largest change is ");
  put_row(&s, c, COMPARE_WAITS, row);
  builder_char(&s, '.');
  view_put_sentence(b, style, &s);
}

void view_diff_words(struct builder *b, const struct comparison *c, const struct style *style) {
  static const char nothing[] =
      "No change is larger than chance and the usual difference between two runs.";
  style_heading(b, style, "In short");
  say_length(b, c, style);
  size_t start = b->len;
  say_cpu(b, c, style);
  say_locks(b, c, style);
  say_waits(b, c, style);
  if (b->len == start) style_wrap(b, style, "* ", (struct span){nothing, sizeof nothing - 1});
  struct builder s = {0};
  builder_format(&s,
                 "~ means no change: the two values differ by less than %u %% (locks and waits: "
                 "%u %%) of the larger one, or by less than three times the random error of so "
                 "few samples or events.",
                 diff_least_percent[DIFF_SAMPLES], diff_least_percent[DIFF_EVENTS]);
  view_put_sentence(b, style, &s);
}
