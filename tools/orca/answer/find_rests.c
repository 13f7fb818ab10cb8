/* Quiet time, in which no thread did anything, and calls that had not ended with the recording. */
#include <stdlib.h>

#include "tools/orca/answer/find_parties.h"

#define SHOWN 3          /* rows that a finding names */
#define QUIET_PERCENT 50 /* of the recording: then it is a quiet program */
#define PAUSE_PERCENT 25 /* of the recording: then quiet time is one of the reasons */
#define AT_ONCE_PERCENT 10
#define OPEN_GROUPS 32 /* of which SHOWN are named */
/* Without any activity for so long at the end, the open calls are told. */
#define STILL_TICKS TICKS_PER_S

/* With patterns the threads that do something may be left out. */
static bool has_all_threads(const struct model *m) {
  return !filter_has_patterns(&m->matcher.filter);
}

/* --- quiet time ----------------------------------------------------------------------------- */

/* Did all threads of a row wait at the same time, for long? */
static bool waited_at_once(const struct model *m, const struct spending_row *row) {
  size_t num = count_threads(&m->spending.threads, row->id);
  ticks_t time = spending_at_once(&m->spending, row, num);
  return time * 100 >= recording_time(&m->recording) * AT_ONCE_PERCENT && time > 0;
}

static int compare_quiet(const void *left, const void *right) {
  const struct spending_row *const *a = left, *const *b = right;
  int calls = compare_calls((*a)->call, (*b)->call);
  if (calls != 0) return calls;
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
    /* Short rests are left out, so that the finding names what matters. */
    if (!rests || row->is_idle || row->quiet < s->quiet / 10) continue;
    out[num++] = row;
    qsort(out, num, sizeof *out, compare_quiet);
    if (num > SHOWN) num = SHOWN;
  }
  return num;
}

static void add_rest(const struct finder *f, const struct spending_row *row,
                     struct found_rows *rests) {
  const struct tally *threads = &f->m->spending.threads;
  struct found_rest *rest = FINDINGS_PART(f->out, rests, rest);
  if (rest == NULL) return;
  *rest = find_rest(f, row);
  find_rest_parties(f, row->call, row->place, &rest->parties);
  if (waited_at_once(f->m, row)) {
    rest->pool_workers = count_pool_workers(f, threads, row->id, row->call);
  }
}

bool answer_is_quiet(const struct model *m) {
  return has_all_threads(m) && m->spending.quiet > 0 &&
         m->spending.quiet * 100 >= recording_time(&m->recording) * QUIET_PERCENT;
}

/* Pauses between larger parts of the time are no reason of their own. */
static bool is_minor(const struct findings *f, ticks_t quiet) {
  for (size_t i = 0; i < f->num; i++) {
    bool is_time = finding_infos[f->rows[i].kind].rank == RANK_TIME;
    if (is_time && f->rows[i].weight > quiet) return true;
  }
  return false;
}

/* For how long work of a finding waited, at least; 0: it is no such finding. */
static uint64_t find_waiting_ns(const struct finding *finding) {
  bool is_work = finding->kind == FINDING_poll || finding->kind == FINDING_timer ||
                 finding->kind == FINDING_child || finding->kind == FINDING_busy_workers ||
                 finding->kind == FINDING_caller_runs;
  if (is_work) return found_ns(finding->weight);
  if (finding->kind == FINDING_pool) {
    const struct found_pool *pool = finding->row;
    return pool->is_crowded ? pool->full : 0;
  }
  if (finding->kind == FINDING_backlog) {
    const struct found_backlog *backlog = finding->row;
    return backlog->time;
  }
  const struct found_full_queue *queue = finding->kind == FINDING_full_queue ? finding->row : NULL;
  const struct found_rest *waits = queue == NULL ? NULL : queue->waits.rows;
  return waits == NULL || waits->num_threads == 0 ? 0 : waits->total / waits->num_threads;
}

bool has_waiting_work(const struct finder *f) {
  for (size_t i = 0; i < f->out->num; i++) {
    uint64_t waited = find_waiting_ns(&f->out->rows[i]);
    if (waited > 0 && waited * 2 >= found_ns(f->m->spending.quiet)) return true;
  }
  return false;
}

/* Whether threads wait for what others do for them. A main that does so may only wait for the end.
 */
static bool waits_for_results(const struct finder *f, const struct spending_row *row) {
  int group = row->call < 0 ? NUM_GROUPS : (int)event_infos[row->call].group;
  size_t num = 0;
  const struct tally_row *threads = tally_of(&f->m->spending.threads, row->id, &num);
  if (group != GROUP_FUTURE && group != GROUP_LATCH && group != GROUP_BARRIER) return false;
  for (size_t i = 0; i < num; i++) {
    if (!hang_is_main(f->m, (uint32_t)threads[i].key)) return true;
  }
  return false;
}

/* Whether a thread of the program has waited for another one to the end, for most of that time. */
static bool waits_without_end(const struct model *m) {
  const struct hang *h = &m->hang;
  for (size_t i = 0; i < h->graph.num; i++) {
    const struct waiter *w = &h->graph.waiters[i];
    enum event_kind kind = w->pair.kind;
    bool is_for_ends = event_joins(kind) || event_infos[kind].group == GROUP_EXECUTOR;
    bool is_long = (h->moment - w->pair.begin) * 2 >= m->spending.quiet;
    if (!is_for_ends && is_long && hang_lasts(m, w) && !hang_is_idle(m, w) &&
        !hang_is_main(m, w->pair.thread))
      return true;
  }
  return false;
}

/* Whether threads wait for tasks that rest, for others, or for room in a queue: the program is not
   idle. */
static bool is_awaited(const struct finder *f, const struct spending_row *const *rows, size_t num) {
  bool has_task = false, has_waiter = false, is_for_others = waits_without_end(f->m);
  for (size_t i = 0; i < num; i++) {
    int group = rows[i]->call < 0 ? NUM_GROUPS : (int)event_infos[rows[i]->call].group;
    has_waiter |= group == GROUP_FUTURE || group == GROUP_EXECUTOR;
    has_task |= spending_is_in_tasks(&f->m->spending, rows[i]);
    is_for_others |= rows[i]->call == (int)EVENT_QUEUE_INSERT || waits_for_results(f, rows[i]);
  }
  return (has_task && has_waiter) || is_for_others;
}

void find_rests(const struct finder *f) {
  const struct spending *s = &f->m->spending;
  const struct spending_row *rows[SHOWN + 1];
  ticks_t recorded = recording_time(&f->m->recording);
  size_t num = find_quiet_rows(s, rows);
  bool is_quiet = answer_is_quiet(f->m);
  bool is_pause = s->quiet * 100 >= recorded * PAUSE_PERCENT && num > 0;
  struct found_idle row = {.time = found_ns(s->quiet), .recorded = found_ns(recorded)};
  if (!has_all_threads(f->m) || s->quiet == 0 || (!is_quiet && !is_pause)) return;
  if (has_waiting_work(f)) return;
  for (size_t i = 0; i < num; i++) add_rest(f, rows[i], &row.rests);
  row.is_awaited = is_awaited(f, rows, num);
  if (is_quiet) {
    FINDINGS_ADD(f->out, idle, s->quiet, &row);
  } else if (!is_minor(f->out, s->quiet)) {
    struct found_pause pause = {row.time, row.recorded, row.is_awaited, row.rests};
    FINDINGS_ADD(f->out, pause, s->quiet, &pause);
  }
}

/* --- calls that did not end ------------------------------------------------------------------ */

/* Calls of one kind at one place that had not ended when the recording did. */
struct open_group {
  uint32_t id; /* in `threads` */
  int call;    /* an enum event_kind, or CALL_IO */
  place_t place;
  stack_id_t stack; /* of one of the threads */
  ticks_t total;    /* sum over all threads */
  ticks_t shortest, longest;
  size_t num_older; /* calls that began before the recording */
  bool is_child;    /* they wait for a process */
};

struct open_groups {
  struct open_group rows[OPEN_GROUPS];
  size_t num;
  struct tally threads; /* by row */
};

struct open_call {
  int call;
  uint32_t thread;
  stack_id_t stack;
  ticks_t time;
  bool is_older;
};

static bool add_open_call(struct open_groups *g, const struct model *m,
                          const struct open_call *open) {
  size_t at = 0;
  place_t place = stacks_place(&m->stacks, open->stack);
  while (at < g->num && (g->rows[at].call != open->call || g->rows[at].place != place)) at++;
  if (at == OPEN_GROUPS) return true;
  if (at == g->num) {
    g->rows[g->num++] = (struct open_group){.id = (uint32_t)at,
                                            .call = open->call,
                                            .place = place,
                                            .stack = open->stack,
                                            .is_child = waits_for_child(m, open->stack),
                                            .shortest = open->time};
  }
  struct open_group *row = &g->rows[at];
  row->total += open->time;
  if (open->time < row->shortest) row->shortest = open->time;
  if (open->time > row->longest) row->longest = open->time;
  row->num_older += open->is_older;
  return tally_add(&g->threads, (uint32_t)at, open->thread, 1, 0); /* all are named */
}

static int compare_open_groups(const void *left, const void *right) {
  const struct open_group *a = left, *b = right;
  if (a->is_child != b->is_child) return a->is_child ? -1 : 1;
  int calls = compare_calls(a->call, b->call);
  if (calls != 0) return calls;
  if (a->total != b->total) return a->total < b->total ? 1 : -1;
  return a->id < b->id ? -1 : 1;
}

/* Adds the calls that began and did not end. Locks are told elsewhere. */
static bool add_begun_calls(const struct model *m, struct open_groups *out) {
  struct pair pair;
  bool matches, good = true;
  for (size_t cursor = 0; good && model_next_open(m, &cursor, &pair, &matches);) {
    struct open_call open = {(int)pair.kind, pair.thread, pair.stack, pair.end - pair.begin,
                             pair.is_older};
    bool counts = matches && !lock_event_asks(pair.kind) && pair.kind != EVENT_THREAD_SLEEP &&
                  open.time >= STILL_TICKS && !spending_is_idle(&m->spending, pair.stack);
    if (counts) good = add_open_call(out, m, &open);
  }
  return good;
}

/* Adds the threads that stand in I/O. */
static bool add_io_calls(const struct model *m, struct open_groups *out) {
  bool good = true;
  ticks_t until = m->threads.clock.tick;
  for (size_t i = 0; good && i < m->threads.num; i++) {
    const struct thread *row = &m->threads.rows[i];
    if (row->io_since == 0 || until < row->io_since + STILL_TICKS) continue;
    struct open_call open = {CALL_IO, row->hash, row->io_stack, until - row->io_since, false};
    good = add_open_call(out, m, &open);
  }
  return good;
}

/* Finds the groups, the largest first. */
static bool find_open_calls(const struct model *m, struct open_groups *out) {
  bool good = add_begun_calls(m, out) && add_io_calls(m, out);
  tally_sort(&out->threads);
  qsort(out->rows, out->num, sizeof *out->rows, compare_open_groups);
  return good;
}

/* The begin of an I/O call is known from samples, that of an older call is not known. */
static void add_open_rest(const struct finder *f, const struct open_groups *g,
                          const struct open_group *row, struct found_rows *calls) {
  struct found_rest *rest = FINDINGS_PART(f->out, calls, rest);
  size_t num = count_threads(&g->threads, row->id);
  if (rest == NULL) return;
  *rest =
      (struct found_rest){.threads = name_threads(f, &g->threads, row->id),
                          .num_threads = num,
                          .does = row->call == CALL_IO             ? "io"
                                  : row->call == EVENT_THREAD_PARK ? "parked"
                                                                   : "waits",
                          .call = name_call(f, row->call, row->stack),
                          .place = name_place(f, row->place),
                          .total = found_ns(row->total),
                          .shortest = found_ns(row->shortest),
                          .longest = found_ns(row->longest),
                          .is_least = row->call == CALL_IO || row->num_older > 0,
                          .since_before = row->num_older == num,
                          .pool_workers = count_pool_workers(f, &g->threads, row->id, row->call)};
}

ticks_t answer_still_time(const struct model *m) {
  ticks_t still = spending_still(&m->spending, m->recording.to);
  bool is_told = has_all_threads(m) && m->deadlocks.num_rings == 0;
  return is_told && still >= STILL_TICKS ? still : 0;
}

void find_standstill(const struct finder *f) {
  struct open_groups g = {0};
  ticks_t still = answer_still_time(f->m), waited = 0;
  struct found_standstill row = {.still = found_ns(still)};
  if (still == 0) return;
  f->out->failed |= !find_open_calls(f->m, &g);
  for (size_t i = 0; i < g.num; i++) {
    waited += g.rows[i].total;
    if (i < SHOWN) add_open_rest(f, &g, &g.rows[i], &row.calls);
  }
  if (g.num > 0) FINDINGS_ADD(f->out, standstill, waited, &row);
  tally_free(&g.threads);
}
