#include "tools/orca/render/view/threads.h"

#include <fnmatch.h>

#include "tools/orca/model/names.h"
#include "tools/orca/render/unit.h"

/* The context of the cells. */
struct thread_context {
  const struct model *model;
  uint64_t folded; /* the row is the sum of so many threads of the JVM; 0: a thread */
};

static void put_thread(const struct cell *c) {
  const struct thread_context *context = c->context;
  const struct thread *thread = c->row;
  if (context->folded > 0) {
    view_folded_name(c->text, context->folded);
  } else {
    names_thread(c->text, &context->model->threads, thread->hash);
  }
}

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

static struct view_shares find_shares(const struct cell *c) {
  const struct thread_context *context = c->context;
  const struct thread *thread = c->row;
  if (context->folded == 0) return view_share_life(context->model, thread);
  return (struct view_shares){sum_running(thread), thread->in_activity[ACTIVITY_IO],
                              thread->in_activity[ACTIVITY_NO_CALL]};
}

static void put_running_share(const struct cell *c) { put_share_of_life(c, find_shares(c).runs); }

static void put_io_share(const struct cell *c) { put_share_of_life(c, find_shares(c).io); }

static void put_no_call_share(const struct cell *c) {
  put_share_of_life(c, find_shares(c).no_call);
}

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
    {"thread", .shrinks = true, .key = "thread", .put = put_thread},
    {.key = "hash", COLUMN_HASH(struct thread, hash)},
    {"lived", ALIGN_RIGHT, .key = "lived_ns", .put = put_lived},
    {"CPU", .key = "cpu_ns", COLUMN_NS(struct thread, cpu_ns)},
    {"runs", ALIGN_RIGHT, .put = put_running_share},
    {"blocked", SHARE(BLOCKED)},
    {"waits", SHARE(WAITS)},
    {"parked", SHARE(PARKED)},
    {"sleeps", SHARE(SLEEPS)},
    {"I/O", ALIGN_RIGHT, .put = put_io_share},
    {"no call", ALIGN_RIGHT, .put = put_no_call_share},
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

static void fold_thread(struct thread *sum, const struct thread *thread) {
  if (thread->last - thread->first > sum->last) sum->last = thread->last - thread->first;
  sum->cpu_ns += thread->cpu_ns;
  for (int i = 0; i < NUM_ACTIVITIES; i++) sum->in_activity[i] += thread->in_activity[i];
  for (int group = 0; group < NUM_GROUPS; group++) {
    sum->pairs[group] += thread->pairs[group];
    sum->pairs_time[group] += thread->pairs_time[group];
  }
}

/* In text, the threads of view_folds_thread share the last row. */
void view_threads(struct page *p, const struct model *m, size_t top) {
  const struct threads *threads = &m->threads;
  struct thread folded = {0};
  struct table *t = TABLE_NEW(columns);
  struct thread_context context = {m, 0};
  size_t more = 0;
  for (size_t i = 0, shown = 0; i < threads->num; i++) {
    const struct thread *thread = &threads->rows[i];
    if (page_is_text(p) && view_folds_thread(m, thread->hash)) {
      fold_thread(&folded, thread);
      context.folded++;
    } else if (shown < top) {
      table_add(t, &(struct thread_context){m, 0}, thread);
      shown++;
    } else {
      more++;
    }
  }
  if (context.folded > 0) table_add(t, &context, &folded);
  page_table(p, "threads",
             "Threads: shares of the time that they lived, and how often by the events", t, more);
}

void view_short_threads(struct page *p, const struct model *m) {
  struct builder s = {0};
  uint64_t num = 0;
  if (!page_is_text(p) || m->matcher.active || !model_short_threads(m, &num) || num == 0) return;
  unit_many(&s, num, "virtual thread", "virtual threads");
  builder_string(&s, " ended before ");
  coverage_put_threshold(&s, dump_coverage(m->dump));
  builder_string(&s, num == 1 ? " and was left out. Its CPU time is in that of its carrier."
                              : " and were left out. Their CPU time is in that of their carriers.");
  view_put_paragraph(p, &s);
}

/* --- threads of the JVM ---------------------------------------------------------------------- */

/* A thread with more CPU time than 1/LITTLE_SHARE of all, and than LITTLE_NS, has a row of its own.
 */
#define LITTLE_SHARE 100
#define LITTLE_NS 1000000

/* The threads that HotSpot and the JDK start by themselves. Carriers of virtual threads are
   missing: pools of the program use the same names. */
static const char *const patterns[] = {
    "Reference Handler",  "Finalizer",           "Signal Dispatcher",
    "Service Thread",     "Notification Thread", "Monitor Deflation Thread",
    "Attach Listener",    "DestroyJavaVM",       "Common-Cleaner",
    "C1 CompilerThread*", "C2 CompilerThread*",  "process reaper*",
    "VirtualThread-un*",  "Read-Poller*",        "Write-Poller*",
    "Master*Poller*"};

static bool has_name_of_jvm(const struct thread *thread) {
  for (size_t i = 0; thread->name != NULL && i < sizeof patterns / sizeof *patterns; i++) {
    if (fnmatch(patterns[i], thread->name, 0) == 0) return true;
  }
  return false;
}

bool view_folds_thread(const struct model *m, uint32_t hash) {
  const struct thread *thread = threads_find(&m->threads, hash);
  return m->matcher.filter.threads.num == 0 && thread != NULL && has_name_of_jvm(thread) &&
         view_sum_spells(thread, ACTIVITY_BLOCKED).count == 0 &&
         (thread->cpu_ns <= LITTLE_NS || thread->cpu_ns <= m->cpu.total_ns / LITTLE_SHARE);
}

void view_folded_name(struct builder *b, uint64_t num) {
  builder_format(b, "%s of the JVM", UNIT_COUNT(num));
}
