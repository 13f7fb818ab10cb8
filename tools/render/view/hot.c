#include "tools/model/names.h"
#include "tools/render/unit.h"
#include "tools/render/view/view.h"

static const struct column columns[] = {
    {"self", ALIGN_RIGHT, false},     {"", ALIGN_RIGHT, false},
    {"total", ALIGN_RIGHT, false},    {"", ALIGN_RIGHT, false},
    {"method", ALIGN_LEFT, true},     {"hottest line", ALIGN_LEFT, true},
    {"main caller", ALIGN_LEFT, true}};

static void put_time(struct table *t, uint64_t ns, uint64_t whole) {
  unit_share(table_text(t), ns, whole);
  table_next(t);
  unit_time(table_text(t), ns);
  table_next(t);
}

static void put_method(struct table *t, const struct model *m, const struct cpu_method *row) {
  put_time(t, row->self_ns, m->cpu.total_ns);
  put_time(t, row->total_ns, m->cpu.total_ns);
  names_method(table_text(t), m->dump, row->method);
  table_next(t);
  names_source(table_text(t), m->dump, row->place);
  table_next(t);
  if (row->caller != 0) names_method(table_text(t), m->dump, place_method(row->caller));
  table_next(t);
}

/* Methods that only call others are not hot. */
static size_t num_hot(const struct cpu *c) {
  size_t n = 0;
  while (n < c->num_methods && c->methods[n].self_ns > 0) n++;
  return n;
}

void view_hot(struct builder *b, const struct model *m, const struct style *style, size_t top) {
  size_t num = num_hot(&m->cpu), shown = num < top ? num : top;
  if (num == 0) return;
  struct table *t = table_new(columns, sizeof columns / sizeof *columns);
  for (size_t i = 0; i < shown; i++) put_method(t, m, &m->cpu.methods[i]);
  view_table(b, style, "Methods by CPU time (total: with what they call)", t, num - shown);
}
