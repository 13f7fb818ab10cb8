#include <stdlib.h>

#include "tools/orca/model/base/sorting.h"
#include "tools/orca/model/names.h"
#include "tools/orca/render/cells.h"
#include "tools/orca/render/view/view.h"

static const struct column columns[] = {{"time", ALIGN_RIGHT, false, NULL},
                                        {"", ALIGN_RIGHT, false, "time_ns"},
                                        {"thread", ALIGN_LEFT, true, "thread"},
                                        {"hash", ALIGN_LEFT, false, "hash"},
                                        {"most in", ALIGN_LEFT, true, "hottest_method"},
                                        {"", ALIGN_RIGHT, false, "hottest_ns"}};

/* A thread and its method with the longest self time. Native code and JVM code that the method
   called are part of its self time. */
struct hot_thread {
  uint32_t thread;
  ticks_t time, hottest_time;
  uint32_t hottest;
};

static int compare_times(const void *left, const void *right) {
  const struct hot_thread *a = left, *b = right;
  return a->time != b->time ? compare_numbers(b->time, a->time)
                            : compare_numbers(a->thread, b->thread);
}

static bool add_row(struct tally *tops, const struct model *m, const struct profile_row *row,
                    ticks_t time) {
  size_t depth;
  const struct frame *frames = stacks_frames(&m->stacks, row->stack, &depth);
  if (depth > 1 && pseudo_is_leaf(frames[0].method)) frames++;
  return time == 0 || tally_add(tops, row->thread, depth == 0 ? 0 : frames[0].method, 1, time);
}

/* Fills `tops`: for each thread, the methods on top of its stacks. */
static bool add_rows(struct tally *tops, const struct model *m, enum profile_value value) {
  for (size_t i = 0; i < m->profile.num; i++) {
    const struct profile_row *row = &m->profile.rows[i];
    if (!add_row(tops, m, row, row->costs[value].time)) return false;
  }
  tally_sort(tops);
  return true;
}

/* `rows` must have room for tops->num rows. Returns their number. */
static size_t gather_threads(const struct tally *tops, struct hot_thread *rows) {
  size_t num = 0;
  for (size_t i = 0; i < tops->num; i++) {
    const struct tally_row *top = &tops->rows[i];
    if (num == 0 || rows[num - 1].thread != top->group) {
      rows[num++] = (struct hot_thread){top->group, 0, top->total, (uint32_t)top->key};
    }
    rows[num - 1].time += top->total;
  }
  if (num > 0) qsort(rows, num, sizeof *rows, compare_times);
  return num;
}

static void put_row(struct table *t, const struct model *m, const struct hot_thread *row,
                    ticks_t whole) {
  cell_share(t, row->time, whole);
  cell_ticks(t, row->time);
  names_thread(table_text(t), &m->threads, row->thread);
  table_next(t);
  cell_hash(t, row->thread);
  if (row->hottest != 0) names_method(table_text(t), m->dump, row->hottest);
  table_next(t);
  cell_ticks(t, row->hottest_time);
}

static void put_rows(struct page *p, const struct model *m, struct hot_thread *rows, size_t num,
                     enum profile_value value, size_t top) {
  ticks_t whole = profile_total(&m->profile, value).time;
  struct table *t = table_new(columns, sizeof columns / sizeof *columns);
  struct builder heading = {0};
  size_t shown = num < top ? num : top;
  for (size_t i = 0; i < shown; i++) put_row(t, m, &rows[i], whole);
  view_hot_heading(&heading, "Threads by ", value, whole, "");
  page_table(p, "threads", heading.failed ? "" : heading.data, t, num - shown);
  builder_free(&heading);
}

void view_hot_threads(struct page *p, const struct model *m, enum profile_value value, size_t top) {
  struct tally tops = {0};
  bool good = add_rows(&tops, m, value);
  struct hot_thread *rows = good ? calloc(tops.num + 1, sizeof *rows) : NULL;
  if (rows != NULL) put_rows(p, m, rows, gather_threads(&tops, rows), value, top);
  p->out.failed |= rows == NULL;
  free(rows);
  tally_free(&tops);
}
