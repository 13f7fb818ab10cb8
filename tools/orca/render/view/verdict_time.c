/* The sentences about time in which threads neither use the CPU nor are blocked on a lock: I/O, and
   quiet time, in which no thread did anything. */
#include <stdlib.h>
#include <string.h>

#include "tools/orca/model/names.h"
#include "tools/orca/render/unit.h"
#include "tools/orca/render/view/view.h"

#define SHOWN 3          /* rows that a sentence names */
#define QUIET_PERCENT 50 /* of the recording: then it is a quiet program */
#define STILL_TICKS                                                                   \
  TICKS_PER_S        /* without any activity at the end: then the open calls are told \
                      */
#define IO_PERCENT 5 /* of the working threads' time */

/* " in BlockingQueue.take", "": the call of a row. */
static void put_call(struct builder *b, int call) {
  bool is_told = call >= 0 && call != EVENT_THREAD_SLEEP;
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
}

static int compare_quiet(const void *left, const void *right) {
  const struct spending_row *const *a = left, *const *b = right;
  if ((*a)->quiet != (*b)->quiet) return (*a)->quiet < (*b)->quiet ? 1 : -1;
  return (*a)->id < (*b)->id ? -1 : 1;
}

/* Returns the rows with quiet time, the largest first; their number is at most `max`. */
static size_t find_quiet_rows(const struct spending *s, const struct spending_row **out,
                              size_t max) {
  size_t num = 0;
  for (size_t i = 0; i < s->num; i++) {
    const struct spending_row *row = &s->rows[i];
    bool rests = row->activity == ACTIVITY_WAITS || row->activity == ACTIVITY_SLEEPS ||
                 row->activity == ACTIVITY_PARKED;
    /* Short rests are left out, so that the sentence names what matters. */
    if (!rests || row->is_idle || row->quiet < s->quiet / 10) continue;
    if (num < max) out[num++] = row;
    qsort(out, num, sizeof *out, compare_quiet);
  }
  return num;
}

static void say_quiet(struct builder *b, const struct model *m, const struct style *style) {
  const struct spending_row *rows[SHOWN];
  struct builder s = {0};
  size_t num = find_quiet_rows(&m->spending, rows, SHOWN);
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
  enum event_kind kind;
  place_t place;
  ticks_t since; /* the earliest begin */
  bool is_older; /* which was before the recording */
};

struct open_groups {
  struct open_group rows[SHOWN];
  size_t num;
  struct tally threads; /* by row */
};

static bool add_open_call(struct open_groups *g, const struct pair *pair, place_t place) {
  size_t at = 0;
  while (at < g->num && (g->rows[at].kind != pair->kind || g->rows[at].place != place)) at++;
  if (at == SHOWN) return true;
  if (at == g->num) g->rows[g->num++] = (struct open_group){pair->kind, place, pair->begin, false};
  struct open_group *row = &g->rows[at];
  if (pair->begin < row->since) row->since = pair->begin;
  row->is_older |= pair->is_older;
  return tally_add(&g->threads, (uint32_t)at, pair->thread, 1, pair->end - pair->begin);
}

/* Locks are told elsewhere. */
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
  return good;
}

/* ", all workers of their pool", if the threads of a group are the threads of a ThreadPoolExecutor.
 */
static bool is_whole_pool(const struct model *m, const struct open_groups *g, size_t at) {
  size_t num, living = 0;
  const struct tally_row *rows = tally_of(&g->threads, (uint32_t)at, &num);
  const struct thread *first = threads_find(&m->threads, (uint32_t)rows[0].key);
  const char *end = first == NULL || first->name == NULL ? NULL : strstr(first->name, "-thread-");
  if (end == NULL) return false;
  size_t stem = (size_t)(end - first->name) + strlen("-thread-");
  for (size_t i = 0; i < m->threads.num; i++) {
    const struct thread *t = &m->threads.rows[i];
    living += t->alive && t->name != NULL && strncmp(t->name, first->name, stem) == 0;
  }
  return living == num;
}

/* "main has waited in Future.get at A.b (A.java:7) for 2.98 s" */
static void put_open_group(struct builder *b, const struct model *m, const struct open_groups *g,
                           size_t at) {
  const struct open_group *row = &g->rows[at];
  bool is_pool = is_whole_pool(m, g, at);
  view_main_threads(b, m, &g->threads, (uint32_t)at);
  if (is_pool) builder_string(b, ", the whole pool,");
  builder_string(b, count_threads(&g->threads, (uint32_t)at) == 1 ? " has waited" : " have waited");
  put_call(b, (int)row->kind);
  put_place(b, m, row->place);
  if (row->is_older) {
    builder_string(b, " since before the recording");
  } else {
    builder_format(b, " for %s", UNIT_TICKS(m->recording.to - row->since));
  }
  bool is_future = event_infos[row->kind].group == GROUP_FUTURE;
  if (is_pool && is_future) {
    builder_string(b, " (a task that is queued in the same pool would never run)");
  }
}

/* Returns whether it says something. */
static bool say_standstill(struct builder *b, const struct model *m, const struct style *style) {
  struct open_groups g = {0};
  struct builder s = {0};
  ticks_t still = spending_still(&m->spending, m->recording.to);
  bool good = still < STILL_TICKS || find_open_calls(m, &g);
  if (g.num > 0) {
    builder_format(&s, "No thread has done anything for the last %s", UNIT_TICKS(still));
    for (size_t i = 0; i < g.num; i++) {
      builder_string(&s, i == 0 ? ": " : "; ");
      put_open_group(&s, m, &g, i);
    }
    builder_char(&s, '.');
  }
  view_put_sentence(b, style, &s);
  tally_free(&g.threads);
  b->failed |= !good;
  return g.num > 0;
}

bool view_is_quiet(const struct model *m) {
  return m->spending.quiet * 100 >= recording_time(&m->recording) * QUIET_PERCENT &&
         m->spending.quiet > 0;
}

void view_quiet_verdict(struct builder *b, const struct model *m, const struct style *style) {
  if (m->deadlocks.num_rings == 0 && say_standstill(b, m, style)) return;
  if (view_is_quiet(m)) say_quiet(b, m, style);
}

/* --- I/O ------------------------------------------------------------------------------------ */

void view_io_verdict(struct builder *b, const struct model *m, const struct style *style) {
  const struct spending *s = &m->spending;
  const struct spending_row *row = spending_largest(s, ACTIVITY_IO);
  ticks_t worked = s->in_activity[ACTIVITY_RUNS] + s->in_activity[ACTIVITY_BLOCKED] +
                   s->in_activity[ACTIVITY_IO];
  if (row == NULL || s->in_activity[ACTIVITY_IO] * 100 < worked * IO_PERCENT) return;
  struct builder text = {0};
  size_t depth;
  const struct frame *frames = stacks_frames(&m->stacks, row->stack, &depth);
  builder_string(&text, "I/O: ");
  view_main_threads(&text, m, &s->threads, row->id);
  builder_format(&text, " waited %s%s", UNIT_TICKS(row->total),
                 count_threads(&s->threads, row->id) > 1 ? " in total" : "");
  if (depth > 0) {
    builder_string(&text, " in ");
    names_method(&text, m->dump, frames[0].method);
  }
  put_place(&text, m, row->place);
  builder_format(&text, ". That is %s of the time in which threads ran, were blocked or in I/O.",
                 UNIT_SHARE(row->total, worked));
  view_put_sentence(b, style, &text);
}
