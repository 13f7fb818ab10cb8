#include "tools/orca/model/names.h"
#include "tools/orca/render/cells.h"
#include "tools/orca/render/view/view.h"

static const struct column columns[] = {
    {"thread", ALIGN_LEFT, true, "thread"},    {"hash", ALIGN_LEFT, false, "hash"},
    {"lived", ALIGN_RIGHT, false, "lived_ns"}, {"CPU", ALIGN_RIGHT, false, "cpu_ns"},
    {"runs", ALIGN_RIGHT, false, NULL},        {"blocked", ALIGN_RIGHT, false, NULL},
    {"waits", ALIGN_RIGHT, false, NULL},       {"sleeps", ALIGN_RIGHT, false, NULL},
    {"I/O", ALIGN_RIGHT, false, NULL},         {"blocked", ALIGN_RIGHT, false, "blocked"},
    {"waited", ALIGN_RIGHT, false, "waited"},  {"slept", ALIGN_RIGHT, false, "slept"},
    {NULL, ALIGN_RIGHT, false, "runs_ns"},     {NULL, ALIGN_RIGHT, false, "blocked_ns"},
    {NULL, ALIGN_RIGHT, false, "waits_ns"},    {NULL, ALIGN_RIGHT, false, "sleeps_ns"},
    {NULL, ALIGN_RIGHT, false, "io_ns"}};

/* Shares of the time that samples cover. */
static void put_shares(struct table *t, const struct thread *thread) {
  ticks_t whole = 0;
  for (int i = 0; i < ACTIVITY_HIDDEN; i++) whole += thread->in_activity[i];
  for (int i = 0; i < ACTIVITY_HIDDEN; i++) cell_share(t, thread->in_activity[i], whole);
}

/* The pairs of all groups without an own column. */
static uint64_t count_waits(const struct thread *thread) {
  uint64_t num = 0;
  for (int group = 0; group < NUM_GROUPS; group++) num += thread->pairs[group];
  return num - thread->pairs[GROUP_MONITOR] - thread->pairs[GROUP_LOCK] -
         thread->pairs[GROUP_SLEEP];
}

static void put_thread(struct table *t, const struct model *m, const struct thread *thread) {
  names_thread(table_text(t), &m->threads, thread->hash);
  table_next(t);
  cell_hash(t, thread->hash);
  cell_ticks(t, thread->last - thread->first);
  cell_ns(t, thread->cpu_ns);
  put_shares(t, thread);
  cell_count(t, thread->pairs[GROUP_MONITOR] + thread->pairs[GROUP_LOCK]);
  cell_count(t, count_waits(thread));
  cell_count(t, thread->pairs[GROUP_SLEEP]);
  for (int i = 0; i < ACTIVITY_HIDDEN; i++) cell_ticks(t, thread->in_activity[i]);
}

void view_threads(struct page *p, const struct model *m, size_t top) {
  size_t num = m->threads.num, shown = num < top ? num : top;
  struct table *t = table_new(columns, sizeof columns / sizeof *columns);
  for (size_t i = 0; i < shown; i++) put_thread(t, m, &m->threads.rows[i]);
  page_table(p, "threads",
             "Threads: shares of their time by the samples, and how often by the events", t,
             num - shown);
}
