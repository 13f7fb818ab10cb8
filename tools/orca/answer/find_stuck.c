/* Waits that had not ended when the recording did, and seem not to: of threads for a lock, and of
   threads in other calls. To wait for long is normal for many threads: main joins a server, a
   consumer waits for work. So a long wait counts only with a sign that it is not meant to last. */
#include "tools/orca/answer/find_parties.h"
#include "tools/orca/answer/lock_waits.h"
#include "tools/orca/model/names.h"

#define LOCK_TICKS TICKS_PER_S /* for a lock, so long */
#define STUCK_SHOWN 3

/* A wait is long if it is this part of the recording, or so long. */
#define LONG_PARTS 3
#define LONG_TICKS (10 * TICKS_PER_S)
/* The earlier waits at the place, which were much shorter. */
#define LEAST_EARLIER 3
#define MUCH_SHORTER 10
/* The same, beside threads that may be at work on it. */
#define LEAST_EARLIER_BUSY 10
#define MUCH_SHORTER_BUSY 100
#define LEAST_TASKS 3   /* of a worker, before it waits */
#define LEAST_SIGNALS 3 /* on an object */
#define LEAST_PASSED 2  /* threads */
#define LEAST_ENDED 3   /* waits, by one thread */
#define TICKER_CALLS 3  /* of a thread: it waits again and again, as a heartbeat does */

/* --- locks ---------------------------------------------------------------------------------- */

/* Whether the thread waits for a signal: it is not stuck, it waits for work. */
static bool waits_for_signal(const struct model *m, const struct pair *pair) {
  enum lock_sort sort = lock_events[pair->kind].sort;
  for (size_t i = 0; i < m->locks.num; i++) {
    const struct lock *lock = &m->locks.rows[i];
    if (lock->object == pair->object && lock->sort == sort) return lock_is_signal(lock);
  }
  return false;
}

/* A thread that waits without a time limit, for long, and until the end: it may be stuck. */
static bool is_stuck_on_lock(const struct model *m, const struct pair *pair) {
  return lock_events[pair->kind].act == LOCK_ACT_WAITS && find_waited(m, pair) >= LOCK_TICKS &&
         !waits_for_signal(m, pair) && !deadlocks_has_thread(&m->timed_rings, pair->thread);
}

/* --- what a wait is for --------------------------------------------------------------------- */

enum purpose {
  FOR_NOTHING, /* for the end of threads, which are the ones to look at; of a process; a lock */
  FOR_RESULT,  /* what others have begun to do for the thread, or with it */
  FOR_ANYTHING /* perhaps for more work */
};

static enum purpose find_purpose(const struct model *m, const struct waiter *w) {
  enum event_kind kind = w->pair.kind;
  if (waits_for_child(m, w->pair.stack)) return FOR_NOTHING;
  switch (event_infos[kind].group) {
    case GROUP_FUTURE:
    case GROUP_LATCH:
    case GROUP_BARRIER:
      return FOR_RESULT;
    case GROUP_QUEUE:
      return kind == EVENT_QUEUE_INSERT ? FOR_RESULT : FOR_ANYTHING;
    case GROUP_SEMAPHORE:
      return waits_for_signal(m, &w->pair) ? FOR_ANYTHING : FOR_RESULT;
    case GROUP_WAIT:
    case GROUP_CONDITION:
    case GROUP_PARK:
      return FOR_ANYTHING;
    default:
      return FOR_NOTHING;
  }
}

/* --- the other threads ---------------------------------------------------------------------- */

struct stuck_finder {
  const struct finder *f;
  bool is_worked_on;    /* a thread may be at work on what others wait for */
  struct hashmap stuck; /* the threads that are, apart from those that wait for locks */
};

/* Whether a thread has spent time in a task of a pool. */
static bool was_in_task(const struct model *m, uint32_t thread) {
  const struct spending *s = &m->spending;
  for (size_t i = 0; i < s->num; i++) {
    bool can_be = !s->rows[i].is_idle && hang_is_in_task(m, s->rows[i].stack);
    if (can_be && tally_find(&s->threads, s->rows[i].id, thread) != NULL) return true;
  }
  return false;
}

/* A heartbeat, or a worker that mostly waits for work: it does the same whether others wait or not.
 */
static bool is_ticker(const struct model *m, const struct thread *t) {
  uint64_t calls = 0;
  bool is_mostly_idle =
      spending_waited_for_work(&m->spending, t->hash) * 2 >= recording_time(&m->recording);
  for (size_t i = 0; i < NUM_GROUPS; i++) calls += t->pairs[i];
  return is_mostly_idle || (calls >= TICKER_CALLS && !was_in_task(m, t->hash));
}

/* Whether a timer waits for the time of a task, and has for a while: the task may be what others
   wait for. That of a heartbeat waits for a shorter time. Of the threads of such a pool one waits
   for the time, the others until it goes. */
static bool is_long_timer(const struct model *m, const struct thread *t, const struct waiter *w) {
  static const char *const timers[] = {"ScheduledThreadPoolExecutor$DelayedWorkQueue.*",
                                       "ForkJoinPool$DelayScheduler.*", "DelayScheduler.*",
                                       "TimerThread.mainLoop"};
  bool has_no_limit = t->state_time != 0 && (t->state == STATE_PARKED || t->state == STATE_WAITING);
  if (w == NULL || !w->is_asleep || has_no_limit) return false;
  if (m->hang.moment - w->pair.begin < LOCK_TICKS) return false;
  for (size_t i = 0; i < sizeof timers / sizeof *timers; i++) {
    if (names_stack_matches(m->dump, &m->stacks, w->pair.stack, timers[i])) return true;
  }
  return false;
}

/* Whether a thread does something now, or will after its sleep. One in I/O waits for the outside.
 */
static bool may_work(const struct model *m, const struct thread *t) {
  const struct hang *h = &m->hang;
  const struct waiter *w = wait_for_find(&h->graph, t->hash);
  bool lives = hang_lives(h, t);
  if (lives && is_long_timer(m, t, w)) return true;
  bool waits = w != NULL && (w->is_of_jvm || !w->is_asleep || hang_is_idle(m, w));
  if (!lives || waits || hang_is_jvm_thread(t) || t->activity == ACTIVITY_IO) return false;
  return !spending_is_idle(&m->spending, t->activity_stack) && !is_ticker(m, t);
}

static bool is_worked_on(const struct model *m) {
  for (size_t i = 0; i < m->threads.num_all; i++) {
    if (may_work(m, &m->threads.rows[i])) return true;
  }
  return false;
}

/* Whether hardly any thread has been busy since then. */
static bool is_quiet_since(const struct model *m, ticks_t begin) {
  ticks_t time = m->hang.moment - begin;
  return spending_busy(&m->spending, begin, m->hang.moment) * 2 < time;
}

/* --- signs ---------------------------------------------------------------------------------- */

static ticks_t find_time(const struct model *m, const struct waiter *w) {
  return m->hang.moment - w->pair.begin;
}

static bool has_shorter(const struct past_waits_row *past, ticks_t time, uint64_t least,
                        ticks_t times) {
  return past != NULL && past->num >= least && past->longest * times <= time;
}

/* Whether it holds a lock for which another thread has waited for long. */
static bool blocks_others(const struct model *m, const struct waiter *w) {
  const struct wait_for *graph = &m->hang.graph;
  for (size_t i = 0; i < graph->num; i++) {
    const struct waiter *other = &graph->waiters[i];
    bool is_blocked = other != w && lock_event_asks(other->pair.kind) && !other->is_timed &&
                      find_time(m, other) >= LOCK_TICKS;
    for (size_t j = 0; is_blocked && j < other->num_owners; j++) {
      if (graph->owners[other->first_owner + j].owner == w->pair.thread) return true;
    }
  }
  return false;
}

/* Whether another thread was started at the same place, and has ended. */
static bool is_ended_sibling(const struct model *m, uint32_t thread, uint32_t other) {
  place_t place = threads_started_at(&m->threads, thread);
  uint64_t ended;
  return place != 0 && other != thread && threads_started_at(&m->threads, other) == place &&
         hashmap_get(&m->hang.graph.ended, other, &ended);
}

static bool has_sibling_ended(const struct model *m, uint32_t thread) {
  for (size_t i = 0; i < m->threads.num_all; i++) {
    if (is_ended_sibling(m, thread, m->threads.rows[i].hash)) return true;
  }
  return false;
}

/* Other threads of its kind waited here, too, went on, and have ended. */
static bool have_others_passed(const struct finder *f, const struct past_waits_row *past,
                               uint32_t thread) {
  size_t num = 0, passed = 0;
  const struct tally_row *rows =
      past == NULL ? NULL : past_waits_threads(&f->answer->past, past, &num);
  for (size_t i = 0; i < num; i++) {
    passed += is_ended_sibling(f->m, thread, (uint32_t)rows[i].key);
  }
  return passed >= LEAST_PASSED;
}

/* Only the threads that wait now have ever signalled, apart from some of their kind that have
   ended: they wait for each other, as users of a pool of objects do. A consumer is signalled by
   others. */
static bool wait_for_each_other(const struct finder *f, const struct waiter *w) {
  const struct signals_row *s = signals_find(&f->answer->signals, &w->pair);
  return s != NULL && w->pair.kind != EVENT_THREAD_PARK && s->num >= LEAST_SIGNALS &&
         s->num_others == 0 &&
         (wait_for_find(&f->m->hang.graph, s->thread) != NULL ||
          is_ended_sibling(f->m, w->pair.thread, s->thread));
}

/* Whether the threads that let others go on here have ended, and each of them often did. Threads
   that end after one request are no sign: the next request starts a new one. */
static bool have_enders_ended(const struct finder *f, const struct past_waits_row *past) {
  size_t num = 0;
  const struct tally_row *rows =
      past == NULL ? NULL : past_waits_enders(&f->answer->past, past, &num);
  for (size_t i = 0; i < num; i++) {
    uint64_t ended;
    bool has_ended = hashmap_get(&f->m->hang.graph.ended, rows[i].key, &ended);
    if (!has_ended || rows[i].count < LEAST_ENDED) return false;
  }
  return num > 0;
}

/* A sign for a thread of the program, if nothing else goes on. */
static bool has_sign_in_quiet(const struct stuck_finder *s, const struct waiter *w,
                              enum purpose purpose, const struct past_waits_row *past) {
  const struct finder *f = s->f;
  bool is_own = !hang_is_main(f->m, w->pair.thread);
  bool is_several = past != NULL && past->num_now > 1;
  bool is_meeting = event_infos[w->pair.kind].group == GROUP_BARRIER;
  if (purpose == FOR_ANYTHING) {
    bool are_users = has_shorter(past, find_time(f->m, w), LEAST_EARLIER, MUCH_SHORTER) &&
                     are_users_of_pool(f, &w->pair);
    return is_own && (have_others_passed(f, past, w->pair.thread) || wait_for_each_other(f, w) ||
                      are_users || have_enders_ended(f, past));
  }
  /* One thread outside of tasks may be a consumer: each element completes the next future. */
  bool is_request = is_several || is_meeting || hang_is_in_task(f->m, w->pair.stack) ||
                    w->pair.kind == EVENT_QUEUE_INSERT;
  bool has_history = has_shorter(past, find_time(f->m, w), LEAST_EARLIER, MUCH_SHORTER);
  return (is_request && (is_own || has_history)) ||
         (is_meeting && has_sibling_ended(f->m, w->pair.thread));
}

/* Whether no thread that has ended signalled: it may have brought work, which a task waits for. */
static bool is_signalled_by_waiters(const struct finder *f, const struct waiter *w) {
  const struct signals_row *s = signals_find(&f->answer->signals, &w->pair);
  return s != NULL && s->num_ended == 0;
}

/* Whether all workers of its pool have waited for long, while tasks wait for them. */
static bool keeps_tasks(const struct model *m, const struct waiter *w) {
  const struct pools *p = &m->pools;
  const struct pool *pool = pools_of_worker(p, w->pair.thread);
  if (w->pair.kind == EVENT_QUEUE_REMOVE || pool == NULL || !pool_has_waiting(p, pool))
    return false;
  for (size_t i = 0; i < p->num_workers; i++) {
    if (p->workers[i].executor != pool->executor) continue;
    const struct waiter *other = wait_for_find(&m->hang.graph, p->workers[i].thread);
    if (other == NULL || !hang_lasts(m, other)) return false;
  }
  return true;
}

/* Whether elements are left in a queue from which only this thread takes. */
static bool keeps_elements(const struct finder *f, const struct waiter *w) {
  struct found_wait found = {0};
  if (w->pair.kind != EVENT_QUEUE_REMOVE) find_own_queue(f, w->pair.thread, &found);
  return found.queue != NULL;
}

/* Whether such waits were ended by threads that waited there, too, as those do that release a lock.
   An event or a latch is set by others. */
static bool are_ended_by_waiters(const struct finder *f, const struct past_waits_row *past) {
  size_t num_enders = 0, num = 0;
  const struct tally_row *enders =
      past == NULL ? NULL : past_waits_enders(&f->answer->past, past, &num_enders);
  const struct tally_row *waiters =
      past == NULL ? NULL : past_waits_threads(&f->answer->past, past, &num);
  for (size_t i = 0; i < num_enders; i++) {
    size_t at = 0;
    while (at < num && waiters[at].key != enders[i].key) at++;
    if (at == num) return false;
  }
  return num_enders > 0;
}

/* Whether a thread acquires a lock or limit of the program's own, which is made of the JDK's
   AbstractQueuedSynchronizer. */
static bool acquires_own_lock(const struct finder *f, const struct waiter *w,
                              const struct past_waits_row *past) {
  const struct model *m = f->m;
  bool is_own = w->pair.kind == EVENT_THREAD_PARK && !hang_is_main(m, w->pair.thread) &&
                (names_stack_matches(m->dump, &m->stacks, w->pair.stack,
                                     "AbstractQueuedSynchronizer.acquire*") ||
                 names_stack_matches(m->dump, &m->stacks, w->pair.stack,
                                     "AbstractQueuedLongSynchronizer.acquire*"));
  return is_own && has_shorter(past, find_time(m, w), LEAST_EARLIER, MUCH_SHORTER) &&
         are_ended_by_waiters(f, past);
}

/* Whether the wait is told with the threads for which it is. */
static bool is_told(const struct model *m, const struct waiter *w) {
  return w->num_owners > 0 && (!w->can_end || find_purpose(m, w) != FOR_RESULT);
}

static bool has_sign(const struct stuck_finder *s, const struct waiter *w) {
  const struct finder *f = s->f;
  const struct past_waits_row *past = past_waits_find(&f->answer->past, &w->pair);
  enum purpose purpose = find_purpose(f->m, w);
  if (waits_for_own_task(f->m, &w->pair)) return true;
  if (blocks_others(f->m, w) || keeps_tasks(f->m, w) || keeps_elements(f, w)) return true;
  if (acquires_own_lock(f, w, past)) return true;
  if (hang_is_in_task(f->m, w->pair.stack)) {
    bool is_request = past_waits_tasks(&f->answer->past, w->pair.thread) >= LEAST_TASKS;
    if (purpose == FOR_ANYTHING && is_request) return true;
    if (purpose == FOR_ANYTHING && !is_signalled_by_waiters(f, w)) return false;
    bool is_sudden = has_shorter(past, find_time(f->m, w), LEAST_EARLIER_BUSY, MUCH_SHORTER_BUSY);
    if (purpose == FOR_RESULT && is_sudden) return true;
  }
  return !s->is_worked_on && is_quiet_since(f->m, w->pair.begin) &&
         has_sign_in_quiet(s, w, purpose, past);
}

/* Whether a wait is long, and for more than the end of threads. */
static bool may_be_stuck(const struct model *m, const struct waiter *w) {
  ticks_t time = find_time(m, w), recorded = recording_time(&m->recording);
  bool is_long = time >= LONG_TICKS || time * LONG_PARTS >= recorded;
  return is_long && hang_lasts(m, w) && find_purpose(m, w) != FOR_NOTHING && !is_told(m, w);
}

static bool is_stuck(const struct stuck_finder *s, uint32_t thread) {
  uint64_t found;
  return hashmap_get(&s->stuck, thread, &found);
}

/* --- threads beside these ------------------------------------------------------------------- */

static bool waits_alike(const struct model *m, const struct pair *a, const struct pair *b) {
  return a->kind == b->kind && a->object == b->object && a->object != 0 &&
         stacks_place(&m->stacks, a->stack) == stacks_place(&m->stacks, b->stack);
}

/* Whether it is the only one that ever signalled this wait. */
static bool is_only_signaller(const struct finder *f, uint32_t thread, const struct pair *pair) {
  const struct signals_row *s = signals_find(&f->answer->signals, pair);
  size_t num = 0;
  const struct tally_row *rows = s == NULL ? NULL : signals_parties(&f->answer->signals, s, &num);
  return num == 1 && rows[0].key == thread && s->num >= LEAST_SIGNALS;
}

/* Whether all threads that ended such waits wait themselves, and not for work. */
static bool wait_enders(const struct finder *f, const struct pair *pair) {
  const struct past_waits_row *past = past_waits_find(&f->answer->past, pair);
  size_t num = 0;
  const struct tally_row *rows =
      past == NULL ? NULL : past_waits_enders(&f->answer->past, past, &num);
  uint64_t ended = 0;
  for (size_t i = 0; i < num; i++) {
    const struct waiter *w = wait_for_find(&f->m->hang.graph, (uint32_t)rows[i].key);
    if (w == NULL || !hang_lasts(f->m, w)) return false;
    ended += rows[i].count;
  }
  return ended >= LEAST_ENDED;
}

/* Whether a thread waits for the same as one that is stuck; or one that is stuck and it wait for
   each other. */
static bool is_stuck_beside(const struct stuck_finder *s, const struct waiter *w) {
  const struct finder *f = s->f;
  const struct wait_for *graph = &f->m->hang.graph;
  bool may_be_awaited = wait_enders(f, &w->pair);
  for (size_t i = 0; i < graph->num; i++) {
    const struct pair *other = &graph->waiters[i].pair;
    if (!is_stuck(s, other->thread)) continue;
    if (waits_alike(f->m, &w->pair, other)) return true;
    if (may_be_awaited && is_only_signaller(f, w->pair.thread, other)) return true;
  }
  return false;
}

static bool find_threads(struct stuck_finder *s) {
  const struct model *m = s->f->m;
  const struct wait_for *graph = &m->hang.graph;
  bool is_beside = false, has_more = true, good = true;
  while (good && has_more) {
    has_more = false;
    for (size_t i = 0; good && i < graph->num; i++) {
      const struct waiter *w = &graph->waiters[i];
      bool is_new = !is_stuck(s, w->pair.thread) && may_be_stuck(m, w) &&
                    (is_beside ? is_stuck_beside(s, w) : has_sign(s, w));
      if (!is_new) continue;
      good = hashmap_put(&s->stuck, w->pair.thread, 1);
      has_more = true;
    }
    is_beside = true;
  }
  return good;
}

/* --- the finding ---------------------------------------------------------------------------- */

static bool find_waits(struct hang_groups *g, const struct stuck_finder *s) {
  const struct wait_for *graph = &s->f->m->hang.graph;
  for (size_t i = 0; i < graph->num; i++) {
    const struct waiter *w = &graph->waiters[i];
    if (is_stuck(s, w->pair.thread) && !hang_groups_add(g, w)) return false;
  }
  return hang_groups_end(g);
}

static void set_owner(const struct model *m, struct wait_link *link) {
  const struct holders *h = &m->pass.holders;
  link->owner = holders_owner_now(h, &link->pair);
  if (link->owner != 0) return;
  link->owner = holders_reader_now(h, &link->pair);
  link->owner_reads = link->owner != 0;
}

/* An owner that is not known can hide a deadlock. */
static ticks_t find_lock_waits(const struct stuck_finder *s, struct found_stuck *row) {
  const struct finder *f = s->f;
  struct lock_waits waits = {0};
  struct pair pair;
  ticks_t waited = 0;
  bool matches;
  for (size_t cursor = 0; model_next_open(f->m, &cursor, &pair, &matches);) {
    if (!matches || !is_stuck_on_lock(f->m, &pair)) continue;
    const struct waiter *w = wait_for_find(&f->m->hang.graph, pair.thread);
    bool is_above = w != NULL && w->pair.kind == pair.kind && is_stuck(s, pair.thread);
    if (is_above) continue;
    waited += find_waited(f->m, &pair);
    row->threads++;
    struct wait_link link = {.pair = pair};
    set_owner(f->m, &link);
    f->out->failed |= !lock_waits_add(&waits, f, &link);
  }
  lock_waits_find(&waits, f, STUCK_SHOWN, &row->links);
  lock_waits_free(&waits);
  return waited;
}

/* More idle threads are nothing special. */
#define MOST_IDLE 4

static bool are_all_older(const struct found_stuck *row) {
  const struct found_wait *waits = row->waits.rows;
  const struct found_link *links = row->links.rows;
  bool are_older = true;
  for (size_t i = 0; i < row->waits.num; i++) are_older &= waits[i].since_before;
  for (size_t i = 0; i < row->links.num; i++) are_older &= links[i].since_before;
  return are_older;
}

/* If all began to wait before the recording, nothing tells who let others go on before. It may be
   one of the threads that have been idle since then, too. */
static void find_idle(const struct finder *f, struct found_stuck *row) {
  const struct model *m = f->m;
  const struct wait_for *graph = &m->hang.graph;
  struct tally idle = {0};
  for (size_t i = 0; i < graph->num; i++) {
    const struct waiter *w = &graph->waiters[i];
    bool is_idle = w->pair.is_older && !w->is_of_jvm && !w->is_asleep && hang_is_idle(m, w);
    if (is_idle) f->out->failed |= !tally_add(&idle, 0, w->pair.thread, 1, 1);
  }
  tally_sort(&idle);
  size_t num = f->out->failed ? 0 : count_threads(&idle, 0);
  if (num > 0 && num <= MOST_IDLE) {
    row->idle = name_threads(f, &idle, 0);
    row->num_idle = num;
  }
  tally_free(&idle);
}

void find_stuck(const struct finder *f) {
  struct found_stuck row = {0};
  struct stuck_finder s = {.f = f, .is_worked_on = is_worked_on(f->m)};
  struct hang_groups g = {.f = f};
  f->out->failed |= !find_threads(&s) || !find_waits(&g, &s);
  ticks_t waited = find_lock_waits(&s, &row);
  if (!f->out->failed) waited += hang_groups_find(&g, true, &row.waits);
  row.threads += g.waiting;
  if (row.threads > 0 && are_all_older(&row)) find_idle(f, &row);
  if (row.threads > 0) find_failures(f, &g.told, &row.failures);
  if (row.threads > 0) FINDINGS_ADD(f->out, stuck, waited, &row);
  hang_groups_free(&g);
  hashmap_free(&s.stuck);
}
