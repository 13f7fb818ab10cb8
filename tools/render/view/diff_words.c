#include <math.h>
#include <stdio.h>

#include "tools/render/unit.h"
#include "tools/render/view/diff.h"

/* A rate from which on a change is worth a word: 1 % of a CPU, or of a thread's time. */
#define LEAST_CHANGE 1e7

static void say(struct builder *b, const struct style *style, struct builder *sentence) {
  if (!sentence->failed && sentence->len > 0) {
    style_wrap(b, style, "* ", (struct span){sentence->data, sentence->len});
  }
  b->failed |= sentence->failed;
  builder_free(sentence);
}

/* Whether a row is a change that is worth a word. */
static bool is_worth(const struct diff_row *row) {
  return row->verdict != DIFF_SAME && fabs(diff_change(row)) >= LEAST_CHANGE;
}

/* The largest change of a part: upward where `sign` is 1, downward where it is -1, 0: either. */
static const struct diff_row *largest(const struct diff *d, int sign) {
  for (size_t i = 0; i < d->num && is_worth(&d->rows[i]); i++) {
    if (diff_change(&d->rows[i]) * sign >= 0) return &d->rows[i];
  }
  return NULL;
}

/* --- a row ------------------------------------------------------------------------------ */

static void put_name(struct builder *b, const struct comparison *c, enum compare_part part,
                     const struct diff_row *row) {
  if (part == COMPARE_METHODS) {
    view_diff_place(b, c, row);
    return;
  }
  view_diff_name(b, c, part, row);
  builder_string(b, " at ");
  view_diff_place(b, c, row);
}

/* "1.21 s in each second of run instead of 883 ms" */
static void put_rates(struct builder *b, const struct diff_row *row) {
  view_diff_rate(b, row->rates[1]);
  builder_string(b, " in each second of run");
  switch (row->verdict) {
    case DIFF_NEW:
      builder_string(b, ", and nothing in A");
      break;
    default:
      builder_string(b, " instead of ");
      view_diff_rate(b, row->rates[0]);
  }
}

static void put_row(struct builder *b, const struct comparison *c, enum compare_part part,
                    const struct diff_row *row) {
  put_name(b, c, part, row);
  builder_string(b, ": ");
  put_rates(b, row);
}

/* "; most of it in X: …" */
static void put_largest(struct builder *b, const struct comparison *c, enum compare_part part,
                        const char *where) {
  const struct diff *d = &c->parts[part];
  bool more = diff_change(&c->totals[part]) > 0;
  const struct diff_row *row = largest(d, more ? 1 : -1);
  if (row == NULL) return;
  bool most = fabs(diff_change(row)) * 2 > (more ? d->more : d->less);
  builder_string(b, most ? "; most of it " : "; the largest part of it ");
  builder_string(b, where);
  put_row(b, c, part, row);
}

/* Where the whole did not change, some of it may have. */
static void say_row(struct builder *b, const struct comparison *c, const struct style *style,
                    enum compare_part part, const char *what) {
  const struct diff_row *row = largest(&c->parts[part], 0);
  struct builder s = {0};
  if (row == NULL) return;
  builder_string(&s, what);
  put_row(&s, c, part, row);
  builder_char(&s, '.');
  say(b, style, &s);
}

/* --- CPU -------------------------------------------------------------------------------- */

static void put_cpus(struct builder *b, double rate) {
  char text[48];
  snprintf(text, sizeof text, "%.2f", rate / 1e9);
  builder_string(b, text);
}

static void say_cpu(struct builder *b, const struct comparison *c, const struct style *style) {
  const struct diff_row *total = &c->totals[COMPARE_METHODS];
  struct builder s = {0};
  if (!c->runs[0]->recording.cpu_known || !c->runs[1]->recording.cpu_known) return;
  if (!is_worth(total)) {
    say_row(b, c, style, COMPARE_METHODS,
            "B burns as much CPU as A, but elsewhere. What changed most is ");
    return;
  }
  bool more = diff_change(total) > 0;
  builder_string(&s, "B burns ");
  put_cpus(&s, fabs(diff_change(total)));
  builder_string(&s, more ? " CPUs more than A (" : " CPUs less than A (");
  put_cpus(&s, total->rates[1]);
  builder_string(&s, " instead of ");
  put_cpus(&s, total->rates[0]);
  builder_char(&s, ')');
  put_largest(&s, c, COMPARE_METHODS, "in ");
  builder_char(&s, '.');
  say(b, style, &s);
}

/* --- locks and waits ----------------------------------------------------------------------- */

static void say_locks(struct builder *b, const struct comparison *c, const struct style *style) {
  const struct diff_row *total = &c->totals[COMPARE_LOCKS];
  struct builder s = {0};
  if (!is_worth(total)) {
    say_row(
        b, c, style, COMPARE_LOCKS,
        "Threads are blocked by locks as long as in A, but elsewhere. What changed most is the ");
    return;
  }
  builder_string(&s, "Threads are blocked by locks ");
  view_diff_rate(&s, fabs(diff_change(total)));
  builder_string(&s, diff_change(total) > 0 ? " longer" : " less");
  builder_string(&s, " in each second of B (all threads together ");
  view_diff_rate(&s, total->rates[1]);
  builder_string(&s, " instead of ");
  view_diff_rate(&s, total->rates[0]);
  builder_char(&s, ')');
  put_largest(&s, c, COMPARE_LOCKS, "on the ");
  builder_char(&s, '.');
  say(b, style, &s);
}

/* Who waits has often nothing to do; the largest change is enough. */
static void say_waits(struct builder *b, const struct comparison *c, const struct style *style) {
  say_row(b, c, style, COMPARE_WAITS, "Of other waits the largest change is ");
}

static void say_judged(struct builder *b, const struct style *style) {
  struct builder s = {0};
  builder_string(&s, "~ is no change: the two differ by less than ");
  text_decimal(&s, diff_least_percent[DIFF_SAMPLES]);
  builder_string(&s, " % (locks and waits ");
  text_decimal(&s, diff_least_percent[DIFF_EVENTS]);
  builder_string(&s,
                 " %) of the larger one, or by less than three times what chance makes of so few "
                 "samples or events.");
  say(b, style, &s);
}

void view_diff_words(struct builder *b, const struct comparison *c, const struct style *style) {
  static const char nothing[] =
      "No change that is more than chance and the difference of any two runs.";
  style_heading(b, style, "In short");
  size_t start = b->len;
  say_cpu(b, c, style);
  say_locks(b, c, style);
  say_waits(b, c, style);
  if (b->len == start) style_wrap(b, style, "* ", (struct span){nothing, sizeof nothing - 1});
  say_judged(b, style);
}
