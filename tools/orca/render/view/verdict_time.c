/* The sentences about time in which threads neither use the CPU nor are blocked on a lock: I/O, and
   quiet time, in which no thread did anything. */
#include <stdlib.h>
#include <string.h>

#include "tools/orca/model/names.h"
#include "tools/orca/render/unit.h"
#include "tools/orca/render/view/view.h"

#define SHOWN 3          /* rows that a sentence names */
#define OPEN_GROUPS 32   /* of which SHOWN are named */
#define QUIET_PERCENT 50 /* of the recording: then it is a quiet program */
/* Without any activity at the end: then the open calls are told. */
#define STILL_TICKS TICKS_PER_S
#define IO_PERCENT 5     /* of the working threads' time */
#define STOOD_PERCENT 10 /* of the recording */
#define AT_ONCE_PERCENT 10

/* " in BlockingQueue.take". The verbs of sleep and park say it already. */
static void put_call(struct builder *b, int call) {
  bool is_told = call >= 0 && call != EVENT_THREAD_SLEEP && call != EVENT_THREAD_PARK;
  if (is_told) builder_format(b, " in %s", view_call_name((enum event_kind)call));
}

static void put_place(struct builder *b, const struct model *m, place_t place) {
  if (place == 0) return;
  builder_string(b, " at ");
  view_place_name(b, m, place);
}

static size_t count_threads(const struct tally *threads, uint32_t group) {
  size_t num;
  tally_of(threads, group, &num);
  return num;
}

/* Are the threads of a group all the threads of a ThreadPoolExecutor? */
static bool is_whole_pool(const struct model *m, const struct tally *threads, uint32_t group) {
  size_t num, living = 0;
  const struct tally_row *rows = tally_of(threads, group, &num);
  const struct thread *first = threads_find(&m->threads, (uint32_t)rows[0].key);
  const char *end = first == NULL || first->name == NULL ? NULL : strstr(first->name, "-thread-");
  if (end == NULL) return false;
  size_t stem = (size_t)(end - first->name) + strlen("-thread-");
  for (size_t i = 0; i < m->threads.num; i++) {
    const struct thread *t = &m->threads.rows[i];
    living += t->name != NULL && strncmp(t->name, first->name, stem) == 0;
  }
  return living == num;
}

/* Workers that all wait for the results of tasks at the same time may wait for tasks that no worker
   is left to run. */
static void put_pool_note(struct builder *b, const struct model *m, const struct tally *threads,
                          uint32_t group, int call) {
  bool is_future = call >= 0 && event_infos[call].group == GROUP_FUTURE;
  if (!is_future || !is_whole_pool(m, threads, group)) return;
  builder_string(b,
                 " (these are all workers of their pool: a task that is queued in it cannot run)");
}

/* Did all threads of a row wait at the same time, for long? */
static bool waited_at_once(const struct model *m, const struct spending_row *row) {
  size_t num = count_threads(&m->spending.threads, row->id);
  ticks_t time = spending_at_once(&m->spending, row, num);
  return time * 100 >= recording_time(&m->recording) * AT_ONCE_PERCENT && time > 0;
}

/* --- quiet time ----------------------------------------------------------------------------- */

/* "main slept 2.98 s at Idle.rest (Idle.java:15)" */
static void put_quiet_row(struct builder *b, const struct model *m,
                          const struct spending_row *row) {
  const struct tally *threads = &m->spending.threads;
  view_main_threads(b, m, threads, row->id);
  const char *verb = row->activity == ACTIVITY_SLEEPS ? "slept" : "waited";
  if (row->activity == ACTIVITY_PARKED) verb = "was parked";
  bool are_several = count_threads(threads, row->id) > 1;
  if (are_several && row->activity == ACTIVITY_PARKED) verb = "were parked";
  builder_format(b, " %s %s%s", verb, UNIT_TICKS(row->total), are_several ? " in total" : "");
  put_call(b, row->call);
  put_place(b, m, row->place);
  if (waited_at_once(m, row)) put_pool_note(b, m, threads, row->id, row->call);
}

/* A thread that joins others says least: what they do is the reason. */
static int compare_joins(int left, int right) {
  return (left == EVENT_THREAD_JOIN) - (right == EVENT_THREAD_JOIN);
}

static int compare_quiet(const void *left, const void *right) {
  const struct spending_row *const *a = left, *const *b = right;
  int joins = compare_joins((*a)->call, (*b)->call);
  if (joins != 0) return joins;
  if ((*a)->quiet != (*b)->quiet) return (*a)->quiet < (*b)->quiet ? 1 : -1;
  return (*a)->id < (*b)->id ? -1 : 1;
}

/* Returns the rows with quiet time, the largest first; their number is at most SHOWN. */
static size_t find_quiet_rows(const struct spending *s, const struct spending_row *out[SHOWN + 1]) {
  size_t num = 0;
  for (size_t i = 0; i < s->num; i++) {
    const struct spending_row *row = &s->rows[i];
    bool rests = row->activity == ACTIVITY_WAITS || row->activity == ACTIVITY_SLEEPS ||
                 row->activity == ACTIVITY_PARKED;
    /* Short rests are left out, so that the sentence names what matters. */
    if (!rests || row->is_idle || row->quiet < s->quiet / 10) continue;
    out[num++] = row;
    qsort(out, num, sizeof *out, compare_quiet);
    if (num > SHOWN) num = SHOWN;
  }
  return num;
}

static void say_quiet(struct builder *b, const struct model *m, const struct style *style) {
  const struct spending_row *rows[SHOWN + 1];
  struct builder s = {0};
  size_t num = find_quiet_rows(&m->spending, rows);
  builder_format(&s, "The program was idle for %s of %s", UNIT_TICKS(m->spending.quiet),
                 UNIT_TICKS(recording_time(&m->recording)));
  if (num == 0) builder_string(&s, ": its threads waited for work");
  for (size_t i = 0; i < num; i++) {
    builder_string(&s, i == 0 ? ": " : "; ");
    put_quiet_row(&s, m, rows[i]);
  }
  builder_char(&s, '.');
  view_put_sentence(b, style, &s);
}

/* --- open calls ----------------------------------------------------------------------------- */

/* Calls of one kind at one place that had not ended when the recording did. */
struct open_group {
  uint32_t id; /* in `threads` */
  enum event_kind kind;
  place_t place;
  ticks_t total; /* sum over all threads */
  ticks_t since; /* the earliest begin */
  bool is_older; /* which was before the recording */
};

struct open_groups {
  struct open_group rows[OPEN_GROUPS];
  size_t num;
  struct tally threads; /* by row */
};

static bool add_open_call(struct open_groups *g, const struct pair *pair, place_t place) {
  size_t at = 0;
  while (at < g->num && (g->rows[at].kind != pair->kind || g->rows[at].place != place)) at++;
  if (at == OPEN_GROUPS) return true;
  if (at == g->num) {
    g->rows[g->num++] = (struct open_group){
        .id = (uint32_t)at, .kind = pair->kind, .place = place, .since = pair->begin};
  }
  struct open_group *row = &g->rows[at];
  row->total += pair->end - pair->begin;
  if (pair->begin < row->since) row->since = pair->begin;
  row->is_older |= pair->is_older;
  return tally_add(&g->threads, (uint32_t)at, pair->thread, 1, pair->end - pair->begin);
}

static int compare_open_groups(const void *left, const void *right) {
  const struct open_group *a = left, *b = right;
  int joins = compare_joins((int)a->kind, (int)b->kind);
  if (joins != 0) return joins;
  if (a->total != b->total) return a->total < b->total ? 1 : -1;
  return a->id < b->id ? -1 : 1;
}

/* Finds the groups, the largest first. Locks are told elsewhere. */
static bool find_open_calls(const struct model *m, struct open_groups *out) {
  struct pair pair;
  bool matches, good = true;
  for (size_t cursor = 0; good && model_next_open(m, &cursor, &pair, &matches);) {
    bool counts = matches && !lock_event_asks(pair.kind) && pair.kind != EVENT_THREAD_SLEEP &&
                  pair.end - pair.begin >= STILL_TICKS &&
                  !spending_is_idle(&m->spending, pair.stack);
    if (counts) good = add_open_call(out, &pair, stacks_place(&m->stacks, pair.stack));
  }
  tally_sort(&out->threads);
  qsort(out->rows, out->num, sizeof *out->rows, compare_open_groups);
  return good;
}

/* "main has waited in Future.get at A.b (A.java:7) for 2.98 s" */
static void put_open_group(struct builder *b, const struct model *m, const struct open_groups *g,
                           const struct open_group *row) {
  view_main_threads(b, m, &g->threads, row->id);
  builder_string(b, count_threads(&g->threads, row->id) == 1 ? " has " : " have ");
  builder_string(b, row->kind == EVENT_THREAD_PARK ? "been parked" : "waited");
  put_call(b, (int)row->kind);
  put_place(b, m, row->place);
  if (row->is_older) {
    builder_string(b, " since before the recording");
  } else {
    builder_format(b, " for %s", UNIT_TICKS(m->recording.to - row->since));
  }
  put_pool_note(b, m, &g->threads, row->id, (int)row->kind);
}

/* Returns whether it says something. */
static bool say_standstill(struct builder *b, const struct model *m, const struct style *style) {
  struct open_groups g = {0};
  struct builder s = {0};
  ticks_t still = spending_still(&m->spending, m->recording.to);
  bool good = still < STILL_TICKS || find_open_calls(m, &g);
  if (g.num > 0) {
    builder_format(&s, "The program has been idle for the last %s", UNIT_TICKS(still));
    for (size_t i = 0; i < g.num && i < SHOWN; i++) {
      builder_string(&s, i == 0 ? ": " : "; ");
      put_open_group(&s, m, &g, &g.rows[i]);
    }
    builder_char(&s, '.');
  }
  view_put_sentence(b, style, &s);
  tally_free(&g.threads);
  b->failed |= !good;
  return g.num > 0;
}

/* With patterns the threads that do something may be left out. */
static bool has_all_threads(const struct model *m) {
  return !filter_has_patterns(&m->matcher.filter);
}

bool view_is_quiet(const struct model *m) {
  return has_all_threads(m) &&
         m->spending.quiet * 100 >= recording_time(&m->recording) * QUIET_PERCENT &&
         m->spending.quiet > 0;
}

void view_quiet_verdict(struct builder *b, const struct model *m, const struct style *style) {
  if (!has_all_threads(m)) return;
  if (m->deadlocks.num_rings == 0 && say_standstill(b, m, style)) return;
  if (view_is_quiet(m)) say_quiet(b, m, style);
}

/* --- I/O ------------------------------------------------------------------------------------ */

/* " in SocketDispatcher.read0 at Shop.ask (Shop.java:7)" */
static void put_native_method(struct builder *b, const struct model *m,
                              const struct spending_row *row) {
  size_t depth;
  const struct frame *frames = stacks_frames(&m->stacks, row->stack, &depth);
  if (depth > 0) {
    builder_string(b, " in ");
    names_method(b, m->dump, frames[0].method);
  }
  if (depth == 0 || place_method(row->place) != frames[0].method) put_place(b, m, row->place);
}

void view_io_verdict(struct builder *b, const struct model *m, const struct style *style) {
  const struct spending *s = &m->spending;
  const struct spending_row *row = spending_largest(s, ACTIVITY_IO);
  ticks_t worked = spending_worked(s);
  if (row == NULL || s->in_activity[ACTIVITY_IO] * 100 < worked * IO_PERCENT) return;
  struct builder text = {0};
  builder_string(&text, "I/O: ");
  view_main_threads(&text, m, &s->threads, row->id);
  builder_format(&text, " waited %s%s", UNIT_TICKS(row->total),
                 count_threads(&s->threads, row->id) > 1 ? " in total" : "");
  put_native_method(&text, m, row);
  builder_format(&text,
                 ". That is %s of the time in which threads ran, were ready to run, blocked or in "
                 "I/O.",
                 UNIT_SHARE(row->total, worked));
  view_put_sentence(b, style, &text);
}

/* --- threads that stand ----------------------------------------------------------------------- */

/* The JVM calls a thread runnable while it waits for another thread to initialize a class. The
   kernel knows that such a thread neither used a CPU nor waited for one. */
static const struct spending_row *find_stood(const struct model *m) {
  const struct spending_row *row = spending_largest(&m->spending, ACTIVITY_RUNNABLE);
  if (row == NULL || !m->process.wait_known) return NULL;
  size_t num;
  const struct tally_row *threads = tally_of(&m->spending.threads, row->id, &num);
  uint64_t waited = 0, ns;
  for (size_t i = 0; i < num; i++) {
    if (process_wait(&m->process, (uint32_t)threads[i].key, &ns)) waited += ns;
  }
  bool matters = row->total * 100 >= recording_time(&m->recording) * STOOD_PERCENT;
  return matters && waited * TICKS_PER_NS < row->total / 10 ? row : NULL;
}

ticks_t view_stood_time(const struct model *m) {
  const struct spending_row *row = find_stood(m);
  return row == NULL ? 0 : row->total;
}

/* Returns the class whose static initializer is on the stack; 0: none. */
static uint32_t find_initialized(const struct model *m, stack_id_t stack) {
  size_t depth = 0;
  const struct frame *frames = stack == 0 ? NULL : stacks_frames(&m->stacks, stack, &depth);
  for (size_t i = 0; i < depth; i++) {
    const struct method_line *method = dump_method(m->dump, frames[i].method);
    if (method != NULL && span_is(method->name, "<clinit>")) return method->class_id;
  }
  return 0;
}

/* Another thread that was in a static initializer for most of that time. */
static void put_initializer(struct builder *b, const struct model *m,
                            const struct spending_row *stood) {
  const struct spending *s = &m->spending;
  ticks_t each = stood->total / count_threads(&s->threads, stood->id);
  for (size_t i = 0; i < s->num; i++) {
    const struct spending_row *row = &s->rows[i];
    uint32_t class_id = row == stood ? 0 : find_initialized(m, row->stack);
    if (class_id == 0 || spending_overlap(stood, row) < each / 2) continue;
    builder_string(b, ". Meanwhile ");
    view_main_threads(b, m, &s->threads, row->id);
    builder_format(b, " was in the static initializer of ");
    names_class(b, m->dump, class_id);
    put_place(b, m, row->place);
    builder_format(b, " for %s: a thread that needs the class waits for that",
                   UNIT_TICKS(row->total));
    return;
  }
}

void view_stood_verdict(struct builder *b, const struct model *m, const struct style *style) {
  const struct spending_row *row = find_stood(m);
  if (row == NULL) return;
  struct builder text = {0};
  view_main_threads(&text, m, &m->spending.threads, row->id);
  builder_format(&text, " stood for %s%s", UNIT_TICKS(row->total),
                 count_threads(&m->spending.threads, row->id) > 1 ? " in total" : "");
  put_place(&text, m, row->place);
  builder_string(&text, ", without using a CPU or waiting for one");
  put_initializer(&text, m, row);
  builder_char(&text, '.');
  view_put_sentence(b, style, &text);
}
