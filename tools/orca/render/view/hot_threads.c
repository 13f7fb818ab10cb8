#include <stdlib.h>

#include "tools/orca/model/base/sorting.h"
#include "tools/orca/model/names.h"
#include "tools/orca/render/view/view.h"

/* A thread and its method with the longest self time. Native code and JVM code that the method
   called are part of its self time. */
struct hot_thread {
  uint32_t thread, hottest;
  ticks_t time, hottest_time;
  ticks_t whole; /* of all threads */
};

static int compare_times(const void *left, const void *right) {
  const struct hot_thread *a = left, *b = right;
  return a->time != b->time ? compare_numbers(b->time, a->time)
                            : compare_numbers(a->thread, b->thread);
}

/* Fills `tops`: for each thread, the methods on top of its stacks. */
static bool add_rows(struct tally *tops, const struct model *m, enum profile_value value) {
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
  if (num > 0) qsort(rows, num, sizeof *rows, compare_times);
  return num;
}

static void put_share(const struct cell *c) {
  const struct hot_thread *row = c->row;
  cell_share(c->table, row->time, row->whole);
}

static void put_hottest(const struct cell *c) {
  const struct model *m = c->context;
  const struct hot_thread *row = c->row;
  if (row->hottest != 0) names_method(c->text, m->dump, row->hottest);
}

static const struct column columns[] = {
    {"time", ALIGN_RIGHT, .put = put_share},
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
  bool ok = add_rows(&tops, m, value) && !heading.failed;
  struct hot_thread *rows = ok ? calloc(tops.num + 1, sizeof *rows) : NULL;
  if (rows != NULL) {
    struct table *t = TABLE_NEW(columns);
    size_t num = gather_threads(&tops, whole, rows);
    page_table(p, "threads", heading.data, t, table_fill(t, m, rows, sizeof *rows, num, top));
  }
  p->out.failed |= rows == NULL;
  free(rows);
  builder_free(&heading);
  tally_free(&tops);
}
