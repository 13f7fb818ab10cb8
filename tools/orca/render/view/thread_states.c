#include "tools/orca/model/names.h"
#include "tools/orca/render/view/threads.h"

struct view_spells view_sum_spells(const struct thread *thread, enum activity activity) {
  struct view_spells sum = {0, 0};
  for (int group = 0; group < NUM_GROUPS; group++) {
    enum activity of_group = activity_of_group((enum event_group)group);
    if (of_group == ACTIVITY_PARKED) of_group = ACTIVITY_WAITS;
    if (of_group != activity) continue;
    sum.count += thread->pairs[group];
    sum.time += thread->pairs_time[group];
  }
  return sum;
}

#define WRONG_PERCENT 5        /* of the life of a thread */
#define WRONG_LIFE TICKS_PER_S /* at least: its CPU time is read from time to time */

/* In pauses, and while the container throttles the process, a thread that runs uses no CPU. Only a
   sum that is wrong by half is corrected: a thread that runs may also wait inside of the JVM, as
   for memory, and use the CPU inside of its calls. */
struct view_shares view_share_life(const struct model *m, const struct thread *thread) {
  const ticks_t *times = thread->in_activity;
  struct view_shares s = {.runs = times[ACTIVITY_RUNS] + times[ACTIVITY_RUNNABLE],
                          .io = times[ACTIVITY_IO],
                          .no_call = times[ACTIVITY_NO_CALL]};
  uint64_t waited = 0, stopped = m->process.pause_ns + m->process.throttled_ns;
  bool is_known = process_wait(&m->process, thread->hash, &waited) && thread->cpu_ns > 0 &&
                  !has_carrier(m->dump, thread->hash);
  ticks_t lived = thread->last - thread->first, much = lived / 100 * WRONG_PERCENT;
  if (!is_known || lived < WRONG_LIFE) return s;
  ticks_t used = (thread->cpu_ns + waited) * TICKS_PER_NS, most = used + stopped * TICKS_PER_NS;
  if (s.runs > 2 * most && s.runs - most > much) {
    s.no_call += s.runs - most;
    s.runs = most;
  } else if (used > 2 * s.runs) {
    ticks_t missing = used - s.runs, of_no_call = missing < s.no_call ? missing : s.no_call;
    ticks_t of_io = missing - of_no_call < s.io ? missing - of_no_call : s.io;
    if (of_no_call + of_io <= much) return s;
    s.runs += of_no_call + of_io;
    s.no_call -= of_no_call;
    s.io -= of_io;
  }
  return s;
}

/* A row of both tables. */
struct state_row {
  uint32_t thread;
  uint64_t folded;            /* the row is the sum of so many threads of the JVM; 0: a thread */
  ticks_t lived, first, last; /* first and last: since the start of the recording */
  uint64_t cpu_ns, cpu_wait_ns;
  bool is_cpu_wait_known;
  ticks_t times[NUM_ACTIVITIES];
  struct view_shares shares;
  ticks_t whole; /* sum of the times */
  struct view_spells blocked, waited, slept;
  uint64_t signals;
};

static ticks_t subtract_start(const struct model *m, ticks_t time) {
  return time > m->recording.start ? time - m->recording.start : 0;
}

static struct state_row make_row(const struct model *m, const struct timeline_row *line) {
  const struct thread *thread = threads_find(&m->threads, line->thread);
  const ticks_t *times = thread->in_activity;
  struct state_row row = {.thread = line->thread,
                          .lived = thread->last - thread->first,
                          .first = subtract_start(m, thread->first),
                          .last = subtract_start(m, thread->last),
                          .cpu_ns = thread->cpu_ns,
                          .shares = view_share_life(m, thread),
                          .blocked = view_sum_spells(thread, ACTIVITY_BLOCKED),
                          .waited = view_sum_spells(thread, ACTIVITY_WAITS),
                          .slept = view_sum_spells(thread, ACTIVITY_SLEEPS),
                          .signals = thread->signals};
  row.is_cpu_wait_known = process_wait(&m->process, line->thread, &row.cpu_wait_ns);
  for (int activity = 0; activity < NUM_ACTIVITIES; activity++) {
    row.times[activity] = times[activity];
    row.whole += times[activity];
  }
  return row;
}

static void add_spells(struct view_spells *sum, struct view_spells more) {
  sum->count += more.count;
  sum->time += more.time;
}

/* `lived` becomes that of the thread that lived longest. */
static void fold_row(struct state_row *sum, const struct state_row *row) {
  sum->folded++;
  if (row->lived > sum->lived) sum->lived = row->lived;
  sum->cpu_ns += row->cpu_ns;
  sum->cpu_wait_ns += row->cpu_wait_ns;
  sum->is_cpu_wait_known |= row->is_cpu_wait_known;
  for (int state = 0; state < NUM_ACTIVITIES; state++) sum->times[state] += row->times[state];
  sum->shares.runs += row->shares.runs;
  sum->shares.io += row->shares.io;
  sum->shares.no_call += row->shares.no_call;
  sum->whole += row->whole;
  add_spells(&sum->blocked, row->blocked);
  add_spells(&sum->waited, row->waited);
  add_spells(&sum->slept, row->slept);
  sum->signals += row->signals;
}

static void put_thread(const struct cell *c) {
  const struct state_row *row = c->row;
  const struct model *m = c->context;
  if (row->folded > 0) {
    view_folded_name(c->text, row->folded);
  } else {
    names_thread(c->text, &m->threads, row->thread);
  }
}

static void put_share(const struct cell *c) {
  const struct state_row *row = c->row;
  cell_share(c->table, *(const ticks_t *)c->member, row->whole);
}

static void put_cpu_wait(const struct cell *c) {
  const struct state_row *row = c->row;
  cell_ns_if(c->table, row->is_cpu_wait_known, row->cpu_wait_ns);
}

#define SHARE(member) \
  .align = ALIGN_RIGHT, .put = put_share, COLUMN_MEMBER(struct state_row, member, ticks_t)
#define TIME(state) COLUMN_TICKS(struct state_row, times[ACTIVITY_##state])

static const struct column columns[] = {
    {"thread", .shrinks = true, .key = "thread", .put = put_thread},
    {.key = "hash", COLUMN_HASH(struct state_row, thread)},
    {"lived", .key = "lived_ns", COLUMN_TICKS(struct state_row, lived)},
    {.key = "first_ns", COLUMN_TICKS(struct state_row, first)},
    {.key = "last_ns", COLUMN_TICKS(struct state_row, last)},
    {"on CPU", .key = "cpu_ns", COLUMN_NS(struct state_row, cpu_ns)},
    {"CPU wait", ALIGN_RIGHT, .put = put_cpu_wait},
    {"runs", SHARE(shares.runs)},
    {"blocked", SHARE(times[ACTIVITY_BLOCKED])},
    {"waits", SHARE(times[ACTIVITY_WAITS])},
    {"parked", SHARE(times[ACTIVITY_PARKED])},
    {"sleeps", SHARE(times[ACTIVITY_SLEEPS])},
    {"I/O", SHARE(shares.io)},
    {"no call", SHARE(shares.no_call)},
    {.key = "running_ns", TIME(RUNS)},
    {.key = "runnable_ns", TIME(RUNNABLE)},
    {.key = "blocked_ns", TIME(BLOCKED)},
    {.key = "waiting_ns", TIME(WAITS)},
    {.key = "parked_ns", TIME(PARKED)},
    {.key = "sleeping_ns", TIME(SLEEPS)},
    {.key = "io_ns", TIME(IO)},
    {.key = "hidden_ns", TIME(HIDDEN)},
    {.key = "no_call_ns", TIME(NO_CALL)},
    {.key = "blocked_count", COLUMN_RAW(struct state_row, blocked.count)},
    {.key = "waited_count", COLUMN_RAW(struct state_row, waited.count)},
    {.key = "slept_count", COLUMN_RAW(struct state_row, slept.count)},
    {.key = "notified_count", COLUMN_RAW(struct state_row, signals)},
    {.key = "cpu_wait_ns", .align = ALIGN_RIGHT, .put = put_cpu_wait}};

static const struct column call_columns[] = {
    {"thread", .shrinks = true, .put = put_thread},
    {"blocked", COLUMN_COUNT(struct state_row, blocked.count)},
    {"for", COLUMN_TICKS(struct state_row, blocked.time)},
    {"waited", COLUMN_COUNT(struct state_row, waited.count)},
    {"for", COLUMN_TICKS(struct state_row, waited.time)},
    {"slept", COLUMN_COUNT(struct state_row, slept.count)},
    {"for", COLUMN_TICKS(struct state_row, slept.time)},
    {"notified", COLUMN_COUNT(struct state_row, signals)}};

void view_thread_states(struct page *p, const struct model *m, const struct timeline *t, bool all) {
  struct table *states = TABLE_NEW(columns), *calls = TABLE_NEW(call_columns);
  struct state_row folded = {0};
  for (size_t i = 0; i < t->num; i++) {
    struct state_row row = make_row(m, &t->rows[i]);
    bool folds = page_is_text(p) && !all && view_folds_thread(m, t->rows[i].thread);
    if (folds) fold_row(&folded, &row);
    if (folds) continue;
    table_add(states, m, &row);
    table_add(calls, m, &row);
  }
  if (folded.folded > 0) {
    table_add(states, m, &folded);
    table_add(calls, m, &folded);
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
