#include "tools/orca/model/wait_edges.h"

#include <string.h>

#include "agent/event/meaning.h"
#include "tools/orca/model/model.h"
#include "tools/orca/model/stream_inits.h"

/* The types of parameters that limit the time of a wait: J is a number of milliseconds or more. */
static bool has_time_limit(struct span signature) {
  static const char *const types[] = {"Ljava/util/concurrent/TimeUnit;", "Ljava/time/Duration;",
                                      "Ljava/util/Date;"};
  struct span parameters;
  span_cut(&signature, ')', &parameters);
  for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
    if (memmem(parameters.data, parameters.len, types[i], strlen(types[i])) != NULL) return true;
  }
  return span_starts(parameters, "(J");
}

/* Returns whether a sample shows that the thread waits without a limit. */
static bool waits_for_ever(const struct pair *pair, const struct threads *threads) {
  const struct thread *t = threads_find(threads, pair->thread);
  return t != NULL && t->state_time >= pair->begin &&
         (t->state == STATE_WAITING || t->state == STATE_PARKED);
}

/* An attempt gives up by itself. To enter a monitor has no limit, and is no call: the method is the
   one that enters. Of other calls the method tells. A limit of 0 means none: the stack does not
   show arguments, but a sample shows the state. Without a stack a wait is endless. */
static bool is_timed(const struct pair *pair, const struct wait_sources *s) {
  if (lock_events[pair->kind].act == LOCK_ACT_TRIES) return true;
  if (pair->kind == EVENT_MONITOR_CONTENDED_ENTER) return false;
  size_t depth = 0;
  const struct frame *frames =
      pair->stack == 0 ? NULL : stacks_frames(s->stacks, pair->stack, &depth);
  const struct method_line *method = depth == 0 ? NULL : dump_method(s->dump, frames[0].method);
  if (method == NULL) return false;
  bool is_park_nanos = span_starts(method->signature, "(Ljava/lang/Object;J)");
  bool has_limit = is_park_nanos || has_time_limit(method->signature);
  return has_limit && !waits_for_ever(pair, s->threads);
}

static bool add_hold(struct wait_for *w, struct waiter *waiter, const struct hold *hold) {
  struct wait_link link = {.pair = waiter->pair,
                           .owner = hold->thread,
                           .owner_stack = hold->stack,
                           .owner_since = hold->since,
                           .owner_times = hold->times};
  return wait_for_add_owner(w, waiter, &link);
}

/* Its permits belong to those who acquired them, also to a thread that wants one more. */
static bool add_permit_owners(struct wait_for *w, struct waiter *waiter,
                              const struct holders *holders) {
  const struct pair *pair = &waiter->pair;
  if (!holders_own_permits(holders, pair->object)) return true;
  const struct hold *hold = holds_of_lock(&holders->holds, lock_key(LOCK_SEMAPHORE, pair->object));
  for (; hold != NULL; hold = holds_next_of_lock(&holders->holds, hold)) {
    waiter->need = WAIT_NEEDS_ANY;
    if (!add_hold(w, waiter, hold)) return false;
  }
  return true;
}

static bool add_lock_owners(struct wait_for *w, struct waiter *waiter,
                            const struct holders *holders) {
  const struct pair *pair = &waiter->pair;
  const struct hold *hold = NULL;
  while ((hold = holders_next(holders, pair->kind, pair->object, pair->thread, hold)) != NULL) {
    waiter->need = WAIT_NEEDS_ALL;
    if (!add_hold(w, waiter, hold)) return false;
  }
  if (waiter->num_owners > 0) return true;
  struct wait_link link = {.pair = *pair};
  holders_set_owner(holders, &link, holders_owner_now(holders, pair));
  if (link.owner == 0) return true;
  waiter->need = WAIT_NEEDS_ALL;
  return wait_for_add_owner(w, waiter, &link);
}

/* Until another thread has initialized a class. It has no pair. */
static bool add_class_init(struct wait_for *w, const struct class_init *wait) {
  struct pair pair = {.kind = EVENT_CLASS_INIT_WAIT,
                      .thread = wait->thread,
                      .object = wait->class_id,
                      .stack = wait->stack,
                      .begin = wait->begin,
                      .open = true};
  struct waiter *waiter = wait_for_add(w, &pair);
  if (waiter == NULL) return false;
  bool is_innermost = waiter->pair.kind == pair.kind;
  struct wait_link link = {.pair = pair, .owner = wait->initializer};
  if (!is_innermost) return true;
  waiter->need = WAIT_NEEDS_ALL;
  return wait_for_add_owner(w, waiter, &link);
}

static bool add_owners(struct wait_for *w, struct waiter *waiter, const struct holders *holders) {
  const struct pair *pair = &waiter->pair;
  waiter->need = WAIT_NEEDS_ANYONE;
  if (lock_event_asks(pair->kind)) {
    return lock_events[pair->kind].sort == LOCK_SEMAPHORE ? add_permit_owners(w, waiter, holders)
                                                          : add_lock_owners(w, waiter, holders);
  }
  /* A thread that joins itself is to stay for ever: a way to keep a program alive. */
  bool is_known = pair->object != 0 && pair->object != pair->thread;
  if (!event_joins(pair->kind) || !is_known) return true;
  struct wait_link link = {.pair = *pair, .owner = pair->object};
  waiter->need = WAIT_NEEDS_ALL;
  waiter->is_join = true;
  return wait_for_add_owner(w, waiter, &link);
}

static bool add_needed(struct wait_for *w, struct waiter *waiter, enum wait_need need,
                       uint32_t thread) {
  struct wait_link link = {.pair = waiter->pair, .owner = thread};
  waiter->need = need;
  return wait_for_add_owner(w, waiter, &link);
}

/* A reader waits behind a writer that waits, too; behind which of several is not known. */
static bool add_queued_writers(struct wait_for *w, struct waiter *waiter) {
  for (size_t i = 0; i < w->num; i++) {
    const struct pair *pair = &w->waiters[i].pair;
    bool is_queued = lock_events[pair->kind].sort == LOCK_WRITE_SIDE &&
                     pair->object == waiter->pair.object && lock_event_asks(pair->kind);
    if (is_queued && !add_needed(w, waiter, WAIT_NEEDS_ANY, pair->thread)) return false;
  }
  return true;
}

/* A lock whose holders have no lines, with a reader that an event names: a reader that has waited
   since before that event cannot have released it. */
static bool add_reader(struct wait_for *w, struct waiter *waiter, const struct holders *holders) {
  const struct pair *pair = &waiter->pair;
  enum lock_sort sort = lock_events[pair->kind].sort;
  ticks_t time;
  if (!lock_event_asks(pair->kind) || !lock_sort_is_side(sort) || waiter->num_owners > 0) {
    return true;
  }
  uint32_t reader = holders_only_reader(holders, pair->object, &time);
  const struct waiter *waits = reader == 0 ? NULL : wait_for_find(w, reader);
  if (waits == NULL || waits->pair.begin > time) return true;
  return sort == LOCK_WRITE_SIDE ? add_needed(w, waiter, WAIT_NEEDS_ALL, reader)
                                 : add_queued_writers(w, waiter);
}

/* --- tasks ---------------------------------------------------------------------------------- */

/* Tasks of a pool with more workers are left out: each of their waiters would need all of these. */
#define MOST_WORKERS 256

/* What all waits for tasks ask for. */
struct task_edges {
  const struct wait_sources *s;
  struct hashmap runners; /* task -> the worker that took it last */
};

static bool find_runners(struct task_edges *t) {
  const struct pools *p = t->s->pools;
  for (size_t i = 0; i < p->num_workers; i++) {
    const struct pool_worker *worker = &p->workers[i];
    bool runs = worker->executor != 0 && worker->task != 0;
    if (runs && !hashmap_put(&t->runners, worker->task, worker->thread)) return false;
  }
  return true;
}

static bool add_workers(struct wait_for *w, struct waiter *waiter, const struct pools *p,
                        const struct pool *pool) {
  waiter->need = WAIT_NEEDS_ANY;
  for (size_t i = 0; i < p->num_workers; i++) {
    if (p->workers[i].executor != pool->executor) continue;
    struct wait_link link = {
        .pair = waiter->pair, .owner = p->workers[i].thread, .executor = pool->executor};
    if (!wait_for_add_owner(w, waiter, &link)) return false;
  }
  return true;
}

static bool add_task_owners(struct wait_for *w, struct waiter *waiter, const struct task_edges *t) {
  const struct pair *pair = &waiter->pair;
  uint64_t runner = 0;
  if (event_infos[pair->kind].group != GROUP_FUTURE || pair->object == 0) return true;
  uint32_t task = pools_task_of(t->s->pools, pair->object);
  if (task != pair->object && t->s->pools->has_delay_thread) return true;
  hashmap_get(&t->runners, task, &runner);
  bool is_queued = task_queues_has(t->s->tasks, task);
  if (runner != 0) {
    return is_queued || add_needed(w, waiter, WAIT_NEEDS_ALL, (uint32_t)runner);
  }
  uint32_t executor = task_queues_executor(t->s->tasks, task);
  const struct pool *pool = pools_find(t->s->pools, executor);
  bool is_known =
      pool != NULL && pool_is_complete(t->s->pools, pool) && pool->num_workers <= MOST_WORKERS;
  return !is_known || add_workers(w, waiter, t->s->pools, pool);
}

/* With lost events, a task may have been taken. */
bool wait_edges_add_tasks(struct wait_for *w, const struct wait_sources *s) {
  struct task_edges t = {.s = s};
  if (coverage_is_lossy(s->holders->coverage)) return true;
  bool good = find_runners(&t);
  for (size_t i = 0; good && i < w->num; i++) {
    good = add_task_owners(w, &w->waiters[i], &t);
  }
  hashmap_free(&t.runners);
  return good;
}

struct wait_sources wait_edges_sources(const struct model *m) {
  return (struct wait_sources){.pairs = &m->pass.pairs,
                               .holders = &m->pass.holders,
                               .dump = m->dump,
                               .stacks = &m->stacks,
                               .threads = &m->threads,
                               .class_inits = &m->class_inits,
                               .pools = &m->pools,
                               .tasks = &m->queued_tasks.waiting,
                               .is_alone = m->hang.since != 0 && !m->hang.is_part};
}

bool wait_edges_add(struct wait_for *w, const struct wait_sources *s) {
  struct pair pair;
  for (size_t cursor = 0; pairs_next_open(s->pairs, &cursor, &pair);) {
    if (wait_for_add(w, &pair) == NULL) return false;
  }
  for (size_t i = 0; i < w->num; i++) {
    struct waiter *waiter = &w->waiters[i];
    /* Who sleeps goes on. */
    waiter->is_asleep = event_infos[waiter->pair.kind].group == GROUP_SLEEP;
    waiter->is_timed = is_timed(&waiter->pair, s);
    if (!add_owners(w, waiter, s->holders)) return false;
    if (!add_reader(w, waiter, s->holders)) return false;
  }
  if (s->is_alone && !wait_edges_add_tasks(w, s)) return false;
  for (size_t i = 0; i < s->class_inits->num; i++) {
    const struct class_init *wait = &s->class_inits->waits[i];
    if (wait->is_open && !add_class_init(w, wait)) return false;
  }
  return stream_inits_add(w, s);
}
