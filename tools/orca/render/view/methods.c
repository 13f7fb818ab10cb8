#include <string.h>

#include "tools/orca/model/names.h"
#include "tools/orca/render/cells.h"
#include "tools/orca/render/unit.h"
#include "tools/orca/render/view/view.h"

#define BAR_WIDTH 40

static bool is_match(const struct model *m, const struct called *row, const char *pattern) {
  return pattern == NULL || names_method_is(m->dump, row->method, pattern);
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

static const struct column columns[] = {{"method", ALIGN_LEFT, true, "method"},
                                        {NULL, ALIGN_LEFT, false, "class"},
                                        {"calls", ALIGN_RIGHT, false, "calls"},
                                        {"total", ALIGN_RIGHT, false, "total_ns"},
                                        {"self", ALIGN_RIGHT, false, "self_ns"},
                                        {"mean", ALIGN_RIGHT, false, "mean_ns"},
                                        {"p50", ALIGN_RIGHT, false, "p50_ns"},
                                        {"p99", ALIGN_RIGHT, false, "p99_ns"},
                                        {"longest", ALIGN_RIGHT, false, "longest_ns"},
                                        {NULL, ALIGN_RIGHT, false, "threw"},
                                        {NULL, ALIGN_RIGHT, false, "open"},
                                        {NULL, ALIGN_LEFT, false, "main_caller"},
                                        {"CPU", ALIGN_RIGHT, false, "cpu_ns"}};

static void put_times(struct table *t, const struct called *row) {
  const struct histogram *times = &row->times;
  if (times->num == 0) {
    for (int i = 0; i < 4; i++) cell_unknown(t);
    return;
  }
  cell_ticks(t, row->sum / times->num);
  cell_ns(t, histogram_quantile(times, 500));
  cell_ns(t, histogram_quantile(times, 990));
  cell_ns(t, times->most);
}

static void put_class(struct builder *b, const struct model *m, uint64_t class_id) {
  names_class(b, m->dump, (uint32_t)class_id);
}

static void put_callers(struct table *t, const struct model *m, const struct called *row) {
  builder_string(table_text(t), "from ");
  view_keys(table_text(t), m, &m->calls.callers, row->id, view_place_name);
  table_note(t);
}

static void put_thrown(struct table *t, const struct model *m, const struct called *row) {
  if (row->threw == 0) return;
  builder_string(table_text(t), "threw ");
  unit_many(table_text(t), row->threw, "time: ", "times: ");
  view_keys(table_text(t), m, &m->calls.thrown, row->id, put_class);
  table_note(t);
}

static void put_open(struct table *t, const struct called *row) {
  if (row->open == 0) return;
  unit_many(table_text(t), row->open, "call", "calls");
  builder_string(table_text(t), " not finished at the end, after ");
  unit_ticks(table_text(t), row->longest_open);
  if (row->open > 1) builder_string(table_text(t), " or less");
  table_note(t);
}

static void put_cpu(struct table *t, const struct called *row) {
  if (row->cpu_calls > 0) {
    cell_ns(t, row->cpu_ns);
  } else {
    cell_unknown(t);
  }
}

static void put_method(struct table *t, const struct model *m, const struct called *row,
                       bool has_cpu) {
  const struct method_line *method = dump_method(m->dump, row->method);
  put_name(table_text(t), m, row);
  table_next(t);
  if (method != NULL) names_class(table_text(t), m->dump, method->class_id);
  table_next(t);
  cell_count(t, row->calls);
  cell_ticks(t, row->total);
  cell_ticks(t, row->self);
  put_times(t, row);
  cell_raw(t, row->threw);
  cell_raw(t, row->open);
  view_best(t, m, &m->calls.callers, row->id, view_place_name);
  if (has_cpu) put_cpu(t, row);
  put_callers(t, m, row);
  put_thrown(t, m, row);
  put_open(t, row);
}

static bool has_cpu_times(const struct calls *c) {
  for (size_t i = 0; i < c->num; i++) {
    if (c->rows[i].cpu_calls > 0) return true;
  }
  return false;
}

/* CSV and JSON always have the CPU column. */
void view_methods(struct page *p, const struct model *m, size_t top, const char *pattern) {
  bool has_cpu = has_cpu_times(&m->calls) || !page_is_text(p);
  size_t num = 0;
  struct table *t = table_new(columns, sizeof columns / sizeof *columns - !has_cpu);
  for (size_t i = 0; i < m->calls.num; i++) {
    if (!is_match(m, &m->calls.rows[i], pattern)) continue;
    if (num++ < top) put_method(t, m, &m->calls.rows[i], has_cpu);
  }
  page_table(p, "methods", "Methods of the option track (total: with callees; self: without)", t,
             num > top ? num - top : 0);
}

/* --- details of a method ------------------------------------------------------------------ */

/* A bar with a resolution of an eighth of a column. */
static void put_bar(struct builder *b, uint64_t n, uint64_t most) {
  static const char *const pieces[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  uint64_t eighths = (uint64_t)((double)n / (double)most * BAR_WIDTH * 8 + 0.5);
  if (n > 0 && eighths == 0) eighths = 1;
  for (; eighths >= 8; eighths -= 8) builder_string(b, "█");
  builder_string(b, pieces[eighths]);
}

static uint64_t find_fullest(const struct histogram *h, unsigned from, unsigned to) {
  uint64_t most = 0;
  for (unsigned power = from; power <= to; power++) {
    uint64_t n = histogram_between(h, power);
    if (n > most) most = n;
  }
  return most;
}

static void put_durations(struct builder *b, const struct style *style, const struct histogram *h) {
  static const struct column durations[] = {{"took from", ALIGN_RIGHT, false, NULL},
                                            {"to", ALIGN_RIGHT, false, NULL},
                                            {"calls", ALIGN_RIGHT, false, NULL},
                                            {"", ALIGN_RIGHT, false, NULL},
                                            {"", ALIGN_LEFT, false, NULL}};
  if (h->num == 0) return;
  struct table *t = table_new(durations, sizeof durations / sizeof *durations);
  unsigned from = histogram_power(h->least), to = histogram_power(h->most);
  uint64_t most = find_fullest(h, from, to);
  for (unsigned power = from; power <= to; power++) {
    uint64_t n = histogram_between(h, power);
    cell_ns(t, power == 0 ? 0 : UINT64_C(1) << power);
    cell_ns(t, UINT64_C(2) << power);
    cell_count(t, n);
    cell_share(t, n, h->num);
    put_bar(table_text(t), n, most);
    table_next(t);
  }
  table_write(b, t, style);
  table_free(t);
}

static void put_by_caller(struct builder *b, const struct model *m, const struct style *style,
                          const struct called *row, size_t top) {
  static const struct column callers[] = {
      {"called from", ALIGN_LEFT, true, NULL}, {"calls", ALIGN_RIGHT, false, NULL},
      {"", ALIGN_RIGHT, false, NULL},          {"time", ALIGN_RIGHT, false, NULL},
      {"", ALIGN_RIGHT, false, NULL},          {"mean", ALIGN_RIGHT, false, NULL}};
  size_t num;
  uint64_t calls = 0, time = 0;
  const struct tally_row *rows = tally_of(&m->calls.callers, row->id, &num);
  struct table *t = table_new(callers, sizeof callers / sizeof *callers);
  for (size_t i = 0; i < num; i++) calls += rows[i].count, time += rows[i].total;
  for (size_t i = 0; i < num && i < top; i++) {
    view_place_name(table_text(t), m, rows[i].key);
    table_next(t);
    cell_count(t, rows[i].count);
    cell_share(t, rows[i].count, calls);
    cell_ticks(t, rows[i].total);
    cell_share(t, rows[i].total, time);
    cell_ticks(t, rows[i].total / rows[i].count);
  }
  builder_char(b, '\n');
  table_write(b, t, style);
  table_free(t);
  if (num > top) page_more(b, num - top);
}

static void put_details(struct builder *b, const struct model *m, const struct style *style,
                        const struct called *row, size_t top) {
  struct builder heading = {0};
  put_name(&heading, m, row);
  builder_char(&heading, '\0');
  if (!heading.failed) style_heading(b, style, heading.data);
  builder_free(&heading);
  put_durations(b, style, &row->times);
  put_by_caller(b, m, style, row, top);
}

void view_method_details(struct page *p, const struct model *m, size_t top, const char *pattern) {
  size_t num = 0;
  for (size_t i = 0; i < m->calls.num && num < top; i++) {
    if (!page_is_text(p) || !is_match(m, &m->calls.rows[i], pattern)) continue;
    put_details(&p->out, m, &p->style, &m->calls.rows[i], top);
    num++;
  }
}
