#include "tools/orca/render/view/threads.h"

/* The share of a state in the time that the thread lived. */
static void put_share_of_life(const struct cell *c, ticks_t time) {
  const struct thread *thread = c->row;
  ticks_t whole = 0;
  for (int i = 0; i < NUM_ACTIVITIES; i++) whole += thread->in_activity[i];
  cell_share(c->table, time, whole);
}

static void put_share(const struct cell *c) { put_share_of_life(c, *(const ticks_t *)c->member); }

static ticks_t sum_running(const struct thread *thread) {
  return thread->in_activity[ACTIVITY_RUNS] + thread->in_activity[ACTIVITY_RUNNABLE];
}

static void put_running_share(const struct cell *c) { put_share_of_life(c, sum_running(c->row)); }

static void put_running(const struct cell *c) { cell_ticks(c->table, sum_running(c->row)); }

static void put_blocked(const struct cell *c) {
  cell_count(c->table, view_sum_spells(c->row, ACTIVITY_BLOCKED).count);
}

static void put_waited(const struct cell *c) {
  cell_count(c->table, view_sum_spells(c->row, ACTIVITY_WAITS).count);
}

static void put_slept(const struct cell *c) {
  cell_count(c->table, view_sum_spells(c->row, ACTIVITY_SLEEPS).count);
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
    {.key = "hash", COLUMN_HASH(struct thread, hash)},
    {"lived", ALIGN_RIGHT, .key = "lived_ns", .put = put_lived},
    {"CPU", .key = "cpu_ns", COLUMN_NS(struct thread, cpu_ns)},
    {"runs", ALIGN_RIGHT, .put = put_running_share},
    {"blocked", SHARE(BLOCKED)},
    {"waits", SHARE(WAITS)},
    {"parked", SHARE(PARKED)},
    {"sleeps", SHARE(SLEEPS)},
    {"I/O", SHARE(IO)},
    {"no call", SHARE(NO_CALL)},
    {"blocked", ALIGN_RIGHT, .key = "blocked", .put = put_blocked},
    {"waited", ALIGN_RIGHT, .key = "waited", .put = put_waited},
    {.align = ALIGN_RIGHT, .key = "slept", .put = put_slept},
    {.key = "runs_ns", .align = ALIGN_RIGHT, .put = put_running},
    {.key = "blocked_ns", TIME(BLOCKED)},
    {.key = "waits_ns", TIME(WAITS)},
    {.key = "sleeps_ns", TIME(SLEEPS)},
    {.key = "io_ns", TIME(IO)},
    {.key = "parked_ns", TIME(PARKED)},
    {.key = "no_call_ns", TIME(NO_CALL)},
    {.key = "hidden_ns", TIME(HIDDEN)}};

void view_threads(struct page *p, const struct model *m, size_t top) {
  const struct threads *threads = &m->threads;
  struct table *t = TABLE_NEW(columns);
  size_t more = table_fill(t, m, threads->rows, sizeof *threads->rows, threads->num, top);
  page_table(p, "threads",
             "Threads: shares of the time that they lived, and how often by the events", t, more);
}
