#include "tools/orca/model/names.h"
#include "tools/orca/render/cells.h"
#include "tools/orca/render/view/threads.h"

static const struct column columns[] = {{"thread", ALIGN_LEFT, true, "thread"},
                                        {NULL, ALIGN_LEFT, false, "hash"},
                                        {"lived", ALIGN_RIGHT, false, "lived_ns"},
                                        {NULL, ALIGN_RIGHT, false, "first_ns"},
                                        {NULL, ALIGN_RIGHT, false, "last_ns"},
                                        {"on CPU", ALIGN_RIGHT, false, "cpu_ns"},
                                        {"waiting for CPU", ALIGN_RIGHT, false, NULL},
                                        {"runs", ALIGN_RIGHT, false, NULL},
                                        {"blocked", ALIGN_RIGHT, false, NULL},
                                        {"waits", ALIGN_RIGHT, false, NULL},
                                        {"parked", ALIGN_RIGHT, false, NULL},
                                        {"sleeps", ALIGN_RIGHT, false, NULL},
                                        {"I/O", ALIGN_RIGHT, false, NULL},
                                        {NULL, ALIGN_RIGHT, false, "running_ns"},
                                        {NULL, ALIGN_RIGHT, false, "runnable_ns"},
                                        {NULL, ALIGN_RIGHT, false, "blocked_ns"},
                                        {NULL, ALIGN_RIGHT, false, "waiting_ns"},
                                        {NULL, ALIGN_RIGHT, false, "parked_ns"},
                                        {NULL, ALIGN_RIGHT, false, "sleeping_ns"},
                                        {NULL, ALIGN_RIGHT, false, "io_ns"},
                                        {NULL, ALIGN_RIGHT, false, "hidden_ns"},
                                        {NULL, ALIGN_RIGHT, false, "blocked_count"},
                                        {NULL, ALIGN_RIGHT, false, "waited_count"},
                                        {NULL, ALIGN_RIGHT, false, "slept_count"},
                                        {NULL, ALIGN_RIGHT, false, "notified_count"},
                                        {NULL, ALIGN_RIGHT, false, "cpu_wait_ns"}};

static const struct column call_columns[] = {
    {"thread", ALIGN_LEFT, true, NULL}, {"blocked", ALIGN_RIGHT, false, NULL},
    {"for", ALIGN_RIGHT, false, NULL},  {"waited", ALIGN_RIGHT, false, NULL},
    {"for", ALIGN_RIGHT, false, NULL},  {"slept", ALIGN_RIGHT, false, NULL},
    {"for", ALIGN_RIGHT, false, NULL},  {"notified", ALIGN_RIGHT, false, NULL}};

/* The calls of a thread in which it is in some state: their number and their time. */
struct spells {
  uint64_t count;
  ticks_t time;
};

/* `state`: BLOCKED, SLEEPS or WAITS. Parks count as WAITS. */
static struct spells sum_spells(const struct thread *thread, enum timeline_state state) {
  struct spells sum = {0, 0};
  for (int group = 0; group < NUM_GROUPS; group++) {
    enum timeline_state of_group = timeline_state_of_group((enum event_group)group);
    if (of_group == TIMELINE_PARKED) of_group = TIMELINE_WAITS;
    if (of_group != state) continue;
    sum.count += thread->pairs[group];
    sum.time += thread->pairs_time[group];
  }
  return sum;
}

static void put_name(struct table *t, const struct model *m, uint32_t thread) {
  names_thread(table_text(t), &m->threads, thread);
  table_next(t);
}

static void put_shares(struct table *t, const ticks_t *times) {
  ticks_t whole = 0;
  for (int state = 0; state < NUM_TIMELINE_STATES; state++) whole += times[state];
  cell_share(t, times[TIMELINE_RUNS] + times[TIMELINE_RUNNABLE], whole);
  cell_share(t, times[TIMELINE_BLOCKED], whole);
  cell_share(t, times[TIMELINE_WAITS], whole);
  cell_share(t, times[TIMELINE_PARKED], whole);
  cell_share(t, times[TIMELINE_SLEEPS], whole);
  cell_share(t, times[TIMELINE_IO], whole);
}

static ticks_t subtract_start(const struct model *m, ticks_t time) {
  return time > m->recording.start ? time - m->recording.start : 0;
}

/* The time that the thread waited for a CPU. */
static void put_cpu_wait(struct table *t, const struct model *m, uint32_t thread) {
  uint64_t ns;
  if (process_wait(&m->process, thread, &ns)) {
    cell_ns(t, ns);
  } else {
    cell_unknown(t);
  }
}

static void put_thread(struct table *t, const struct model *m, const struct timeline_row *row) {
  const struct thread *thread = threads_find(&m->threads, row->thread);
  put_name(t, m, row->thread);
  cell_hash(t, row->thread);
  cell_ticks(t, thread->last - thread->first);
  cell_ticks(t, subtract_start(m, thread->first));
  cell_ticks(t, subtract_start(m, thread->last));
  cell_ns(t, thread->cpu_ns);
  put_cpu_wait(t, m, row->thread);
  put_shares(t, row->sum.times);
  for (int state = 0; state < NUM_TIMELINE_STATES; state++) cell_ticks(t, row->sum.times[state]);
  cell_raw(t, sum_spells(thread, TIMELINE_BLOCKED).count);
  cell_raw(t, sum_spells(thread, TIMELINE_WAITS).count);
  cell_raw(t, sum_spells(thread, TIMELINE_SLEEPS).count);
  cell_raw(t, thread->signals);
  put_cpu_wait(t, m, row->thread);
}

static void put_spells(struct table *t, struct spells spells) {
  cell_count(t, spells.count);
  cell_ticks(t, spells.time);
}

static void put_calls(struct table *t, const struct model *m, const struct timeline_row *row) {
  const struct thread *thread = threads_find(&m->threads, row->thread);
  put_name(t, m, row->thread);
  put_spells(t, sum_spells(thread, TIMELINE_BLOCKED));
  put_spells(t, sum_spells(thread, TIMELINE_WAITS));
  put_spells(t, sum_spells(thread, TIMELINE_SLEEPS));
  cell_count(t, thread->signals);
}

void view_thread_states(struct page *p, const struct model *m, const struct timeline *t) {
  struct table *states = table_new(columns, sizeof columns / sizeof *columns);
  struct table *calls = table_new(call_columns, sizeof call_columns / sizeof *call_columns);
  for (size_t i = 0; i < t->num; i++) {
    put_thread(states, m, &t->rows[i]);
    put_calls(calls, m, &t->rows[i]);
  }
  page_table(p, "threads", "Threads: shares of the time that they lived", states, t->left_out);
  if (page_is_text(p)) {
    page_table(
        p, "calls",
        "How often and how long, by the events (notified: calls of notify, signal and similar)",
        calls, t->left_out);
  } else {
    table_free(calls);
  }
}
