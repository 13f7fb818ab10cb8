#include "tools/model/names.h"
#include "tools/render/cells.h"
#include "tools/render/unit.h"
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

static void put_method(struct table *t, const struct model *m, const struct cpu *c,
                       const struct cpu_method *row) {
  const struct method_line *method = dump_method(m->dump, row->method);
  put_time(t, row->self_ns, c->total_ns);
  put_time(t, row->total_ns, c->total_ns);
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

static void put_methods(struct page *p, const struct model *m, const struct cpu *c, size_t top,
                        const char *key, const char *heading) {
  size_t num = num_hot(c), shown = num < top ? num : top;
  struct table *t = table_new(columns, sizeof columns / sizeof *columns);
  for (size_t i = 0; i < shown; i++) put_method(t, m, c, &c->methods[i]);
  page_table(p, key, heading, t, num - shown);
}

void view_hot(struct page *p, const struct model *m, size_t top) {
  put_methods(p, m, &m->cpu, top, "methods_by_cpu",
              "Methods by CPU time (total: with what they call)");
}

const char *view_value_name(enum profile_value value) {
  static const char *const names[NUM_PROFILE_VALUES] = {
      [PROFILE_CPU] = "CPU time",
      [PROFILE_WALL] = "time of the clock, by the samples",
      [PROFILE_BLOCKED] = "time until they had a lock",
      [PROFILE_WAITS] = "time in waits, sleeps, joins, parks",
  };
  return names[value];
}

/* "Methods by CPU time, 5.56 s in all (…)", ended by a NUL. */
void view_hot_heading(struct builder *b, const char *what, enum profile_value value, ticks_t total,
                      const char *behind) {
  builder_string(b, what);
  builder_string(b, view_value_name(value));
  builder_string(b, ", ");
  unit_ticks(b, total);
  builder_string(b, " in all");
  builder_string(b, behind);
  builder_char(b, '\0');
}

void view_hot_methods(struct page *p, const struct model *m, enum profile_value value, size_t top) {
  struct cpu ranking = {0};
  struct builder heading = {0};
  ticks_t total = profile_total(&m->profile, value).time;
  view_hot_heading(&heading, "Methods by ", value, total, " (total: with what they call)");
  bool good = !heading.failed && cpu_of_profile(&ranking, &m->profile, value) &&
              cpu_rank(&ranking, &m->stacks, m->dump);
  if (good) put_methods(p, m, &ranking, top, "methods", heading.data);
  p->out.failed |= !good;
  cpu_free(&ranking);
  builder_free(&heading);
}
