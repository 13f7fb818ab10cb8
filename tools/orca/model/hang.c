#include "tools/orca/model/hang.h"

#include <string.h>

#include "agent/event/meaning.h"
#include "tools/orca/model/model.h"
#include "tools/orca/model/names.h"
#include "tools/orca/model/wait_edges.h"

/* Threads that wait for each other for a shorter time may still be on their way. */
#define LEAST_TICKS TICKS_PER_S
/* A wait of such a length may be worth a word. */
#define LONG_TICKS (2 * TICKS_PER_S)

/* --- threads -------------------------------------------------------------------------------- */

bool hang_is_jvm_thread(const struct thread *t) {
  static const char *const names[] = {
#define JVM_THREAD(name) name,
#include "tools/orca/model/jvm_thread.def"
  };
  for (size_t i = 0; t->name != NULL && i < sizeof names / sizeof *names; i++) {
    if (strcmp(t->name, names[i]) == 0) return true;
  }
  return false;
}

bool hang_is_main(const struct model *m, uint32_t thread) {
  const struct thread *t = threads_find(&m->threads, thread);
  return t != NULL && t->name != NULL && strcmp(t->name, "main") == 0;
}

bool hang_lives(const struct hang *h, const struct thread *t) {
  return t->first < h->moment && (t->alive || t->last >= h->moment);
}

bool hang_is_in_task(const struct model *m, stack_id_t stack) {
  return names_stack_matches(m->dump, &m->stacks, stack, "ThreadPoolExecutor.runWorker") ||
         names_stack_matches(m->dump, &m->stacks, stack, "ForkJoinWorkerThread.run");
}

static bool has_method(const struct model *m, stack_id_t stack, const char *pattern) {
  return names_stack_matches(m->dump, &m->stacks, stack, pattern);
}

/* A thread of a pool that waits for a task, if necessary until it may end. From JDK 9 to 16 a
   worker of a ForkJoinPool does so in runWorker itself. */
static bool waits_for_task(const struct model *m, stack_id_t stack) {
  return spending_is_idle(&m->spending, stack) &&
         (has_method(m, stack, "ThreadPoolExecutor.getTask") ||
          (has_method(m, stack, "ForkJoinPool.runWorker") &&
           !has_method(m, stack, "ForkJoinTask.doExec")));
}

/* Its time limit is that of a task: DelayedWorkQueue.take, Timer and their like. */
static bool waits_for_delayed_task(const struct model *m, stack_id_t stack) {
  return names_stack_matches(m->dump, &m->stacks, stack,
                             "ScheduledThreadPoolExecutor$DelayedWorkQueue.*");
}

/* Waits for what other threads do: to give up such a wait does no work. A thread that sleeps, polls
   or is parked until a time has something to do then. */
static bool waits_for_result(enum event_kind kind) {
  enum event_group group = event_infos[kind].group;
  return group == GROUP_FUTURE || group == GROUP_LATCH || group == GROUP_JOIN ||
         kind == EVENT_EXECUTOR_AWAIT;
}

/* --- the graph ------------------------------------------------------------------------------ */

/* Whether the thread runs inside of its wait, and is not only on its way into it (life.h). */
static bool runs_inside(const struct thread *t, const struct waiter *w) {
  return activity_can_run_inside(w->pair.kind) && t->activity != ACTIVITY_WAITS &&
         t->activity != ACTIVITY_PARKED && t->activity != ACTIVITY_BLOCKED;
}

/* What a sample tells of a wait: whether it has a time limit, or that the thread runs inside of it.
 */
static void use_state(const struct model *m, const struct thread *t, struct waiter *w) {
  bool is_keep_alive = waits_for_task(m, w->pair.stack);
  bool is_delayed = waits_for_delayed_task(m, w->pair.stack);
  if (t->state_time == 0 || t->state_time < w->pair.begin) {
    w->is_timed = (w->is_timed && !is_keep_alive) || is_delayed;
    return;
  }
  bool waits_with_limit = t->state == STATE_TIMED_WAITING || t->state == STATE_TIMED_PARKED;
  bool waits = waits_with_limit || t->state == STATE_WAITING || t->state == STATE_PARKED;
  w->is_asleep |= t->state == STATE_SLEEPING || t->state == STATE_SUSPENDED || runs_inside(t, w);
  if (waits) w->is_timed = waits_with_limit && (is_delayed || !is_keep_alive);
}

static void use_sample(const struct model *m, const struct thread *t, struct waiter *w) {
  use_state(m, t, w);
  w->is_asleep |= w->is_timed && !waits_for_result(w->pair.kind);
}

/* A thread that no event shows waiting: a sample may. Returns false when memory ran out. */
static bool add_sampled(struct hang *h, const struct model *m, const struct thread *t,
                        bool *out_runs) {
  bool waits = t->activity == ACTIVITY_WAITS || t->activity == ACTIVITY_PARKED;
  /* Who initializes the class may go on: class_inits.h answers that. */
  waits = waits && class_inits_find(&m->class_inits, t->hash) == NULL;
  *out_runs |= !waits;
  if (!waits) return true;
  struct pair pair = {.kind = EVENT_THREAD_PARK,
                      .thread = t->hash,
                      .stack = t->activity_stack,
                      .begin = t->since,
                      .open = true};
  struct waiter *w = wait_for_add(&h->graph, &pair);
  if (w == NULL) return false;
  w->need = WAIT_NEEDS_ANYONE;
  use_sample(m, t, w);
  return true;
}

/* Adds what is known of a thread. `*out_runs`: a thread of the program can run on. */
static bool add_thread(struct hang *h, const struct model *m, const struct thread *t,
                       bool *out_runs) {
  struct waiter *w = wait_for_find(&h->graph, t->hash);
  if (!hang_lives(h, t)) return wait_for_add_ended(&h->graph, t->hash, t->last);
  if (hang_is_jvm_thread(t)) {
    /* It serves the others, so it neither keeps the program going nor hangs. */
    if (w != NULL) w->is_of_jvm = true;
    return true;
  }
  if (w == NULL) return add_sampled(h, m, t, out_runs);
  use_sample(m, t, w);
  return true;
}

bool hang_is_idle(const struct model *m, const struct waiter *waiter) {
  return waiter->is_of_jvm || spending_is_idle(&m->spending, waiter->pair.stack);
}

bool hang_lasts(const struct model *m, const struct waiter *waiter) {
  const struct hang *h = &m->hang;
  return h->is_known && !waiter->is_asleep && waiter->pair.begin + LONG_TICKS <= h->moment &&
         !hang_is_idle(m, waiter);
}

/* --- the answer ----------------------------------------------------------------------------- */

/* Whether other threads have waited for this object, or ended such waits. */
static bool has_history(const struct model *m, const struct pair *pair) {
  for (size_t i = 0; i < m->stalls.num; i++) {
    const struct stall *s = &m->stalls.rows[i];
    if (s->kind != pair->kind || s->object != pair->object || pair->object == 0) continue;
    return s->count > 1 || s->signals > 0;
  }
  return false;
}

/* main may keep a service alive until a shutdown hook or the handler of a signal ends its wait:
   they have no thread yet. */
static bool keeps_alive(const struct model *m, const struct waiter *w) {
  return hang_is_main(m, w->pair.thread) && w->need == WAIT_NEEDS_ANYONE &&
         !has_history(m, &w->pair);
}

/* Threads that join each other never end. Other joins end with what they wait for. */
static bool is_in_join_ring(const struct wait_for *w, const struct waiter *waiter) {
  size_t owner;
  size_t left = w->num;
  while (left > 0 && waiter != NULL && waiter->is_join) {
    waiter = wait_for_blocker(w, waiter, &owner);
    left--;
  }
  return waiter != NULL && waiter->is_join;
}

/* Since when none of these waits can end; 0: they may still be on their way. */
static ticks_t find_since(const struct hang *h, const struct model *m) {
  ticks_t since = 0;
  bool is_work = false;
  for (size_t i = 0; i < h->graph.num; i++) {
    const struct waiter *w = &h->graph.waiters[i];
    if (w->is_of_jvm || w->can_end) continue;
    bool is_wait = w->is_join ? is_in_join_ring(&h->graph, w) : !hang_is_idle(m, w);
    is_work = is_work || (is_wait && !keeps_alive(m, w));
    ticks_t changed = wait_for_changed(&h->graph, w);
    if (changed > since) since = changed;
  }
  return is_work && since + LEAST_TICKS <= h->moment ? since : 0;
}

/* A thread that runs may give a permit back that another one has acquired; of one that has ended,
   this is the only way. */
static void forget_permits(struct hang *h, bool others_run) {
  for (size_t i = 0; i < h->graph.num; i++) {
    struct waiter *w = &h->graph.waiters[i];
    for (size_t j = 0; w->need == WAIT_NEEDS_ANY && j < w->num_owners; j++) {
      uint64_t ended;
      bool is_permit = lock_events[w->pair.kind].sort == LOCK_SEMAPHORE;
      uint32_t owner = h->graph.owners[w->first_owner + j].owner;
      if (is_permit && (others_run || hashmap_get(&h->graph.ended, owner, &ended))) {
        w->need = WAIT_NEEDS_ANYONE;
      }
    }
  }
}

static void answer(struct hang *h, const struct model *m, bool others_run) {
  forget_permits(h, others_run);
  h->is_part = wait_for_solve(&h->graph, others_run, true);
  h->since = find_since(h, m);
  if (!h->is_part || others_run || h->since != 0) return;
  /* Perhaps all threads only wait for results, until a time limit is over. */
  h->is_part = wait_for_solve(&h->graph, false, false);
  h->has_limits = true;
  h->since = h->is_part ? 0 : find_since(h, m);
}

/* A program that has come to its end did not hang; with lost events or only some of the threads,
   nothing can be said. */
static bool can_be_known(const struct model *m) {
  struct span reason;
  bool has_exited = dump_info(m->dump, INFO_END_REASON, &reason) && span_is(reason, "exit");
  return !has_exited && !coverage_is_lossy(dump_coverage(m->dump)) &&
         !filter_has_patterns(&m->matcher.filter);
}

/* The waits at the moment when a signal begins to end the JVM: its threads change them. */
static bool take_end(void *arg, const struct step *step) {
  struct model *m = arg;
  struct hang *h = &m->hang;
  if (h->moment != 0 || m->threads.moment == UINT64_MAX) return true;
  h->moment = step->time;
  struct wait_sources sources = wait_edges_sources(m);
  return wait_edges_add(&h->graph, &sources);
}

/* If no thread can go on, none can help the workers of pools, either. */
static bool add_tasks(struct hang *h, const struct model *m) {
  struct wait_sources sources = wait_edges_sources(m);
  if (!sources.is_alone) return true;
  if (!wait_edges_add_tasks(&h->graph, &sources)) return false;
  wait_for_solve(&h->graph, false, !h->has_limits);
  return true;
}

static bool end_hang(struct model *m) {
  struct hang *h = &m->hang;
  bool others_run = false, good = true;
  if (h->moment == 0) {
    struct wait_sources sources = wait_edges_sources(m);
    h->moment = m->recording.to;
    good = wait_edges_add(&h->graph, &sources);
  }
  for (size_t i = 0; good && i < m->threads.num_all; i++) {
    good = add_thread(h, m, &m->threads.rows[i], &others_run);
  }
  h->is_known = good && can_be_known(m);
  if (h->is_known) answer(h, m, others_run);
  return good && add_tasks(h, m);
}

void hang_free(struct hang *h) {
  wait_for_free(&h->graph);
  *h = (struct hang){0};
}

static bool is_thread_start(enum event_kind kind) { return kind == EVENT_THREAD_STARTED; }

const struct analysis analysis_hang = {
    .listener = {"hang", PASS_EVENTS, is_thread_start, .take = take_end},
    .uses = ANALYSES(THREADS) | ANALYSES(CLASS_INITS) | ANALYSES(STALLS) | ANALYSES(POOLS),
    .end = end_hang};
