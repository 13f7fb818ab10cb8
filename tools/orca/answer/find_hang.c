/* A program that hangs: which threads wait, for what, and why nobody ends it. */
#include "tools/orca/answer/find_hang.h"

#include <stdlib.h>

#include "tools/orca/answer/find_busy_pool.h"
#include "tools/orca/answer/find_parties.h"
#include "tools/orca/model/base/sorting.h"
#include "tools/orca/model/names.h"

/* Another thread may complete a CompletableFuture that the task would complete at its end. */
bool waits_for_own_task(const struct model *m, const struct pair *pair) {
  return event_infos[pair->kind].group == GROUP_FUTURE && pair->object != 0 &&
         pools_task_of(&m->pools, pair->object) == pair->object &&
         !coverage_is_lossy(dump_coverage(m->dump)) &&
         pools_has_taken(&m->pools, pair->thread, pair->object) &&
         !task_queues_has(&m->queued_tasks.waiting, pools_task_of(&m->pools, pair->object));
}

/* A task that a thread queues so long before it waits may have to do with this wait. */
#define JUST_BEFORE (TICKS_PER_S / 10)

static struct hang_group *find_group(struct hang_groups *g, const struct waiter *w) {
  place_t place = stacks_place(&g->f->m->stacks, w->pair.stack);
  bool is_own_task = waits_for_own_task(g->f->m, &w->pair);
  size_t at = 0;
  while (at < g->num && (g->rows[at].first.kind != w->pair.kind || g->rows[at].place != place ||
                         g->rows[at].is_own_task != is_own_task)) {
    at++;
  }
  if (at == HANG_GROUPS) return NULL;
  if (at == g->num) {
    g->rows[g->num++] = (struct hang_group){.id = (uint32_t)at,
                                            .first = w->pair,
                                            .place = place,
                                            .waiter = w,
                                            .is_own_task = is_own_task,
                                            .is_one_object = true,
                                            .shortest = UINT64_MAX};
  }
  return &g->rows[at];
}

static bool waits_for_untaken_task(const struct model *m, const struct pair *pair) {
  return event_infos[pair->kind].group == GROUP_FUTURE && pair->object != 0 &&
         !coverage_is_lossy(dump_coverage(m->dump)) &&
         task_queues_has(&m->queued_tasks.waiting, pools_task_of(&m->pools, pair->object));
}

bool hang_groups_add(struct hang_groups *g, const struct waiter *w) {
  const struct pair *pair = &w->pair;
  struct hang_group *row = find_group(g, w);
  ticks_t time = g->f->m->hang.moment - pair->begin;
  g->waiting++;
  if (row == NULL) return true;
  row->is_one_object &= row->first.object == pair->object && pair->object != 0;
  row->num++;
  row->total += time;
  row->num_older += pair->is_older;
  row->num_untaken += waits_for_untaken_task(g->f->m, pair);
  if (time > row->longest) row->longest = time;
  if (time < row->shortest) row->shortest = time;
  if (pair->begin < row->first.begin) {
    row->first = *pair;
    row->waiter = w;
  }
  return tally_add(&g->threads, row->id, pair->thread, 1, 0) &&
         (!event_joins(pair->kind) || tally_add(&g->joined, row->id, pair->object, 1, 0));
}

/* What tells most comes first: a permit that was kept, a signal that came too early; then tasks
   that keep the threads of a pool; last who waits for the others to end. */
static unsigned rank_group(const struct model *m, const struct hang_group *row) {
  const struct signals_row *s = row->signals;
  bool is_early = s != NULL && s->num > 0 && s->time < row->first.begin;
  bool is_untaken = row->num_untaken > 0;
  bool is_kept = s != NULL && s->acquired > s->released;
  bool is_task = hang_is_in_task(m, row->first.stack);
  if (event_joins(row->first.kind) || row->first.kind == EVENT_EXECUTOR_AWAIT) return 3;
  bool is_plain = row->is_own_task || is_early || is_kept || (is_untaken && is_task);
  return is_plain ? 0 : is_task ? 1 : 2;
}

static int compare_groups(const void *left, const void *right) {
  const struct hang_group *a = left, *b = right;
  if (a->rank != b->rank) return compare_numbers(a->rank, b->rank);
  if (a->total != b->total) return compare_numbers(b->total, a->total);
  return compare_numbers(a->id, b->id);
}

bool hang_groups_end(struct hang_groups *g) {
  const struct finder *f = g->f;
  for (size_t i = 0; i < g->num; i++) {
    struct hang_group *row = &g->rows[i];
    /* An unpark is for one thread. */
    if (row->is_one_object || (row->first.kind == EVENT_THREAD_PARK && row->num == 1)) {
      row->signals = signals_find(&f->answer->signals, &row->first);
    }
    row->rank = rank_group(f->m, row);
  }
  tally_sort(&g->threads);
  tally_sort(&g->joined);
  qsort(g->rows, g->num, sizeof *g->rows, compare_groups);
  return true;
}

/* --- a row ---------------------------------------------------------------------------------- */

static const char *find_end(enum event_kind kind) {
  switch (kind) {
#define WAIT_END(call, words) \
  case EVENT_##call:          \
    return words;
#include "tools/orca/answer/wait_end.def"
    default:
      return NULL;
  }
}

/* "Object.notifyAll" is the event ObjectNotifyAll. */
static const char *name_signal(enum event_kind kind, bool is_mixed) {
  switch (kind) {
    case EVENT_OBJECT_NOTIFY:
      return is_mixed ? "notify and notifyAll" : "notify";
    case EVENT_OBJECT_NOTIFY_ALL:
      return is_mixed ? "notify and notifyAll" : "notifyAll";
    case EVENT_CONDITION_SIGNAL:
      return is_mixed ? "signal and signalAll" : "signal";
    case EVENT_CONDITION_SIGNAL_ALL:
      return is_mixed ? "signal and signalAll" : "signalAll";
    case EVENT_SEMAPHORE_RELEASE:
      return "release";
    case EVENT_LATCH_COUNT_DOWN:
      return "countDown";
    case EVENT_PHASER_ARRIVE:
      return "arrive";
    case EVENT_THREAD_UNPARK:
      return "unpark";
    default:
      return NULL;
  }
}

/* Whether all such calls have lines: with a threshold most have none, and neither have calls that
   put something into a queue, or take it, without waiting. */
static bool are_signals_known(const struct finder *f, enum event_kind call) {
  const struct coverage *c = dump_coverage(f->m->dump);
  return coverage_has_short_pairs(c) && coverage_has_group(c, event_infos[call].group) &&
         wake_event_has_signals(call);
}

static void find_signals(const struct finder *f, const struct hang_group *row,
                         struct found_wait *out) {
  const struct signals_row *s = row->signals;
  if (s == NULL) return;
  out->signals_are_known =
      are_signals_known(f, s->call) && signals_are_all(&f->answer->signals, s, &row->first);
  out->signals = s->num;
  if (s->num == 0) return;
  out->signal = name_signal(s->last, s->is_mixed);
  out->signaller = name_thread(f, s->thread);
  out->signalled_at = name_stack(f, s->stack);
  out->signal_age = found_ns(f->m->hang.moment - s->time);
  if (s->time < row->first.begin) out->signal_before = found_ns(row->first.begin - s->time);
}

/* Calls of other threads that are missing at a latch or a phaser. */
static void find_missing(const struct finder *f, const struct hang_group *row,
                         struct found_wait *out) {
  const struct signals_row *s = row->signals;
  if (s == NULL || !signals_have_parties(&f->answer->signals, s, &row->first)) return;
  if (row->first.is_older && !are_signals_known(f, s->call)) return;
  out->missing = (uint64_t)s->parties.missing;
  if (s->parties.of > 0) out->missing_of = (uint64_t)s->parties.of;
  bool is_latch = row->first.kind == EVENT_LATCH_AWAIT;
  if (is_latch && out->signals_are_known && s->num > 0)
    out->counted_by =
        name_threads(f, &f->answer->signals.parties, signals_group(&f->answer->signals, s));
}

/* Permits that threads acquired and did not release, though others were released by theirs: at the
   moment of the graph, since a signal that ends the JVM makes threads release theirs. */
static void find_kept(const struct finder *f, const struct hang_group *row,
                      struct found_wait *out) {
  const struct waiter *w = row->waiter;
  const struct signals_row *s = row->signals;
  bool is_known = s != NULL && s->call == EVENT_SEMAPHORE_ACQUIRE && w->need == WAIT_NEEDS_ANY;
  struct tally keepers = {0};
  if (!is_known) return;
  out->acquired = s->acquired;
  out->released = s->released;
  for (size_t i = 0; i < w->num_owners; i++) {
    const struct wait_link *link = &f->m->hang.graph.owners[w->first_owner + i];
    out->kept += link->owner_times;
    out->kept_at = name_stack(f, link->owner_stack);
    f->out->failed |= !tally_add(&keepers, 0, link->owner, 1, 0);
  }
  tally_sort(&keepers);
  if (out->kept > 0 && !f->out->failed) out->keepers = name_threads(f, &keepers, 0);
  tally_free(&keepers);
}

static void find_holder(struct hang_groups *g, const struct hang_group *row,
                        struct found_wait *out) {
  const struct finder *f = g->f;
  const struct waiter *w = row->waiter;
  bool is_lock = lock_event_asks(w->pair.kind) && lock_events[w->pair.kind].sort != LOCK_SEMAPHORE;
  if (!is_lock || w->num_owners == 0 || !row->is_one_object) return;
  const struct wait_link *link = &f->m->hang.graph.owners[w->first_owner];
  out->holder = name_thread(f, link->owner);
  out->holder_ended = find_ended(f, lock_events[w->pair.kind].sort, link->owner);
  if (out->holder_ended > 0) {
    find_failure(f, link->owner, &out->holder_failure);
    f->out->failed |= !tally_add(&g->told, 0, link->owner, 1, 0);
  }
  if (!link->owner_stack_is_later) out->acquired_at = name_stack(f, link->owner_stack);
}

/* Earlier waits at this place. */
static void find_past(const struct finder *f, const struct hang_group *row,
                      struct found_wait *out) {
  const struct past_waits_row *past = past_waits_find(&f->answer->past, &row->first);
  if (past == NULL) return;
  out->earlier = past->num;
  out->earlier_longest = found_ns(past->longest);
}

/* Adds the workers of a pool to group 0. Returns whether all of them wait, and not for work. */
static bool add_waiting_workers(const struct finder *f, const struct pool *pool,
                                struct tally *out) {
  const struct pools *p = &f->m->pools;
  bool all_wait = true;
  for (size_t i = 0; i < p->num_workers; i++) {
    uint32_t thread = p->workers[i].thread;
    if (p->workers[i].executor != pool->executor) continue;
    const struct waiter *w = wait_for_find(&f->m->hang.graph, thread);
    all_wait = all_wait && w != NULL && hang_lasts(f->m, w);
    f->out->failed |= !tally_add(out, 0, thread, 1, 0);
  }
  tally_sort(out);
  return all_wait && out->num > 0;
}

/* The task that a thread queued just before it began to wait for a result, if no worker can take
   it. Who completes a future by hand is not known, but this task may be what it waits for. */
static void find_queued_task(const struct finder *f, const struct hang_group *row,
                             struct found_wait *out) {
  const struct pair *pair = &row->first;
  const struct pools *p = &f->m->pools;
  uint64_t last = 0;
  struct wake_signal queued;
  bool is_result =
      event_infos[pair->kind].group == GROUP_FUTURE || event_infos[pair->kind].group == GROUP_LATCH;
  if (!is_result || out->num_threads != 1 || row->num_untaken > 0) return;
  hashmap_get(&p->last_queued, pair->thread, &last);
  const struct pool *pool = pools_find(p, (uint32_t)(last >> 32));
  if (pool == NULL || !pool_has_waiting(p, pool)) return;
  if (coverage_is_lossy(dump_coverage(f->m->dump))) return;
  bool waits = task_queues_newest(&f->m->queued_tasks.waiting, (uint32_t)last, &queued);
  bool is_own = waits && queued.thread == pair->thread && queued.time <= pair->begin &&
                pair->begin - queued.time <= JUST_BEFORE;
  struct tally workers = {0};
  if (is_own && add_waiting_workers(f, pool, &workers)) {
    out->queued_before = found_ns(pair->begin - queued.time);
    out->workers = name_threads(f, &workers, 0);
    out->num_workers = workers.num;
  }
  tally_free(&workers);
}

/* The pool of all threads of a row; NULL: they have several, or that is not known. */
static const struct pool *find_own_pool(const struct hang_groups *g, const struct hang_group *row) {
  const struct pools *p = &g->f->m->pools;
  size_t num = 0;
  const struct tally_row *threads = tally_of(&g->threads, row->id, &num);
  const struct pool *pool = num == 0 ? NULL : pools_of_worker(p, (uint32_t)threads[0].key);
  for (size_t i = 1; i < num; i++) {
    if (pools_of_worker(p, (uint32_t)threads[i].key) != pool) return NULL;
  }
  return pool;
}

/* All workers of a pool, in whose queue tasks wait for them. */
static void find_pool(const struct hang_groups *g, const struct hang_group *row,
                      struct found_wait *out) {
  const struct pool *pool = find_own_pool(g, row);
  size_t num = 0;
  tally_of(&g->threads, row->id, &num);
  if (pool == NULL || pool->num_workers != num || !pool_has_waiting(&g->f->m->pools, pool)) return;
  out->pool_workers = num;
  out->pool_queued = pool->num_queued;
}

/* A pool calls afterExecute with a task that its thread has run. */
static bool is_after_task(const struct finder *f, const struct pair *pair) {
  return names_stack_matches(f->m->dump, &f->m->stacks, pair->stack, "*.afterExecute");
}

/* Whether the recording did not see who took the task that a thread waits for: perhaps this one. */
static bool may_be_own_task(const struct finder *f, const struct pair *pair) {
  return pair->is_older && event_infos[pair->kind].group == GROUP_FUTURE && is_after_task(f, pair);
}

/* Who waits for the end of their pool. */
static void find_awaiters(const struct hang_groups *g, const struct hang_group *row,
                          struct found_wait *out) {
  const struct finder *f = g->f;
  const struct wait_for *graph = &f->m->hang.graph;
  const struct pool *pool = find_own_pool(g, row);
  struct tally awaiters = {0};
  for (size_t i = 0; pool != NULL && i < graph->num; i++) {
    const struct pair *pair = &graph->waiters[i].pair;
    if (pair->kind != EVENT_EXECUTOR_AWAIT || pair->object != pool->executor) continue;
    f->out->failed |= !tally_add(&awaiters, 0, pair->thread, 1, 0);
    out->awaits_at = name_stack(f, pair->stack);
  }
  tally_sort(&awaiters);
  out->num_awaiters = f->out->failed ? 0 : count_threads(&awaiters, 0);
  if (out->num_awaiters > 0) out->awaiters = name_threads(f, &awaiters, 0);
  tally_free(&awaiters);
}

static void add_wait(struct hang_groups *g, const struct hang_group *row, bool may_end,
                     struct found_rows *waits) {
  const struct finder *f = g->f;
  struct found_wait *out = FINDINGS_PART(f->out, waits, wait);
  bool joins = event_joins(row->first.kind);
  if (out == NULL) return;
  *out = (struct found_wait){.threads = name_threads(f, &g->threads, row->id),
                             .num_threads = count_threads(&g->threads, row->id),
                             .call = name_call(f, (int)row->first.kind, row->first.stack),
                             .place = name_place(f, row->place),
                             .shortest = found_ns(row->shortest),
                             .longest = found_ns(row->longest),
                             .has_limit = row->waiter->is_timed,
                             .may_end = may_end};
  out->since_before = row->num_older == out->num_threads;
  if (joins) out->joins = name_threads(f, &g->joined, row->id);
  if (row->is_one_object && !joins) out->object = name_object(f, row->first.object);
  if (row->is_own_task) out->own_task = is_after_task(f, &row->first) ? "has run" : "runs";
  bool is_other = !joins && !row->is_own_task && !may_be_own_task(f, &row->first);
  if (is_other) out->needs = find_end(row->first.kind);
  out->untaken = row->num_untaken;
  find_holder(g, row, out);
  find_signals(f, row, out);
  find_missing(f, row, out);
  find_kept(f, row, out);
  if (!row->is_own_task) {
    find_parties(f, row, &g->told, out);
    find_busy_pool(f, row, out);
  }
  if (may_end) {
    find_awaiters(g, row, out);
    find_past(f, row, out);
    out->pool_workers = count_pool_workers(f, &g->threads, row->id, (int)row->first.kind);
  }
  find_pool(g, row, out);
  find_queued_task(f, row, out);
  bool is_elsewhere = out->num_threads == 1 && row->first.kind != EVENT_QUEUE_REMOVE;
  if (is_elsewhere) find_own_queue(f, row->first.thread, out);
}

ticks_t hang_groups_find(struct hang_groups *g, bool may_end, struct found_rows *waits) {
  ticks_t waited = 0;
  for (size_t i = 0; i < g->num; i++) {
    waited += g->rows[i].total;
    if (i < HANG_SHOWN) add_wait(g, &g->rows[i], may_end, waits);
  }
  return waited;
}

void hang_groups_free(struct hang_groups *g) {
  tally_free(&g->threads);
  tally_free(&g->joined);
  tally_free(&g->told);
}

static bool find_groups(struct hang_groups *g) {
  const struct wait_for *graph = &g->f->m->hang.graph;
  for (size_t i = 0; i < graph->num; i++) {
    const struct waiter *w = &graph->waiters[i];
    /* find_class_inits tells who waits for a class. */
    bool is_told = w->pair.kind == EVENT_CLASS_INIT_WAIT;
    if (w->can_end || hang_is_idle(g->f->m, w) || is_told) continue;
    if (!hang_groups_add(g, w)) return false;
  }
  return hang_groups_end(g);
}

void find_hang(const struct finder *f) {
  const struct hang *h = &f->m->hang;
  struct hang_groups g = {.f = f};
  struct found_hang row = {
      .still = found_ns(h->moment - h->since), .is_part = h->is_part, .has_limit = h->has_limits};
  if (h->since == 0) return;
  f->out->failed |= !find_groups(&g);
  ticks_t waited = f->out->failed ? 0 : hang_groups_find(&g, false, &row.waits);
  row.threads = g.waiting;
  find_failures(f, &g.told, &row.failures);
  if (g.num > 0) FINDINGS_ADD(f->out, hang, waited, &row);
  hang_groups_free(&g);
}
