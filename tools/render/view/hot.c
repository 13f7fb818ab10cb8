#include "tools/model/names.h"
#include "tools/render/cells.h"
#include "tools/render/view/view.h"

static const struct column columns[] = {{"self", ALIGN_RIGHT, false, NULL},
                                        {"", ALIGN_RIGHT, false, "self_ns"},
                                        {"total", ALIGN_RIGHT, false, NULL},
                                        {"", ALIGN_RIGHT, false, "total_ns"},
                                        {"method", ALIGN_LEFT, true, "method"},
                                        {NULL, ALIGN_LEFT, false, "class"},
                                        {"hottest line", ALIGN_LEFT, true, "hottest_line"},
                                        {"main caller", ALIGN_LEFT, true, "main_caller"}};

static void put_time(struct table *t, uint64_t ns, uint64_t whole) {
  cell_share(t, ns, whole);
  cell_ns(t, ns);
}

static void put_method(struct table *t, const struct model *m, const struct cpu_method *row) {
  const struct method_line *method = dump_method(m->dump, row->method);
  put_time(t, row->self_ns, m->cpu.total_ns);
  put_time(t, row->total_ns, m->cpu.total_ns);
  names_method(table_text(t), m->dump, row->method);
  table_next(t);
  if (method != NULL) names_class(table_text(t), m->dump, method->class_id);
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

void view_hot(struct page *p, const struct model *m, size_t top) {
  size_t num = num_hot(&m->cpu), shown = num < top ? num : top;
  struct table *t = table_new(columns, sizeof columns / sizeof *columns);
  for (size_t i = 0; i < shown; i++) put_method(t, m, &m->cpu.methods[i]);
  page_table(p, "methods_by_cpu", "Methods by CPU time (total: with what they call)", t,
             num - shown);
}
