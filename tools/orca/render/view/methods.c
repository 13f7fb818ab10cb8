#include <string.h>

#include "tools/orca/model/names.h"
#include "tools/orca/render/unit.h"
#include "tools/orca/render/view/view.h"

#define BAR_WIDTH 40

static bool is_match(const struct model *m, const struct called *row, const char *pattern) {
  return pattern == NULL || names_method_matches(m->dump, row->method, pattern);
}

size_t view_methods_num(const struct model *m, const char *pattern) {
  size_t num = 0;
  for (size_t i = 0; i < m->calls.num; i++) num += is_match(m, &m->calls.rows[i], pattern);
  return num;
}

/* Does another tracked method of the class have the same name? */
static bool is_overloaded(const struct model *m, const struct called *row) {
  const struct method_line *one = dump_method(m->dump, row->method), *other;
  for (size_t i = 0; one != NULL && i < m->calls.num; i++) {
    other = dump_method(m->dump, m->calls.rows[i].method);
    if (other == NULL || other == one || other->class_id != one->class_id) continue;
    if (span_same(other->name, one->name)) return true;
  }
  return false;
}

static void put_name(struct builder *b, const struct model *m, const struct called *row) {
  names_method(b, m->dump, row->method);
  if (is_overloaded(m, row)) names_parameters(b, m->dump, row->method);
}

/* --- the table ------------------------------------------------------------------------ */

static void put_class_name(struct builder *b, const struct model *m, uint64_t class_id) {
  names_class(b, m->dump, (uint32_t)class_id);
}

static void put_method(const struct cell *c) { put_name(c->text, c->context, c->row); }

static void put_class(const struct cell *c) {
  const struct model *m = c->context;
  const struct called *row = c->row;
  const struct method_line *method = dump_method(m->dump, row->method);
  if (method != NULL) put_class_name(c->text, m, method->class_id);
}

static void put_mean(const struct cell *c) {
  const struct called *row = c->row;
  uint64_t num = row->times.num;
  cell_ticks_if(c->table, num > 0, num > 0 ? row->sum / num : 0);
}

static void put_quantile(const struct cell *c, unsigned permille) {
  const struct histogram *times = &((const struct called *)c->row)->times;
  bool is_known = times->num > 0;
  cell_ns_if(c->table, is_known, is_known ? histogram_quantile(times, permille) : 0);
}

static void put_p50(const struct cell *c) { put_quantile(c, 500); }

static void put_p99(const struct cell *c) { put_quantile(c, 990); }

static void put_longest(const struct cell *c) {
  const struct called *row = c->row;
  cell_ns_if(c->table, row->times.num > 0, row->times.most);
}

static void put_main_caller(const struct cell *c) {
  const struct model *m = c->context;
  const struct called *row = c->row;
  view_put_largest(c->table, m, &m->calls.callers, row->id, view_place_name);
}

static void put_cpu(const struct cell *c) {
  const struct called *row = c->row;
  cell_ns_if(c->table, row->cpu_calls > 0, row->cpu_ns);
}

static const struct column columns[] = {
    {"method", .shrinks = true, .key = "method", .put = put_method},
    {.key = "class", .put = put_class},
    {"calls", .key = "calls", COLUMN_COUNT(struct called, calls)},
    {"total", .key = "total_ns", COLUMN_TICKS(struct called, total)},
    {"self", .key = "self_ns", COLUMN_TICKS(struct called, self)},
    {"mean", ALIGN_RIGHT, .key = "mean_ns", .put = put_mean},
    {"p50", ALIGN_RIGHT, .key = "p50_ns", .put = put_p50},
    {"p99", ALIGN_RIGHT, .key = "p99_ns", .put = put_p99},
    {"longest", ALIGN_RIGHT, .key = "longest_ns", .put = put_longest},
    {.key = "threw", COLUMN_RAW(struct called, threw)},
    {.key = "open", COLUMN_RAW(struct called, open)},
    {.key = "main_caller", .put = put_main_caller}};

static const struct column cpu_columns[] = {{"CPU", ALIGN_RIGHT, .key = "cpu_ns", .put = put_cpu}};

/* Only for recordings with sums of short calls. */
static const struct column short_columns[] = {
    {.key = "short_calls", COLUMN_RAW(struct called, short_calls.num)},
    {.key = "short_calls_ns", COLUMN_TICKS(struct called, short_calls.total)}};
#define MOST_COLUMNS \
  ((sizeof columns + sizeof cpu_columns + sizeof short_columns) / sizeof *columns)

/* "and 104,233 calls shorter than 10ms, 97.1 s together" */
static void add_short_note(struct table *t, const struct model *m, const struct called *row) {
  const struct short_calls *calls = &row->short_calls;
  if (calls->num == 0) return;
  builder_string(table_text(t), "and ");
  unit_many(table_text(t), calls->num, "call", "calls");
  view_put_shorter(table_text(t), m->dump);
  builder_format(table_text(t), ", %s together", UNIT_TICKS(calls->total));
  table_note(t);
}

static void add_method(struct table *t, const struct model *m, const struct called *row) {
  table_add(t, m, row);
  if (row->calls > 0) {
    builder_string(table_text(t), "from ");
    view_put_keys(table_text(t), m, &m->calls.callers, row->id, view_place_name);
    table_note(t);
  }
  add_short_note(t, m, row);
  if (row->threw > 0) {
    builder_string(table_text(t), "threw ");
    unit_many(table_text(t), row->threw, "time: ", "times: ");
    view_put_keys(table_text(t), m, &m->calls.thrown, row->id, put_class_name);
    table_note(t);
  }
  if (row->open > 0) {
    unit_many(table_text(t), row->open, "call", "calls");
    builder_format(table_text(t), " not finished at the end, after %s%s",
                   UNIT_TICKS(row->longest_open), row->open > 1 ? " or less" : "");
    table_note(t);
  }
}

/* "9 calls shorter than 10ms, 2.00 ms together, are of tracked methods that are not told apart." */
static void put_several(struct page *p, const struct model *m) {
  const struct short_calls *calls = &m->calls.several;
  struct builder note = {0};
  if (!page_is_text(p) || calls->num == 0) return;
  unit_many(&note, calls->num, "call", "calls");
  view_put_shorter(&note, m->dump);
  builder_format(&note, ", %s together, %s of tracked methods that are not told apart.",
                 UNIT_TICKS(calls->total), calls->num == 1 ? "is" : "are");
  view_put_paragraph(p, &note);
}

/* CSV and JSON always have the CPU column. */
void view_methods(struct page *p, const struct model *m, size_t top, const char *pattern) {
  bool has_cpu = !page_is_text(p);
  size_t num = 0;
  for (size_t i = 0; i < m->calls.num; i++) has_cpu |= m->calls.rows[i].cpu_calls > 0;
  const struct column_part parts[] = {COLUMN_PART(columns, true), COLUMN_PART(cpu_columns, has_cpu),
                                      COLUMN_PART(short_columns, m->recording.short_calls.num > 0)};
  struct column chosen[MOST_COLUMNS];
  struct table *t =
      table_new(chosen, column_parts_join(chosen, parts, sizeof parts / sizeof *parts));
  for (size_t i = 0; i < m->calls.num; i++) {
    if (!is_match(m, &m->calls.rows[i], pattern)) continue;
    if (num++ < top) add_method(t, m, &m->calls.rows[i]);
  }
  page_table(p, "methods", "Methods of the option track (total: with callees; self: without)", t,
             num > top ? num - top : 0);
  put_several(p, m);
}

/* --- details of a method ------------------------------------------------------------------ */

/* The calls that took from `from` to `to`. */
struct duration_row {
  uint64_t from, to, calls;
  uint64_t all, most; /* calls of all rows, and of the largest row */
};

static void put_duration_share(const struct cell *c) {
  const struct duration_row *row = c->row;
  cell_share(c->table, row->calls, row->all);
}

/* A bar with a resolution of an eighth of a column. */
static void put_duration_bar(const struct cell *c) {
  static const char *const pieces[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  const struct duration_row *row = c->row;
  uint64_t eighths = (uint64_t)((double)row->calls / (double)row->most * BAR_WIDTH * 8 + 0.5);
  if (row->calls > 0 && eighths == 0) eighths = 1;
  for (; eighths >= 8; eighths -= 8) builder_string(c->text, "█");
  builder_string(c->text, pieces[eighths]);
}

static const struct column duration_columns[] = {
    {"took from", COLUMN_NS(struct duration_row, from)},
    {"to", COLUMN_NS(struct duration_row, to)},
    {"calls", COLUMN_COUNT(struct duration_row, calls)},
    {"", ALIGN_RIGHT, .put = put_duration_share},
    {"", .put = put_duration_bar}};

static void put_durations(struct builder *b, const struct style *style, const struct histogram *h) {
  if (h->num == 0) return;
  struct table *t = TABLE_NEW(duration_columns);
  unsigned from = histogram_power(h->least), to = histogram_power(h->most);
  uint64_t most = 0;
  for (unsigned power = from; power <= to; power++) {
    uint64_t calls = histogram_between(h, power);
    if (calls > most) most = calls;
  }
  for (unsigned power = from; power <= to; power++) {
    uint64_t start = power == 0 ? 0 : UINT64_C(1) << power, end = UINT64_C(2) << power;
    table_add(t, NULL,
              &(struct duration_row){start, end, histogram_between(h, power), h->num, most});
  }
  table_write(b, t, style);
  table_free(t);
}

/* The context of the callers of a method. */
struct caller_context {
  const struct model *model;
  uint64_t calls, time; /* of all callers */
};

static void put_caller(const struct cell *c) {
  const struct caller_context *all = c->context;
  const struct tally_row *row = c->row;
  view_place_name(c->text, all->model, row->key);
}

static void put_call_share(const struct cell *c) {
  const struct caller_context *all = c->context;
  const struct tally_row *row = c->row;
  cell_share(c->table, row->count, all->calls);
}

static void put_time_share(const struct cell *c) {
  const struct caller_context *all = c->context;
  const struct tally_row *row = c->row;
  cell_share(c->table, row->total, all->time);
}

static void put_mean_of_caller(const struct cell *c) {
  const struct tally_row *row = c->row;
  cell_ticks(c->table, row->total / row->count);
}

static const struct column caller_columns[] = {{"called from", .shrinks = true, .put = put_caller},
                                               {"calls", COLUMN_COUNT(struct tally_row, count)},
                                               {"", ALIGN_RIGHT, .put = put_call_share},
                                               {"time", COLUMN_TICKS(struct tally_row, total)},
                                               {"", ALIGN_RIGHT, .put = put_time_share},
                                               {"mean", ALIGN_RIGHT, .put = put_mean_of_caller}};

static void put_details(struct page *p, const struct model *m, const struct called *row,
                        size_t top) {
  struct builder *b = &p->out, heading = {0};
  put_name(&heading, m, row);
  builder_char(&heading, '\0');
  if (!heading.failed) style_heading(b, &p->style, heading.data);
  builder_free(&heading);
  put_durations(b, &p->style, &row->times);
  struct caller_context all = {m, 0, 0};
  size_t num;
  const struct tally_row *callers = tally_of(&m->calls.callers, row->id, &num);
  struct table *t = TABLE_NEW(caller_columns);
  for (size_t i = 0; i < num; i++) all.calls += callers[i].count, all.time += callers[i].total;
  size_t more = table_fill(t, &all, callers, sizeof *callers, num, top);
  builder_char(b, '\n');
  page_put_rows(p, t);
  table_free(t);
  if (more > 0) page_more(b, more);
}

void view_method_details(struct page *p, const struct model *m, size_t top, const char *pattern) {
  size_t num = 0;
  for (size_t i = 0; i < m->calls.num && num < top; i++) {
    const struct called *row = &m->calls.rows[i];
    if (!page_is_text(p) || !is_match(m, row, pattern) || row->calls == 0) continue;
    put_details(p, m, row, top);
    num++;
  }
}
