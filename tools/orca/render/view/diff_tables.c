#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tools/orca/model/names.h"
#include "tools/orca/render/cells.h"
#include "tools/orca/render/unit.h"
#include "tools/orca/render/view/diff.h"
#include "tools/orca/render/view/view.h"

/* --- names ------------------------------------------------------------------------- */

static const char *const lock_phrases[] = {[LOCK_MONITOR] = "monitor of ",
                                           [LOCK_LOCK] = "",
                                           [LOCK_READ] = "read side of ",
                                           [LOCK_WRITE] = "write side of ",
                                           [LOCK_SEMAPHORE] = ""};

static void put_class(struct builder *b, const struct dump *d, uint32_t class_id) {
  if (class_id == 0) {
    builder_string(b, "an unknown class");
  } else {
    names_class(b, d, class_id);
  }
}

static void put_wait(struct builder *b, const struct dump *d, const struct diff_row *row,
                     uint32_t class_id) {
  builder_string(b, view_call_name((enum event_kind)row->kind));
  if (class_id == 0) return;
  builder_string(b, " on ");
  names_class(b, d, class_id);
}

void view_diff_name(struct builder *b, const struct comparison *c, enum compare_part part,
                    const struct diff_row *row) {
  int side = diff_named(row);
  const struct dump *d = c->runs[side]->dump;
  uint32_t id = row->sides[side].id;
  switch (part) {
    case COMPARE_METHODS:
      names_method(b, d, id);
      break;
    case COMPARE_LOCKS:
      builder_string(b, lock_phrases[row->kind]);
      put_class(b, d, id);
      break;
    case COMPARE_WAITS:
      put_wait(b, d, row, id);
      break;
    case NUM_COMPARE_PARTS:
      break;
  }
}

void view_diff_place(struct builder *b, const struct comparison *c, const struct diff_row *row) {
  int side = diff_named(row);
  view_place_name(b, c->runs[side], row->sides[side].place);
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
  return diff_change(row) == 0 ? "" : verdicts[row->verdict].mark;
}

static void put_time(struct table *t, const struct diff_row *row, int side) {
  view_diff_rate(table_text(t), row->rates[side]);
  table_number(t, (uint64_t)llround(row->rates[side]));
}

static void put_change(struct table *t, const struct diff_row *row) {
  double change = diff_change(row);
  if (change != 0) builder_char(table_text(t), change > 0 ? '+' : '-');
  view_diff_rate(table_text(t), fabs(change));
  table_next(t);
}

/* The share in the sum of all increases, or of all decreases. */
static void put_share(struct table *t, const struct diff *d, const struct diff_row *row) {
  double change = diff_change(row);
  cell_share(t, (uint64_t)fabs(change), (uint64_t)(change > 0 ? d->more : d->less));
}

static void put_frequency(struct table *t, const struct diff *d, const struct diff_row *row,
                          int side) {
  char text[32] = "-";
  double seconds = (double)d->lengths[side] / (double)TICKS_PER_S;
  double count = row->sides[side].count;
  if (seconds > 0) snprintf(text, sizeof text, "%.1f", count / seconds);
  if (d->basis == DIFF_EVENTS) builder_string(table_text(t), text);
  table_number(t, (uint64_t)llround(count));
}

/* The place as text: for a method its line, for other rows the method. */
static void put_where(struct builder *b, const struct comparison *c, enum compare_part part,
                      const struct diff_row *row) {
  int side = diff_named(row);
  const struct dump *d = c->runs[side]->dump;
  place_t place = row->sides[side].place;
  if (part == COMPARE_METHODS) {
    names_source(b, d, place);
  } else if (place == 0) {
    view_place_name(b, c->runs[side], place);
  } else {
    names_method(b, d, place_method(place));
  }
}

static void put_row(struct table *t, const struct comparison *c, enum compare_part part,
                    const struct diff_row *row) {
  const struct diff *d = &c->parts[part];
  put_time(t, row, 0);
  put_time(t, row, 1);
  put_change(t, row);
  cell_text(t, find_mark(row));
  cell_text(t, verdicts[row->verdict].name);
  put_share(t, d, row);
  for (int side = 0; side < 2; side++) put_frequency(t, d, row, side);
  view_diff_name(table_text(t), c, part, row);
  table_next(t);
  put_where(table_text(t), c, part, row);
  table_next(t);
  view_diff_place(table_text(t), c, row);
  table_next(t);
  for (int side = 0; side < 2; side++) cell_raw(t, row->sides[side].time / TICKS_PER_NS);
}

/* Text leaves out the numbers of samples. */
static void set_columns(struct column *columns, enum compare_part part) {
  bool often = part != COMPARE_METHODS;
  const struct column all[] = {
      {"A", ALIGN_RIGHT, false, "a_ns_per_s"},
      {"B", ALIGN_RIGHT, false, "b_ns_per_s"},
      {"change", ALIGN_RIGHT, false, NULL},
      {"", ALIGN_LEFT, false, NULL},
      {NULL, ALIGN_LEFT, false, "verdict"},
      {"share", ALIGN_RIGHT, false, NULL},
      {often ? "A, times" : NULL, ALIGN_RIGHT, false, often ? "a_count" : "a_samples"},
      {often ? "B" : NULL, ALIGN_RIGHT, false, often ? "b_count" : "b_samples"},
      {tables[part].what, ALIGN_LEFT, true, tables[part].what},
      {tables[part].title, ALIGN_LEFT, true, NULL},
      {NULL, ALIGN_LEFT, false, "main_place"},
      {NULL, ALIGN_RIGHT, false, "a_ns"},
      {NULL, ALIGN_RIGHT, false, "b_ns"}};
  memcpy(columns, all, sizeof all);
}
#define NUM_COLUMNS 13

void view_diff_table(struct page *p, const struct comparison *c, enum compare_part part,
                     size_t top) {
  const struct diff *d = &c->parts[part];
  struct column columns[NUM_COLUMNS];
  size_t shown = d->num < top ? d->num : top;
  set_columns(columns, part);
  struct table *t = table_new(columns, NUM_COLUMNS);
  for (size_t i = 0; i < shown; i++) put_row(t, c, part, &d->rows[i]);
  page_table(p, tables[part].key, tables[part].heading, t, d->num - shown);
}

/* --- totals ---------------------------------------------------------------------------- */

static const struct column total_columns[] = {
    {"", ALIGN_LEFT, false, NULL},        {NULL, ALIGN_LEFT, false, "what"},
    {"A", ALIGN_RIGHT, false, "a"},       {"B", ALIGN_RIGHT, false, "b"},
    {"change", ALIGN_RIGHT, false, NULL}, {"", ALIGN_LEFT, false, NULL}};

/* The average number of busy CPUs, or of threads in a state. */
static void put_busy(struct builder *b, double number, bool with_sign) {
  char text[48];
  snprintf(text, sizeof text, with_sign ? "%+.2f" : "%.2f", number);
  builder_string(b, text);
}

static void put_average(struct table *t, const struct comparison *c, enum compare_part part,
                        const char *title, const char *key) {
  const struct diff_row *row = &c->totals[part];
  cell_text(t, title);
  cell_text(t, key);
  for (int side = 0; side < 2; side++) {
    put_busy(table_text(t), row->rates[side] / 1e9, false);
    table_number(t, row->sides[side].time / TICKS_PER_NS);
  }
  put_busy(table_text(t), diff_change(row) / 1e9, true);
  table_next(t);
  cell_text(t, find_mark(row));
}

static void put_lengths(struct table *t, const struct comparison *c) {
  cell_text(t, "length");
  cell_text(t, "length_ns");
  for (int side = 0; side < 2; side++) cell_ticks(t, recording_time(&c->runs[side]->recording));
  cell_empty(t);
  cell_empty(t);
}

static void put_threads(struct table *t, const struct comparison *c) {
  cell_text(t, "threads");
  cell_text(t, "threads");
  for (int side = 0; side < 2; side++) cell_count(t, c->runs[side]->threads.num);
  cell_empty(t);
  cell_empty(t);
}

static void put_events(struct table *t, const struct comparison *c) {
  cell_text(t, "events in a second");
  cell_text(t, "events");
  for (int side = 0; side < 2; side++) {
    const struct recording *r = &c->runs[side]->recording;
    double length = (double)recording_time(r) / (double)TICKS_PER_S;
    unit_count(table_text(t), length > 0 ? (uint64_t)((double)r->num_events / length) : 0);
    table_number(t, r->num_events);
  }
  cell_empty(t);
  cell_empty(t);
}

void view_diff_totals(struct page *p, const struct comparison *c) {
  struct table *t = table_new(total_columns, sizeof total_columns / sizeof *total_columns);
  put_lengths(t, c);
  put_average(t, c, COMPARE_METHODS, "CPUs busy", "cpu_ns");
  put_average(t, c, COMPARE_LOCKS, "threads blocked", "blocked_ns");
  put_average(t, c, COMPARE_WAITS, "threads in waits", "waiting_ns");
  put_threads(t, c);
  put_events(t, c);
  page_table(p, "totals", "All in all, on average", t, 0);
}
