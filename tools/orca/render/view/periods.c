/* The periods in which different things limited the speed. */
#include "tools/orca/answer/find.h"
#include "tools/orca/render/unit.h"
#include "tools/orca/render/view/say.h"
#include "tools/orca/render/view/view.h"

#define NS_PER_S 1e9
#define LEAST_TOLD 0.05 /* threads or CPUs */
static ticks_t get_offset(const struct model *m, ticks_t time) {
  return time > m->recording.start ? time - m->recording.start : 0;
}

/* --- the table ------------------------------------------------------------------------------ */

/* As --from and --to take it. */
static void put_time(struct table *t, const struct model *m, ticks_t time) {
  uint64_t ns = get_offset(m, time) / TICKS_PER_NS;
  builder_format(table_text(t), "%.2f", (double)ns / NS_PER_S);
  table_number(t, ns);
}

static void put_begin(const struct cell *c) {
  put_time(c->table, c->context, ((const struct period *)c->row)->begin);
}

static void put_end(const struct cell *c) {
  put_time(c->table, c->context, ((const struct period *)c->row)->end);
}

/* CSV and JSON have thousandths, as their numbers are whole. */
static void put_average(struct table *t, double value) {
  builder_format(table_text(t), value < LEAST_TOLD ? "%.0f" : "%.2f", value);
  table_number(t, (uint64_t)(value * 1000 + 0.5));
}

static void put_used(const struct cell *c) {
  const struct model *m = c->context;
  if (m->process.known) {
    put_average(c->table, ((const struct period *)c->row)->cpus);
  } else {
    cell_unknown(c->table);
  }
}

static void put_double(const struct cell *c) { put_average(c->table, *(const double *)c->member); }

static void put_key(const struct cell *c) {
  const struct period *p = c->row;
  builder_string(c->text, period_limit_keys[p->limit]);
}

static void put_what(const struct cell *c) {
  const struct period *p = c->row;
  const struct model *m = c->context;
  struct findings names = {0};
  struct found_period found;
  find_period(&(struct finder){NULL, m, &names}, p, &found);
  builder_string(c->text, period_limit_names[p->limit]);
  if (!names.failed) say_period_more(c->text, &found);
  c->text->failed |= names.failed;
  findings_free(&names);
}

static const struct column columns[] = {
    {"from", ALIGN_RIGHT, .key = "begin_ns", .put = put_begin},
    {"to", ALIGN_RIGHT, .key = "end_ns", .put = put_end},
    {"CPUs", ALIGN_RIGHT, .key = "cpus_1000", .put = put_used},
    {"ready", ALIGN_RIGHT, .key = "ready_1000", .put = put_double,
     COLUMN_MEMBER(struct period, ready, double)},
    {"queued", ALIGN_RIGHT, .key = "queued_1000", .put = put_double,
     COLUMN_MEMBER(struct period, queued, double)},
    {"blocked", ALIGN_RIGHT, .key = "blocked_1000", .put = put_double,
     COLUMN_MEMBER(struct period, blocked, double)},
    {"in I/O", ALIGN_RIGHT, .key = "io_1000", .put = put_double,
     COLUMN_MEMBER(struct period, io, double)},
    {.key = "limit", .put = put_key},
    {"what limits", .shrinks = true, .key = "what", .put = put_what}};

void view_periods(struct page *p, const struct model *m) {
  struct table *t = TABLE_NEW(columns);
  for (size_t i = 0; i < m->periods.num && m->periods.num > 1; i++) {
    table_add(t, m, &m->periods.rows[i]);
  }
  page_table(
      p, "periods",
      "Periods with different limits (seconds, as --from and --to take; averages of CPUs and "
      "threads)",
      t, 0);
}
