#include "tools/orca/model/names.h"
#include "tools/orca/render/cells.h"
#include "tools/orca/render/unit.h"
#include "tools/orca/render/view/view.h"

/* Text leaves out the last column if it is empty in all rows. */
static const struct column columns[] = {{"self", ALIGN_RIGHT, false, NULL},
                                        {"", ALIGN_RIGHT, false, "self_ns"},
                                        {"total", ALIGN_RIGHT, false, NULL},
                                        {"", ALIGN_RIGHT, false, "total_ns"},
                                        {"method", ALIGN_LEFT, true, "method"},
                                        {NULL, ALIGN_LEFT, false, "class"},
                                        {"hottest line", ALIGN_LEFT, true, "hottest_line"},
                                        {"main caller", ALIGN_LEFT, true, "main_caller"},
                                        {NULL, ALIGN_RIGHT, false, "native_ns"},
                                        {NULL, ALIGN_RIGHT, false, "jvm_ns"},
                                        {"of self", ALIGN_LEFT, false, NULL}};

#define LEAST_NOTED_PERCENT 10

static void put_time(struct table *t, uint64_t ns, uint64_t whole) {
  cell_share(t, ns, whole);
  cell_ns(t, ns);
}

static bool is_noted(const struct cpu_method *row, uint64_t ns) {
  return ns * 100 > row->self_ns * LEAST_NOTED_PERCENT;
}

static bool has_note(const struct cpu_method *row) {
  return is_noted(row, row->native_ns) || is_noted(row, row->jvm_ns);
}

void view_outside_java(struct builder *b, const struct cpu_method *row, const char *in_native,
                       const char *in_jvm) {
  const struct {
    uint64_t ns;
    const char *where;
  } parts[] = {{row->native_ns, in_native}, {row->jvm_ns, in_jvm}};
  size_t start = b->len;
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
    if (!is_noted(row, parts[i].ns)) continue;
    if (b->len > start) builder_string(b, ", ");
    unit_share(b, parts[i].ns, row->self_ns);
    builder_string(b, parts[i].where);
  }
}

static void put_method(struct table *t, const struct model *m, const struct cpu *c,
                       const struct cpu_method *row, bool with_notes) {
  const struct method_line *method = dump_method(m->dump, row->method);
  put_time(t, row->self_ns, c->total_ns);
  put_time(t, row->total_ns, c->total_ns);
  names_method(table_text(t), m->dump, row->method);
  table_next(t);
  if (method != NULL) names_class(table_text(t), m->dump, method->class_id);
  table_next(t);
  if (row->is_native) {
    builder_string(table_text(t), "(native method)");
  } else {
    names_source(table_text(t), m->dump, row->place);
  }
  table_next(t);
  if (row->called_from != 0) {
    names_method(table_text(t), m->dump, place_method(row->called_from));
  }
  table_next(t);
  cell_raw(t, row->native_ns);
  cell_raw(t, row->jvm_ns);
  if (!with_notes) return;
  view_outside_java(table_text(t), row, " native", " JVM");
  table_next(t);
}

static const char *find_foot(const struct model *m, enum profile_value value) {
  bool at_safepoints = value == PROFILE_CPU && !m->recording.by_signal;
  return at_safepoints ? "    sampled at safepoints: shares can be wrong for loops without calls\n"
                       : "";
}

static void put_methods(struct page *p, const struct model *m, const struct cpu *c, size_t top,
                        const char *key, const char *heading, const char *foot) {
  size_t num = c->num_methods, shown = num < top ? num : top;
  bool with_notes = false;
  for (size_t i = 0; i < shown; i++) with_notes |= has_note(&c->methods[i]);
  struct table *t = table_new(columns, sizeof columns / sizeof *columns - !with_notes);
  for (size_t i = 0; i < shown; i++) put_method(t, m, c, &c->methods[i], with_notes);
  page_table(p, key, heading, t, num - shown);
  if (page_is_text(p) && shown > 0) builder_string(&p->out, foot);
}

void view_hot(struct page *p, const struct model *m, size_t top) {
  put_methods(p, m, &m->cpu, top, "methods_by_cpu", "Methods by CPU time (total: with callees)",
              find_foot(m, PROFILE_CPU));
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

void view_hot_heading(struct builder *b, const char *what, enum profile_value value, ticks_t total,
                      const char *legend) {
  builder_string(b, what);
  builder_string(b, view_value_name(value));
  builder_string(b, ", ");
  unit_ticks(b, total);
  builder_string(b, " in all");
  builder_string(b, legend);
  builder_char(b, '\0');
}

void view_hot_methods(struct page *p, const struct model *m, enum profile_value value,
                      bool by_total, size_t top) {
  struct cpu ranking = {0};
  struct builder heading = {0};
  ticks_t total = profile_total(&m->profile, value).time;
  view_hot_heading(&heading, "Methods by ", value, total, " (total: with callees)");
  bool good = !heading.failed && cpu_of_profile(&ranking, &m->profile, value) &&
              cpu_rank(&ranking, &m->stacks, m->dump);
  if (good && by_total) cpu_sort_by_total(&ranking);
  if (good) put_methods(p, m, &ranking, top, "methods", heading.data, find_foot(m, value));
  p->out.failed |= !good;
  cpu_free(&ranking);
  builder_free(&heading);
}
