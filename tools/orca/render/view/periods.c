/* The periods in which different things limited the speed. */
#include "tools/orca/model/names.h"
#include "tools/orca/render/unit.h"
#include "tools/orca/render/view/view.h"

#define NS_PER_S 1e9
#define LEAST_TOLD 0.05 /* threads or CPUs */

static ticks_t get_offset(const struct model *m, ticks_t time) {
  return time > m->recording.start ? time - m->recording.start : 0;
}

/* "0.98 of 2 CPUs", "0.98 CPUs" */
static void put_cpus(struct builder *b, const struct model *m, const struct period *p) {
  double cpus = process_cpus(m->dump);
  builder_format(b, "%.2f ", p->cpus);
  if (cpus > 0) builder_format(b, "of %g ", cpus);
  builder_string(b, "CPUs");
}

static void put_threads(struct builder *b, double num, const char *one, const char *many) {
  bool is_one = num > 0.95 && num < 1.05;
  builder_format(b, "%.1f %s", num, is_one ? one : many);
}

/* "at least 93 % of the time": threads can be busy at the same moments, so there may be more. */
static void put_rest(struct builder *b, const struct period *p) {
  if (p->quiet >= 0.995) {
    builder_string(b, "hardly any Java thread ran, was blocked or was in I/O");
    return;
  }
  builder_format(b,
                 "no Java thread ran, was blocked or was in I/O for at least %.0f %% of the time",
                 100 * p->quiet);
}

static void put_used_cpus(struct builder *b, const struct model *m, const struct period *p,
                          const char *separator) {
  if (!m->process.known) return;
  builder_string(b, separator);
  put_cpus(b, m, p);
  builder_string(b, " were used");
}

/* What the period is about, with the figures that say so. */
static void put_limit(struct builder *b, const struct model *m, const struct period *p) {
  switch (p->limit) {
    case PERIOD_LIMIT_PAUSES:
      builder_format(b, "the garbage collector stopped the program for %.0f %% of the time",
                     100 * p->paused);
      break;
    case PERIOD_LIMIT_CPUS:
      builder_string(b, "its CPUs were full");
      put_used_cpus(b, m, p, ": ");
      break;
    case PERIOD_LIMIT_CROWD:
      put_threads(b, p->ready, "thread was ready to run or ran",
                  "threads were ready to run or ran");
      builder_string(b, ", more than the CPUs that it may use");
      put_used_cpus(b, m, p, "; ");
      break;
    case PERIOD_LIMIT_STARVED:
      put_threads(b, p->queued, "thread waited for a CPU", "threads waited for a CPU");
      put_used_cpus(b, m, p, ", ");
      break;
    case PERIOD_LIMIT_LOCK:
      put_threads(b, p->blocked, "thread was blocked", "threads were blocked");
      break;
    case PERIOD_LIMIT_IO:
      put_threads(b, p->io, "thread was in I/O", "threads were in I/O");
      break;
    case PERIOD_LIMIT_REST:
      put_rest(b, p);
      break;
    default:
      put_threads(b, p->ready, "thread ran or was ready to run",
                  "threads ran or were ready to run");
      put_used_cpus(b, m, p, ", ");
      break;
  }
}

static void put_lock(struct builder *b, const struct model *m, const struct period *p) {
  if (p->lock == 0) return;
  builder_string(b, ", mostly for ");
  view_the_lock(b, m, p->lock);
}

/* The lock has a sentence of its own, with its places. */
static void put_place(struct builder *b, const struct model *m, const struct period *p) {
  bool has_lock = p->limit == PERIOD_LIMIT_LOCK && p->lock != 0;
  if (has_lock) put_lock(b, m, p);
  if (has_lock || p->place == 0) return;
  builder_string(b,
                 p->limit == PERIOD_LIMIT_REST ? "; threads slept or waited mostly" : ", mostly");
  view_put_at(b, m, p->place);
}

/* Blocked threads are worth a word if something else is the limit, too. */
static void put_blocked(struct builder *b, const struct model *m, const struct period *p) {
  if (p->limit == PERIOD_LIMIT_LOCK || !p->are_blocked) return;
  builder_string(b, ", and ");
  put_threads(b, p->blocked, "thread was blocked", "threads were blocked");
  put_lock(b, m, p);
}

void view_periods_verdict(struct builder *b, const struct model *m, const struct style *style) {
  struct builder s = {0};
  if (m->periods.num < 2) return;
  builder_format(&s, "The program's limit changed; averages of its %zu periods: ", m->periods.num);
  for (size_t i = 0; i < m->periods.num; i++) {
    const struct period *p = &m->periods.rows[i];
    if (i > 0) builder_string(&s, "; ");
    builder_format(&s, "from %s to ", UNIT_TICKS(get_offset(m, p->begin)));
    builder_format(&s, "%s ", UNIT_TICKS(get_offset(m, p->end)));
    put_limit(&s, m, p);
    put_place(&s, m, p);
    put_blocked(&s, m, p);
  }
  builder_char(&s, '.');
  view_put_sentence(b, style, &s);
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
  builder_string(c->text, period_limit_names[p->limit]);
  put_place(c->text, c->context, p);
  put_blocked(c->text, c->context, p);
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
