#include <stdlib.h>

#include "tools/orca/model/base/sorting.h"
#include "tools/orca/model/names.h"
#include "tools/orca/render/unit.h"
#include "tools/orca/render/view/view.h"

#define LEAST_NOTED_PERCENT 10

static bool is_noted(const struct cpu_method *row, uint64_t ns) {
  return ns * 100 > row->self_ns * LEAST_NOTED_PERCENT;
}

/* Appends the shares of a method's self time in native code and in the JVM. It leaves out shares of
   at most one tenth. */
static void put_outside_java(struct builder *b, const struct cpu_method *row, const char *in_native,
                             const char *in_jvm) {
  const struct {
    uint64_t ns;
    const char *where;
  } parts[] = {{row->native_ns, in_native}, {row->jvm_ns, in_jvm}};
  size_t start = b->len;
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
    if (!is_noted(row, parts[i].ns)) continue;
    builder_format(b, "%s%s%s", b->len > start ? ", " : "", UNIT_SHARE(parts[i].ns, row->self_ns),
                   parts[i].where);
  }
}

/* --- the table ------------------------------------------------------------------------ */

struct ranking {
  const struct model *model;
  const struct cpu *cpu;
};

static void put_share(const struct cell *c) {
  const struct ranking *ranking = c->context;
  cell_share(c->table, *(const uint64_t *)c->member, ranking->cpu->total_ns);
}

static void put_method(const struct cell *c) {
  const struct ranking *ranking = c->context;
  const struct cpu_method *row = c->row;
  names_method(c->text, ranking->model->dump, row->method);
}

static uint64_t count_classes(const struct cell *c) {
  const struct ranking *ranking = c->context;
  return dump_alike_classes(ranking->model->dump, ((const struct cpu_method *)c->row)->method);
}

/* "Query$Kernel.run (208 classes)" */
static void put_alike_methods(const struct cell *c) {
  uint64_t classes = count_classes(c);
  put_method(c);
  if (classes > 1) builder_format(c->text, " (%s classes)", UNIT_COUNT(classes));
}

static void put_classes(const struct cell *c) { table_number(c->table, count_classes(c)); }

static void put_class(const struct cell *c) {
  const struct dump *d = ((const struct ranking *)c->context)->model->dump;
  const struct method_line *method = dump_method(d, ((const struct cpu_method *)c->row)->method);
  if (method != NULL) names_class(c->text, d, method->class_id);
}

static void put_line(const struct cell *c) {
  const struct ranking *ranking = c->context;
  const struct cpu_method *row = c->row;
  if (row->is_native) {
    builder_string(c->text, "(native method)");
  } else {
    names_source(c->text, ranking->model->dump, row->place);
  }
}

static void put_caller(const struct cell *c) {
  const struct ranking *ranking = c->context;
  const struct cpu_method *row = c->row;
  if (row->called_from == 0) return;
  names_method(c->text, ranking->model->dump, place_method(row->called_from));
}

static void put_line_parts(const struct cell *c) {
  const struct ranking *ranking = c->context;
  const struct cpu_method *row = c->row;
  view_put_place_object(c, ranking->model->dump, row->place);
}

static void put_caller_parts(const struct cell *c) {
  const struct ranking *ranking = c->context;
  const struct cpu_method *row = c->row;
  view_put_place_object(c, ranking->model->dump, row->called_from);
}

static void put_native_share(const struct cell *c) {
  put_outside_java(c->text, c->row, " native", " JVM");
}

#define SHARE(member) \
  .align = ALIGN_RIGHT, .put = put_share, COLUMN_MEMBER(struct cpu_method, member, uint64_t)

/* Text leaves out the last column if it is empty in all rows. */
static const struct column columns[] = {
    {"self", SHARE(self_ns)},
    {"", .key = "self_ns", COLUMN_NS(struct cpu_method, self_ns)},
    {"total", SHARE(total_ns)},
    {"", .key = "total_ns", COLUMN_NS(struct cpu_method, total_ns)},
    {"method", .shrinks = true, .put = put_alike_methods},
    {.key = "method", .put = put_method},
    {.key = "class", .put = put_class},
    {"hottest line", .shrinks = true, .key = "hottest_line", .put = put_line},
    {"main caller", .shrinks = true, .key = "main_caller", .put = put_caller},
    {.key = "native_ns", COLUMN_RAW(struct cpu_method, native_ns)},
    {.key = "jvm_ns", COLUMN_RAW(struct cpu_method, jvm_ns)},
    {.key = "classes", .put = put_classes},
    {.key = "hottest_line_parts", .is_json = true, .put = put_line_parts},
    {.key = "main_caller_parts", .is_json = true, .put = put_caller_parts},
    {"of self", .put = put_native_share}};

static const char *find_foot(const struct model *m, enum profile_value value) {
  bool at_safepoints = value == PROFILE_CPU && !m->recording.by_signal;
  return at_safepoints ? "    sampled at safepoints: shares can be wrong for loops without calls\n"
                       : "";
}

static void put_methods(struct page *p, const struct model *m, const struct cpu *c, size_t top,
                        const char *key, const char *heading, const char *foot) {
  bool has_notes = false;
  for (size_t i = 0; i < c->num_methods && i < top; i++) {
    const struct cpu_method *row = &c->methods[i];
    has_notes |= is_noted(row, row->native_ns) || is_noted(row, row->jvm_ns);
  }
  struct table *t = table_new(columns, sizeof columns / sizeof *columns - !has_notes);
  size_t more =
      table_fill(t, &(struct ranking){m, c}, c->methods, sizeof *c->methods, c->num_methods, top);
  page_table(p, key, heading, t, more);
  if (page_is_text(p) && more < c->num_methods) builder_string(&p->out, foot);
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
  builder_format(b, "%s%s, %s in all%s%c", what, view_value_name(value), UNIT_TICKS(total), legend,
                 '\0');
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

/* --- threads --------------------------------------------------------------------------------- */

/* A thread and its method with the longest self time. Native code and JVM code that the method
   called are part of its self time. */
struct hot_thread {
  uint32_t thread, hottest;
  ticks_t time, hottest_time;
  ticks_t whole; /* of all threads */
};

static int compare_threads(const void *left, const void *right) {
  const struct hot_thread *a = left, *b = right;
  return a->time != b->time ? compare_numbers(b->time, a->time)
                            : compare_numbers(a->thread, b->thread);
}

/* Fills `tops`: for each thread, the methods on top of its stacks. */
static bool add_threads(struct tally *tops, const struct model *m, enum profile_value value) {
  for (size_t i = 0; i < m->profile.num; i++) {
    const struct profile_row *row = &m->profile.rows[i];
    ticks_t time = row->costs[value].time;
    if (time == 0) continue;
    size_t depth;
    const struct frame *frames = stacks_frames(&m->stacks, row->stack, &depth);
    if (depth > 1 && pseudo_is_leaf(frames[0].method)) frames++;
    uint32_t top = depth == 0 ? 0 : frames[0].method;
    if (!tally_add(tops, row->thread, top, 1, time)) return false;
  }
  tally_sort(tops);
  return true;
}

/* `rows` must have room for tops->num rows. Returns their number. */
static size_t gather_threads(const struct tally *tops, ticks_t whole, struct hot_thread *rows) {
  size_t num = 0;
  for (size_t i = 0; i < tops->num; i++) {
    const struct tally_row *top = &tops->rows[i];
    if (num == 0 || rows[num - 1].thread != top->group) {
      rows[num++] = (struct hot_thread){top->group, (uint32_t)top->key, 0, top->total, whole};
    }
    rows[num - 1].time += top->total;
  }
  if (num > 0) qsort(rows, num, sizeof *rows, compare_threads);
  return num;
}

static void put_thread_share(const struct cell *c) {
  const struct hot_thread *row = c->row;
  cell_share(c->table, row->time, row->whole);
}

static void put_hottest(const struct cell *c) {
  const struct model *m = c->context;
  const struct hot_thread *row = c->row;
  if (row->hottest != 0) names_method(c->text, m->dump, row->hottest);
}

static const struct column thread_columns[] = {
    {"time", ALIGN_RIGHT, .put = put_thread_share},
    {"", .key = "time_ns", COLUMN_TICKS(struct hot_thread, time)},
    {"thread", .shrinks = true, .key = "thread", COLUMN_THREAD(struct hot_thread, thread)},
    {"hash", .key = "hash", COLUMN_HASH(struct hot_thread, thread)},
    {"most in", .shrinks = true, .key = "hottest_method", .put = put_hottest},
    {"", .key = "hottest_ns", COLUMN_TICKS(struct hot_thread, hottest_time)}};

void view_hot_threads(struct page *p, const struct model *m, enum profile_value value, size_t top) {
  ticks_t whole = profile_total(&m->profile, value).time;
  struct tally tops = {0};
  struct builder heading = {0};
  view_hot_heading(&heading, "Threads by ", value, whole, "");
  bool ok = add_threads(&tops, m, value) && !heading.failed;
  struct hot_thread *rows = ok ? calloc(tops.num + 1, sizeof *rows) : NULL;
  if (rows != NULL) {
    struct table *t = TABLE_NEW(thread_columns);
    size_t num = gather_threads(&tops, whole, rows);
    page_table(p, "threads", heading.data, t, table_fill(t, m, rows, sizeof *rows, num, top));
  }
  p->out.failed |= rows == NULL;
  free(rows);
  builder_free(&heading);
  tally_free(&tops);
}
