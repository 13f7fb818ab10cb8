#include "tools/orca/render/view/view.h"

/* The share of an activity in the time that samples cover. */
static void put_share(const struct cell *c) {
  const struct thread *thread = c->row;
  ticks_t whole = 0;
  for (int i = 0; i < ACTIVITY_HIDDEN; i++) whole += thread->in_activity[i];
  cell_share(c->table, *(const ticks_t *)c->member, whole);
}

static void put_blocked(const struct cell *c) {
  const struct thread *thread = c->row;
  cell_count(c->table, thread->pairs[GROUP_MONITOR] + thread->pairs[GROUP_LOCK]);
}

/* The pairs of all groups without an own column. */
static void put_waits(const struct cell *c) {
  const struct thread *thread = c->row;
  uint64_t num = 0;
  for (int group = 0; group < NUM_GROUPS; group++) num += thread->pairs[group];
  cell_count(c->table, num - thread->pairs[GROUP_MONITOR] - thread->pairs[GROUP_LOCK] -
                           thread->pairs[GROUP_SLEEP]);
}

static void put_lived(const struct cell *c) {
  const struct thread *thread = c->row;
  cell_ticks(c->table, thread->last - thread->first);
}

#define SHARE(activity)                   \
  .align = ALIGN_RIGHT, .put = put_share, \
  COLUMN_MEMBER(struct thread, in_activity[ACTIVITY_##activity], ticks_t)
#define TIME(activity) COLUMN_TICKS(struct thread, in_activity[ACTIVITY_##activity])

static const struct column columns[] = {
    {"thread", .shrinks = true, .key = "thread", COLUMN_THREAD(struct thread, hash)},
    {"hash", .key = "hash", COLUMN_HASH(struct thread, hash)},
    {"lived", ALIGN_RIGHT, .key = "lived_ns", .put = put_lived},
    {"CPU", .key = "cpu_ns", COLUMN_NS(struct thread, cpu_ns)},
    {"runs", SHARE(RUNS)},
    {"blocked", SHARE(BLOCKED)},
    {"waits", SHARE(WAITS)},
    {"sleeps", SHARE(SLEEPS)},
    {"I/O", SHARE(IO)},
    {"blocked", ALIGN_RIGHT, .key = "blocked", .put = put_blocked},
    {"waited", ALIGN_RIGHT, .key = "waited", .put = put_waits},
    {"slept", .key = "slept", COLUMN_COUNT(struct thread, pairs[GROUP_SLEEP])},
    {.key = "runs_ns", TIME(RUNS)},
    {.key = "blocked_ns", TIME(BLOCKED)},
    {.key = "waits_ns", TIME(WAITS)},
    {.key = "sleeps_ns", TIME(SLEEPS)},
    {.key = "io_ns", TIME(IO)}};

void view_threads(struct page *p, const struct model *m, size_t top) {
  const struct threads *threads = &m->threads;
  struct table *t = TABLE_NEW(columns);
  size_t more = table_fill(t, m, threads->rows, sizeof *threads->rows, threads->num, top);
  page_table(p, "threads",
             "Threads: shares of their time by the samples, and how often by the events", t, more);
}
