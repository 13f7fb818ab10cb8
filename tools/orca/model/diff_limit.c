#include "tools/orca/model/diff_limit.h"

#include <inttypes.h>
#include <string.h>

#define MOST_PERCENT 100000

const struct diff_limit_info diff_limit_kinds[NUM_DIFF_LIMITS] = {
#define LIMIT(id, word, part, is_total, help) {word, help, part, is_total},
#include "tools/orca/model/diff_limit.def"
};

/* --- text ----------------------------------------------------------------------------- */

static bool find_kind(struct span word, enum diff_limit_kind *out) {
  for (int kind = 0; kind < NUM_DIFF_LIMITS; kind++) {
    if (!span_is(word, diff_limit_kinds[kind].word)) continue;
    *out = (enum diff_limit_kind)kind;
    return true;
  }
  return false;
}

/* "10%" or "12.5%", into tenths of a percent. */
static bool parse_percent(struct span s, uint32_t *out) {
  struct span whole;
  int64_t percent, tenth = 0;
  if (s.len < 2 || s.data[s.len - 1] != '%') return false;
  s.len--;
  if (!span_cut(&s, '.', &whole) || !text_parse_decimal(whole, &percent)) return false;
  if (s.data != NULL && (s.len != 1 || !text_parse_decimal(s, &tenth))) return false;
  if (percent < 0 || percent > MOST_PERCENT) return false;
  *out = (uint32_t)(percent * 10 + tenth);
  return true;
}

bool diff_limit_parse(const char *text, struct diff_limit *out) {
  struct span rest = {text, strlen(text)}, word;
  return span_cut(&rest, '+', &word) && rest.data != NULL && find_kind(word, &out->kind) &&
         parse_percent(rest, &out->permille);
}

void diff_limit_write(struct builder *b, const struct diff_limit *limit) {
  builder_format(b, "%s+%" PRIu32, diff_limit_kinds[limit->kind].word, limit->permille / 10);
  if (limit->permille % 10 != 0) builder_format(b, ".%" PRIu32, limit->permille % 10);
  builder_char(b, '%');
}

/* --- judgement ------------------------------------------------------------------------ */

static bool allows(const struct diff_limit *limit, double rate_a, double rate_b) {
  return rate_b - rate_a < DIFF_LEAST_CHANGE ||
         rate_b * 1000 <= rate_a * (1000.0 + limit->permille);
}

static bool is_worse(const struct diff_row *row) {
  return row->verdict == DIFF_MORE || row->verdict == DIFF_NEW;
}

bool diff_limit_is_broken(const struct diff_limit *limit, const struct diff_row *row) {
  return is_worse(row) && !allows(limit, row->rates[0] + row->sides[0].more, row->rates[1]);
}

/* Whether a row breaks the limit if time on several objects is of the row. */
static bool can_break(const struct diff_limit *limit, const struct diff_row *row) {
  if (row->sides[0].more > 0 && is_worse(row) && !allows(limit, row->rates[0], row->rates[1]))
    return true;
  return row->sides[1].more >= DIFF_LEAST_CHANGE &&
         !allows(limit, row->rates[0], row->rates[1] + row->sides[1].more);
}

const char *diff_limit_find_why_open(const struct diff_limit *limit, const struct comparison *c) {
  const struct diff_limit_info *info = &diff_limit_kinds[limit->kind];
  const struct diff *d = &c->parts[info->part];
  bool is_open = false;
  for (size_t i = 0; !info->is_total && i < d->num; i++) {
    const struct diff_row *row = &d->rows[i];
    is_open |= compare_is_several(info->part, row) ? diff_limit_is_broken(limit, row)
                                                   : can_break(limit, row);
  }
  return is_open
             ? "a recording has sums of short calls on several objects that are not told apart: "
               "with them, a row can be above the limit"
             : NULL;
}

/* The options that decide which waits a recording contains. */
static bool has_other_waits(const struct comparison *c) {
  return !compare_has_same_option(c, OPTION_threshold) ||
         !compare_has_same_option(c, OPTION_events);
}

static const char *find_why_no_cpu(const struct comparison *c, bool is_total) {
  for (int side = 0; side < 2; side++) {
    if (!c->runs[side]->recording.cpu_known) return "a recording has no samples with CPU time";
  }
  if (is_total || !recording_samplers_differ(&c->runs[0]->recording, &c->runs[1]->recording))
    return NULL;
  return "one recording was sampled by signals, the other at safepoints";
}

static const char *find_why_no_waits(const struct comparison *c) {
  for (int side = 0; side < 2; side++) {
    if (coverage_is_lossy(dump_coverage(c->runs[side]->dump)))
      return "a recording lacks events (overflow=drop)";
  }
  if (has_other_waits(c)) return "the recordings have different options events or threshold";
  return compare_has_same_short_calls(c)
             ? NULL
             : "only one recording has the sums of all waits below the threshold";
}

const char *diff_limit_find_why(const struct diff_limit *limit, const struct comparison *c) {
  const struct diff_limit_info *info = &diff_limit_kinds[limit->kind];
  if (info->part == COMPARE_METHODS) return find_why_no_cpu(c, info->is_total);
  return find_why_no_waits(c);
}
