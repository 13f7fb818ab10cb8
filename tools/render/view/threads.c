#include "tools/model/names.h"
#include "tools/render/unit.h"
#include "tools/render/view/view.h"

static const struct column columns[] = {
    {"thread", ALIGN_LEFT, true},   {"hash", ALIGN_LEFT, false},
    {"lived", ALIGN_RIGHT, false},  {"CPU", ALIGN_RIGHT, false},
    {"runs", ALIGN_RIGHT, false},   {"blocked", ALIGN_RIGHT, false},
    {"waits", ALIGN_RIGHT, false},  {"sleeps", ALIGN_RIGHT, false},
    {"I/O", ALIGN_RIGHT, false},    {"blocked", ALIGN_RIGHT, false},
    {"waited", ALIGN_RIGHT, false}, {"slept", ALIGN_RIGHT, false}};

/* Shares of the time in which it was seen. */
static void put_activities(struct table *t, const struct thread *thread) {
  ticks_t whole = 0;
  for (int i = 0; i < ACTIVITY_HIDDEN; i++) whole += thread->in_activity[i];
  for (int i = 0; i < ACTIVITY_HIDDEN; i++) {
    unit_share(table_text(t), thread->in_activity[i], whole);
    table_next(t);
  }
}

static void put_count(struct table *t, uint64_t n) {
  unit_count(table_text(t), n);
  table_next(t);
}

/* Of all groups that have no column of their own. */
static uint64_t num_waits(const struct thread *thread) {
  uint64_t num = 0;
  for (int group = 0; group < NUM_GROUPS; group++) num += thread->pairs[group];
  return num - thread->pairs[GROUP_MONITOR] - thread->pairs[GROUP_LOCK] -
         thread->pairs[GROUP_SLEEP];
}

static void put_thread(struct table *t, const struct model *m, const struct thread *thread) {
  names_thread(table_text(t), &m->threads, thread->hash);
  table_next(t);
  text_hash(table_text(t), thread->hash);
  table_next(t);
  unit_ticks(table_text(t), thread->last - thread->first);
  table_next(t);
  unit_time(table_text(t), thread->cpu_ns);
  table_next(t);
  put_activities(t, thread);
  put_count(t, thread->pairs[GROUP_MONITOR] + thread->pairs[GROUP_LOCK]);
  put_count(t, num_waits(thread));
  put_count(t, thread->pairs[GROUP_SLEEP]);
}

void view_threads(struct builder *b, const struct model *m, const struct style *style, size_t top) {
  size_t num = m->threads.num, shown = num < top ? num : top;
  if (num == 0) return;
  struct table *t = table_new(columns, sizeof columns / sizeof *columns);
  for (size_t i = 0; i < shown; i++) put_thread(t, m, &m->threads.rows[i]);
  view_table(b, style, "Threads: shares of their time by the samples, and how often by the events",
             t, num - shown);
}
