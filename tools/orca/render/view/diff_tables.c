#include <math.h>
#include <string.h>

#include "tools/orca/model/names.h"
#include "tools/orca/render/unit.h"
#include "tools/orca/render/view/diff.h"
#include "tools/orca/render/view/view.h"

/* --- names ------------------------------------------------------------------------- */

void view_diff_name(struct builder *b, const struct comparison *c, enum compare_part part,
                    const struct diff_row *row) {
  int side = diff_choose_name_side(row);
  const struct dump *d = c->runs[side]->dump;
  uint32_t id = row->sides[side].id;
  switch (part) {
    case COMPARE_METHODS:
      names_method(b, d, id);
      break;
    case COMPARE_LOCKS:
      builder_string(b, lock_sorts[row->kind].of);
      if (sums_is_several(part, id)) {
        builder_string(b, SHORT_SEVERAL_NAME);
      } else if (id == 0) {
        builder_string(b, "an unknown class");
      } else {
        names_class(b, d, id);
      }
      break;
    case COMPARE_WAITS:
      builder_string(b, names_call((enum event_kind)row->kind));
      if (id == 0) break;
      builder_string(b, " on ");
      if (sums_is_several(part, id)) {
        view_put_several_objects(b, (enum event_kind)row->kind);
      } else {
        names_class(b, d, id);
      }
      break;
    case NUM_COMPARE_PARTS:
      break;
  }
}

void view_diff_place(struct builder *b, const struct comparison *c, const struct diff_row *row) {
  int side = diff_choose_name_side(row);
  view_place_name(b, c->runs[side], row->sides[side].place);
}

void view_diff_put_place_object(const struct cell *c, const struct comparison *comparison,
                                const struct diff_row *row) {
  int side = diff_choose_name_side(row);
  view_put_place_object(c, comparison->runs[side]->dump, row->sides[side].place);
}

void view_diff_put_lock_object(const struct cell *c, const struct comparison *comparison,
                               enum compare_part part, const struct diff_row *row) {
  int side = diff_choose_name_side(row);
  bool is_lock = part == COMPARE_LOCKS;
  uint32_t id = compare_is_several(part, row) ? 0 : row->sides[side].id;
  if (part == COMPARE_METHODS || (!is_lock && id == 0)) return;
  view_put_lock_object(c, comparison->runs[side]->dump, is_lock ? lock_sorts[row->kind].key : NULL,
                       0, id, 0);
}

void view_diff_rate(struct builder *b, double rate) { unit_time(b, (uint64_t)llround(rate)); }

/* --- the table of a part ------------------------------------------------------------- */

static const struct {
  const char *key, *heading, *what, *title;
} tables[] = {
    [COMPARE_METHODS] = {"methods", "Methods by change of their own CPU time, in a second of run",
                         "method", "hottest line"},
    [COMPARE_LOCKS] = {"locks",
                       "Locks by change of the time that threads are blocked, in a second "
                       "of run",
                       "lock", "blocked at"},
    [COMPARE_WAITS] = {"waits", "Waits, sleeps, joins by change of their time, in a second of run",
                       "call", "at"},
};

static const struct {
  const char *mark, *name;
} verdicts[] = {[DIFF_SAME] = {"~", "same"},
                [DIFF_MORE] = {"", "more"},
                [DIFF_LESS] = {"", "less"},
                [DIFF_NEW] = {"new", "new"},
                [DIFF_GONE] = {"gone", "gone"}};

/* Empty if there is no difference at all. */
static const char *find_mark(const struct diff_row *row) {
  if (row->is_open) return "?";
  return diff_change(row) == 0 ? "" : verdicts[row->verdict].mark;
}

/* The context of the rows of a part. */
struct part_context {
  const struct comparison *comparison;
  enum compare_part part;
};

static const struct diff *get_diff(const struct cell *c) {
  const struct part_context *context = c->context;
  return &context->comparison->parts[context->part];
}

static void put_rate(const struct cell *c, int side) {
  const struct diff_row *row = c->row;
  double rate = row->rates[side];
  view_put_least_mark(c->text, row->sides[side].more > 0);
  view_diff_rate(c->text, rate);
  table_number(c->table, (uint64_t)llround(rate));
}

static void put_a_rate(const struct cell *c) { put_rate(c, 0); }

static void put_b_rate(const struct cell *c) { put_rate(c, 1); }

static void put_is_least(const struct cell *c, int side) {
  const struct diff_row *row = c->row;
  builder_string(c->text, row->sides[side].more > 0 ? "yes" : "no");
}

static void put_a_is_least(const struct cell *c) { put_is_least(c, 0); }

static void put_b_is_least(const struct cell *c) { put_is_least(c, 1); }

/* More time in A makes the change less, more in B makes it greater. */
static void put_change(const struct cell *c) {
  const struct diff_row *row = c->row;
  double change = diff_change(row);
  bool is_most = row->sides[0].more > 0, is_least = row->sides[1].more > 0;
  if (is_most && is_least) {
    builder_string(c->text, "? ");
  } else if (is_most) {
    builder_string(c->text, "≤ ");
  } else {
    view_put_least_mark(c->text, is_least);
  }
  if (change != 0) builder_char(c->text, change > 0 ? '+' : '-');
  view_diff_rate(c->text, fabs(change));
}

static void put_mark(const struct cell *c) { builder_string(c->text, find_mark(c->row)); }

static void put_verdict(const struct cell *c) {
  const struct diff_row *row = c->row;
  if (row->is_open) {
    table_unknown(c->table);
    return;
  }
  builder_string(c->text, verdicts[row->verdict].name);
}

/* The share in the sum of all increases, or of all decreases. */
static void put_share(const struct cell *c) {
  const struct diff *d = get_diff(c);
  const struct diff_row *row = c->row;
  double change = diff_change(row);
  if (row->is_open) {
    cell_empty(c->table);
    return;
  }
  cell_share(c->table, (uint64_t)fabs(change), (uint64_t)(change > 0 ? d->more : d->less));
}

static void put_frequency(const struct cell *c, int side) {
  const struct diff *d = get_diff(c);
  const struct diff_row *row = c->row;
  double seconds = (double)d->lengths[side] / (double)TICKS_PER_S;
  double count = row->sides[side].count;
  bool is_shown = d->basis == DIFF_EVENTS;
  view_put_least_mark(c->text, is_shown && seconds > 0 && row->sides[side].more > 0);
  if (is_shown && seconds > 0) builder_format(c->text, "%.1f", count / seconds);
  if (is_shown && seconds <= 0) builder_char(c->text, '-');
  table_number(c->table, (uint64_t)llround(count));
}

static void put_a_frequency(const struct cell *c) { put_frequency(c, 0); }

static void put_b_frequency(const struct cell *c) { put_frequency(c, 1); }

static void put_name(const struct cell *c) {
  const struct part_context *context = c->context;
  view_diff_name(c->text, context->comparison, context->part, c->row);
}

/* The place as text: for a method its line, for other rows the method. */
static void put_short_place(const struct cell *c) {
  const struct part_context *context = c->context;
  const struct diff_row *row = c->row;
  int side = diff_choose_name_side(row);
  const struct model *m = context->comparison->runs[side];
  place_t place = row->sides[side].place;
  if (context->part == COMPARE_METHODS) {
    names_source(c->text, m->dump, place);
  } else if (place == 0) {
    view_place_name(c->text, m, place);
  } else {
    names_method(c->text, m->dump, place_method(place));
  }
}

static void put_place(const struct cell *c) {
  const struct part_context *context = c->context;
  view_diff_place(c->text, context->comparison, c->row);
}

static void put_place_parts(const struct cell *c) {
  const struct part_context *context = c->context;
  view_diff_put_place_object(c, context->comparison, c->row);
}

static void put_lock_parts(const struct cell *c) {
  const struct part_context *context = c->context;
  view_diff_put_lock_object(c, context->comparison, context->part, c->row);
}

/* Rounded down to whole nanoseconds, unlike column_ticks. */
static void put_whole_ns(const struct cell *c) {
  cell_raw(c->table, *(const ticks_t *)c->member / TICKS_PER_NS);
}

#define TIME(side)                           \
  .align = ALIGN_RIGHT, .put = put_whole_ns, \
  COLUMN_MEMBER(struct diff_row, sides[side].time, ticks_t)

/* Only if a recording has sums of short calls. */
static const struct column least_columns[] = {{.key = "a_is_least", .put = put_a_is_least},
                                              {.key = "b_is_least", .put = put_b_is_least}};

/* Text leaves out the numbers of samples. */
static void set_columns(struct column *columns, enum compare_part part) {
  bool often = part != COMPARE_METHODS;
  const struct column all[] = {
      {"A", ALIGN_RIGHT, .key = "a_ns_per_s", .put = put_a_rate},
      {"B", ALIGN_RIGHT, .key = "b_ns_per_s", .put = put_b_rate},
      {"change", ALIGN_RIGHT, .put = put_change},
      {"", .put = put_mark},
      {.key = "verdict", .put = put_verdict},
      {"share", ALIGN_RIGHT, .put = put_share},
      {often ? "A, times" : NULL, ALIGN_RIGHT, .key = often ? "a_count" : "a_samples",
       .put = put_a_frequency},
      {often ? "B" : NULL, ALIGN_RIGHT, .key = often ? "b_count" : "b_samples",
       .put = put_b_frequency},
      {tables[part].what, .shrinks = true, .key = tables[part].what, .put = put_name},
      {tables[part].title, .shrinks = true, .put = put_short_place},
      {.key = "main_place", .put = put_place},
      {.key = "a_ns", TIME(0)},
      {.key = "b_ns", TIME(1)},
      {.key = "main_place_parts", .is_json = true, .put = put_place_parts},
      {.key = "object_parts", .is_json = true, .put = put_lock_parts}};
  memcpy(columns, all, sizeof all);
}
#define NUM_COLUMNS 15
#define NUM_LEAST_COLUMNS (sizeof least_columns / sizeof *least_columns)

void view_diff_table(struct page *p, const struct comparison *c, enum compare_part part,
                     size_t top) {
  const struct diff *d = &c->parts[part];
  struct column columns[NUM_COLUMNS], chosen[NUM_COLUMNS + NUM_LEAST_COLUMNS];
  bool has_sums = part != COMPARE_METHODS && (c->runs[0]->recording.short_calls.num > 0 ||
                                              c->runs[1]->recording.short_calls.num > 0);
  set_columns(columns, part);
  const struct column_part parts[] = {COLUMN_PART(columns, true),
                                      COLUMN_PART(least_columns, has_sums)};
  struct table *t = table_new(chosen, column_parts_join(chosen, parts, 2));
  size_t more =
      table_fill(t, &(struct part_context){c, part}, d->rows, sizeof *d->rows, d->num, top);
  page_table(p, tables[part].key, tables[part].heading, t, more);
}

/* --- totals ---------------------------------------------------------------------------- */

struct total {
  const char *title, *key;
  void (*put_side)(const struct cell *c, int side);
  enum compare_part part; /* of put_average */
};

/* The average number of busy CPUs, or of threads in a state. */
static void put_average(const struct cell *c, int side) {
  const struct comparison *comparison = c->context;
  const struct total *total = c->row;
  const struct diff_row *row = &comparison->totals[total->part];
  builder_format(c->text, "%.2f", row->rates[side] / 1e9);
  table_number(c->table, row->sides[side].time / TICKS_PER_NS);
}

static void put_length(const struct cell *c, int side) {
  const struct comparison *comparison = c->context;
  cell_ticks(c->table, recording_time(&comparison->runs[side]->recording));
}

static void put_threads(const struct cell *c, int side) {
  const struct comparison *comparison = c->context;
  cell_count(c->table, comparison->runs[side]->recording.num_threads);
}

static void put_events(const struct cell *c, int side) {
  const struct comparison *comparison = c->context;
  const struct recording *r = &comparison->runs[side]->recording;
  double length = (double)recording_time(r) / (double)TICKS_PER_S;
  unit_count(c->text, length > 0 ? (uint64_t)((double)r->num_events / length) : 0);
  table_number(c->table, r->num_events);
}

static const struct total totals[] = {
    {"length", "length_ns", put_length, NUM_COMPARE_PARTS},
    {"CPUs busy", "cpu_ns", put_average, COMPARE_METHODS},
    {"threads blocked", "blocked_ns", put_average, COMPARE_LOCKS},
    {"threads in waits", "waiting_ns", put_average, COMPARE_WAITS},
    {"threads", "threads", put_threads, NUM_COMPARE_PARTS},
    {"events in a second", "events", put_events, NUM_COMPARE_PARTS}};

static void put_a(const struct cell *c) { ((const struct total *)c->row)->put_side(c, 0); }

static void put_b(const struct cell *c) { ((const struct total *)c->row)->put_side(c, 1); }

static void put_total_change(const struct cell *c) {
  const struct comparison *comparison = c->context;
  const struct total *total = c->row;
  if (total->part == NUM_COMPARE_PARTS) return;
  builder_format(c->text, "%+.2f", diff_change(&comparison->totals[total->part]) / 1e9);
}

static void put_total_mark(const struct cell *c) {
  const struct comparison *comparison = c->context;
  const struct total *total = c->row;
  if (total->part == NUM_COMPARE_PARTS) return;
  builder_string(c->text, find_mark(&comparison->totals[total->part]));
}

static void put_total_verdict(const struct cell *c) {
  const struct comparison *comparison = c->context;
  const struct total *total = c->row;
  if (total->part == NUM_COMPARE_PARTS) {
    table_unknown(c->table);
  } else {
    builder_string(c->text, verdicts[comparison->totals[total->part].verdict].name);
  }
}

static const struct column total_columns[] = {{"", COLUMN_TEXT(struct total, title)},
                                              {.key = "what", COLUMN_TEXT(struct total, key)},
                                              {"A", ALIGN_RIGHT, .key = "a", .put = put_a},
                                              {"B", ALIGN_RIGHT, .key = "b", .put = put_b},
                                              {"change", ALIGN_RIGHT, .put = put_total_change},
                                              {"", .put = put_total_mark},
                                              {.key = "verdict", .put = put_total_verdict}};

void view_diff_totals(struct page *p, const struct comparison *c) {
  struct table *t = TABLE_NEW(total_columns);
  table_fill(t, c, totals, sizeof *totals, sizeof totals / sizeof *totals, SIZE_MAX);
  page_table(p, "totals", "All in all, on average", t, 0);
}
