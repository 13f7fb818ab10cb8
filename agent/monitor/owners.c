#include "agent/monitor/owners.h"

#include "agent/base/clock.h"
#include "agent/base/memory.h"
#include "agent/jvm/jvm.h"
#include "agent/monitor/credit.h"
#include "agent/monitor/virtual_owners.h"

/* Asks the JVM for the owner of `monitor`. Returns a local reference to the thread, for the caller
   to delete. NULL without an owner, and for one of Orca's own threads. From JDK 25 on the JVM
   does not return virtual threads. */
static jthread ask_owner(struct owners *o, jvmtiEnv *ti, JNIEnv *jni, jobject monitor) {
  jvmtiMonitorUsage usage = {0};
  figure_add(&o->threads->recorder->figures.owners_asked, 1);
  if ((*ti)->GetObjectMonitorUsage(ti, monitor, &usage) != JVMTI_ERROR_NONE) return NULL;
  jvm_reserve_references(jni, usage.waiter_count + usage.notify_waiter_count + 1);
  for (jint i = 0; i < usage.waiter_count; i++) (*jni)->DeleteLocalRef(jni, usage.waiters[i]);
  for (jint i = 0; i < usage.notify_waiter_count; i++) {
    (*jni)->DeleteLocalRef(jni, usage.notify_waiters[i]);
  }
  (*ti)->Deallocate(ti, (unsigned char *)usage.waiters);
  (*ti)->Deallocate(ti, (unsigned char *)usage.notify_waiters);
  if (usage.owner == NULL || !threads_is_own(o->threads, jni, usage.owner)) return usage.owner;
  (*jni)->DeleteLocalRef(jni, usage.owner);
  return NULL;
}

static enum ownership check_owner(struct owners *o, jvmtiEnv *ti, JNIEnv *jni, jthread owner,
                                  uint32_t hash, uint64_t since_ns) {
  if (owner == NULL) return OWNERSHIP_NONE;
  return context_check_owner(o->threads, ti, jni, owner, hash, since_ns);
}

/* --- the watch ------------------------------------------------------------------------------- */

/* The watch of owners=late. For each thread that blocks on a monitor:
   - After OWNERS_LATE_NS it queries the JVM for the owner, which goes into the line of the
     MonitorContendedEnter.
   - It queries where that owner acquired the monitor, and pushes a MonitorHeld event.
   - While the thread still blocks, it repeats the query with growing pauses. If the owner has
     changed, or came too late for that line, it pushes a MonitorOwner event. So the files also show
     the owner in a deadlock. */
#define ROUND_NS (2 * NS_PER_MS)    /* pause between two rounds while threads begin to block */
#define GIVE_UP_NS (20 * NS_PER_MS) /* age of a waiter whose line is about to be written */
#define MISSED_NS (50 * NS_PER_MS)  /* pause after a query without a certain answer */
#define AGAIN_NS NS_PER_S           /* pause after a first query; doubles after each query */
#define RARELY_NS (64 * NS_PER_S)   /* longest pause */

/* The last answer of the JVM. It is valid for all threads that blocked on the same monitor before
   the query. Local references. */
struct answer {
  jobject monitor; /* NULL: there is no answer */
  jthread owner;   /* NULL: not known */
  uint64_t asked_ns;
  bool is_acquisition_asked; /* the JVM was asked where the owner acquired the monitor */
};

/* A thread that still blocks after the time of its first query. */
struct waiter {
  struct blocked *blocked;
  uint64_t due_ns, pause_ns; /* of the next query */
  uint32_t reported_owner;   /* the last owner that the files contain; 0: none */
  bool is_unanswered;        /* the JVM named no owner: it may be a virtual thread */
};

struct watch {
  struct owners *owners;
  jvmtiEnv *ti;
  JNIEnv *jni;
  struct credit credit, acquisition_credit; /* for the two kinds of queries */
  struct answer last_answer;
  struct virtual_owners virtual_owners;
  bool is_search_wanted; /* a waiter is unanswered */
  size_t next_wanted;    /* index of the waiter whose monitor the next search looks for first */
  size_t num_waiters;
  size_t next_waiter; /* index of the waiter with which the next round starts */
  struct waiter waiters[BLOCKED_SLOTS];
};

/* --- the watch: queries ----------------------------------------------------------------------- */

static void forget_answer(struct watch *w) {
  struct answer *a = &w->last_answer;
  if (a->monitor != NULL) (*w->jni)->DeleteLocalRef(w->jni, a->monitor);
  if (a->owner != NULL) (*w->jni)->DeleteLocalRef(w->jni, a->owner);
  *a = (struct answer){0};
}

/* Makes `last_answer` the answer for the monitor of `b`. False if the budget allows no query. */
static bool query_owner(struct watch *w, const struct blocked *b) {
  struct answer *a = &w->last_answer;
  if (a->monitor != NULL && blocked_on(b)->since_ns < a->asked_ns &&
      (*w->jni)->IsSameObject(w->jni, a->monitor, blocked_on(b)->monitor))
    return true;
  if (!credit_is_left(&w->credit, clock_monotonic_ns())) return false;
  forget_answer(w);
  a->monitor = (*w->jni)->NewLocalRef(w->jni, blocked_on(b)->monitor);
  if (a->monitor == NULL) return true; /* a collected object has no owner */
  a->asked_ns = clock_monotonic_ns();
  a->owner = ask_owner(w->owners, w->ti, w->jni, a->monitor);
  credit_spend(&w->credit, clock_monotonic_ns() - a->asked_ns);
  return true;
}

/* --- the watch: answers ----------------------------------------------------------------------- */

/* Records where the owner of the last answer acquired the monitor: once for all its waiters. */
static void report_acquisition(struct watch *w, uint32_t monitor, uint32_t owner) {
  struct answer *a = &w->last_answer;
  uint64_t begin = clock_monotonic_ns();
  if (a->is_acquisition_asked || !credit_is_left(&w->acquisition_credit, begin)) return;
  a->is_acquisition_asked = true;
  struct stack *stack =
      acquisition_find(&w->owners->acquisitions, w->ti, w->jni, a->owner, a->monitor, monitor);
  credit_spend(&w->acquisition_credit, clock_monotonic_ns() - begin);
  if (stack == NULL) return;
  struct record record = {.kind = RECORD_EVENT,
                          .event = EVENT_MONITOR_HELD,
                          .thread = owner,
                          .object = monitor,
                          .stack = stack};
  recorder_put(w->owners->threads->recorder, RECORDER_OWN_LANE, &record);
}

/* Reports the owner of the last answer for a waiter, in one of two ways:
   - An owner that had the monitor since the waiter began to block is the reason why it blocks. It
     goes into the line of the MonitorContendedEnter, if that is not written yet.
   - Any other owner goes into a MonitorOwner event. One that may have got the monitor later is
     reported only if the waiter has blocked for long.
   Reports nothing if the waiter has got the monitor in the meantime. */
static void report_owner(struct watch *w, struct waiter *waiter) {
  struct blocked *b = waiter->blocked;
  uint64_t since = blocked_on(b)->since_ns, asked = w->last_answer.asked_ns;
  jthread thread = w->last_answer.owner;
  enum ownership ownership =
      check_owner(w->owners, w->ti, w->jni, thread, blocked_on(b)->hash, since);
  waiter->is_unanswered = ownership == OWNERSHIP_NONE;
  w->is_search_wanted |= waiter->is_unanswered;
  bool is_first = ownership == OWNERSHIP_SINCE;
  if (!is_first && (ownership == OWNERSHIP_NONE || asked - since < AGAIN_NS)) return;
  uint32_t owner = object_hash(&w->owners->threads->recorder->meta, w->ti, w->jni, thread);
  if (owner == waiter->reported_owner || blocked_is_over(b)) return;
  bool is_in_line = waiter->reported_owner == 0 && is_first && blocked_set_owner(b, owner);
  if (!is_in_line) {
    struct record record = {.kind = RECORD_EVENT,
                            .event = EVENT_MONITOR_OWNER,
                            .thread = blocked_on(b)->thread,
                            .object = blocked_on(b)->hash,
                            .owner = owner,
                            .u.blocked = b};
    blocked_add_party(b);
    recorder_put(w->owners->threads->recorder, RECORDER_OWN_LANE, &record);
  }
  waiter->reported_owner = owner;
  report_acquisition(w, blocked_on(b)->hash, owner);
}

/* Sets the time of the next query of a waiter, after a query. An owner that is not certain may be
   another one soon: the JVM returns a carrier while a virtual thread mounts or unmounts. */
static void schedule_again(const struct watch *w, struct waiter *waiter) {
  bool is_uncertain = waiter->is_unanswered && w->last_answer.owner != NULL;
  uint64_t least = is_uncertain ? MISSED_NS : AGAIN_NS;
  waiter->pause_ns = waiter->pause_ns < least ? least : waiter->pause_ns * 2;
  if (waiter->pause_ns > RARELY_NS) waiter->pause_ns = RARELY_NS;
  waiter->due_ns = clock_monotonic_ns() + waiter->pause_ns;
}

static void release_slot(struct watch *w, struct blocked *b) {
  (*w->jni)->DeleteWeakGlobalRef(w->jni, blocked_on(b)->monitor);
  blocked_release(b);
}

/* --- the watch: waiters ----------------------------------------------------------------------- */

/* Handles a thread that has begun to block. False if it is too early for its first query, or the
   budget does not allow it yet; then the caller tries again in the next round. */
static bool check_new(struct watch *w, struct blocked *b) {
  uint64_t now = clock_monotonic_ns(), age = now - blocked_on(b)->since_ns;
  if (blocked_is_over(b)) {
    release_slot(w, b);
    return true;
  }
  if (age < OWNERS_LATE_NS) return false;
  bool asked = query_owner(w, b);
  if (!asked && age < GIVE_UP_NS) return false;
  if (!asked) figure_add(&w->owners->threads->recorder->figures.owners_not_asked, 1);
  struct waiter waiter = {b, now + MISSED_NS, 0, 0, false};
  if (asked) {
    report_owner(w, &waiter);
    schedule_again(w, &waiter);
  }
  w->waiters[w->num_waiters++] = waiter;
  return true;
}

/* Repeats the query for a waiter when it is due. False if the budget does not allow it. */
static bool check_again(struct watch *w, struct waiter *waiter) {
  uint64_t now = clock_monotonic_ns();
  if (waiter->due_ns > now) return true;
  if (!query_owner(w, waiter->blocked)) return false;
  report_owner(w, waiter);
  schedule_again(w, waiter);
  return true;
}

/* Removes the waiters that have got their monitor. Checks the rest round-robin: when the budget is
   exhausted, the next round starts with the waiter that is left. */
static void check_waiters(struct watch *w) {
  for (size_t i = 0; i < w->num_waiters;) {
    struct blocked *b = w->waiters[i].blocked;
    if (!blocked_is_over(b)) {
      i++;
      continue;
    }
    release_slot(w, b);
    w->waiters[i] = w->waiters[--w->num_waiters];
  }
  for (size_t left = w->num_waiters; left > 0; left--, w->next_waiter++) {
    if (w->next_waiter >= w->num_waiters) w->next_waiter = 0;
    if (!check_again(w, &w->waiters[w->next_waiter])) return;
  }
}

/* --- the watch: virtual threads --------------------------------------------------------------- */

#define MAX_WANTED 64           /* monitors whose owners one search looks for */
#define REFERENCES_OF_SEARCH 16 /* local references that it needs besides those */

/* A virtual thread owns a wanted monitor: reports it for all waiters of the monitor. */
static void report_virtual_owner(void *arg, const struct wanted_monitor *wanted, jthread owner) {
  struct watch *w = arg;
  forget_answer(w);
  w->last_answer = (struct answer){.monitor = (*w->jni)->NewLocalRef(w->jni, wanted->monitor),
                                   .owner = (*w->jni)->NewLocalRef(w->jni, owner),
                                   .asked_ns = clock_monotonic_ns()};
  for (size_t i = 0; i < w->num_waiters; i++) {
    struct waiter *waiter = &w->waiters[i];
    bool is_same = waiter->is_unanswered && blocked_on(waiter->blocked)->hash == wanted->hash;
    if (is_same) report_owner(w, waiter);
  }
}

/* Adds the monitor of a waiter, unless it is there. Returns the new number. */
static size_t add_wanted(struct watch *w, struct wanted_monitor *wanted, size_t num,
                         const struct blocked_on *on) {
  for (size_t i = 0; i < num; i++) {
    if (wanted[i].hash == on->hash) return num;
  }
  jobject monitor = (*w->jni)->NewLocalRef(w->jni, on->monitor);
  if (monitor == NULL) return num;
  wanted[num] = (struct wanted_monitor){monitor, on->hash, false};
  return num + 1;
}

/* Collects the monitors that the JVM has named no owner for. Returns their number. The waiters that
   are left have their turn in the next search. */
static size_t collect_wanted(struct watch *w, struct wanted_monitor *wanted) {
  size_t num = 0;
  w->is_search_wanted = false;
  for (size_t left = w->num_waiters; left > 0; left--, w->next_wanted++) {
    if (w->next_wanted >= w->num_waiters) w->next_wanted = 0;
    struct waiter *waiter = &w->waiters[w->next_wanted];
    if (!waiter->is_unanswered || blocked_is_over(waiter->blocked)) continue;
    if (num == MAX_WANTED) {
      w->is_search_wanted = true;
      return num;
    }
    num = add_wanted(w, wanted, num, blocked_on(waiter->blocked));
  }
  return num;
}

/* The waiters of these monitors have been searched for; the JVM is asked again later. */
static void end_search(struct watch *w, const struct wanted_monitor *wanted, size_t num) {
  for (size_t i = 0; i < w->num_waiters; i++) {
    struct waiter *waiter = &w->waiters[i];
    for (size_t k = 0; k < num && waiter->is_unanswered; k++) {
      waiter->is_unanswered = blocked_on(waiter->blocked)->hash != wanted[k].hash;
    }
  }
  while (num > 0) (*w->jni)->DeleteLocalRef(w->jni, wanted[--num].monitor);
}

/* Searches among the virtual threads for the owners that the JVM has not named. */
static void search_virtual_owners(struct watch *w) {
  struct wanted_monitor wanted[MAX_WANTED];
  if (!w->is_search_wanted || virtual_owners_next(&w->virtual_owners, w->ti) > clock_monotonic_ns())
    return;
  jvm_reserve_references(w->jni, MAX_WANTED + REFERENCES_OF_SEARCH);
  size_t num = collect_wanted(w, wanted);
  if (num > 0) {
    virtual_owners_search(&w->virtual_owners, w->ti, w->jni, wanted, num, report_virtual_owner, w);
  }
  end_search(w, wanted, num);
}

/* --- the watch: rounds ------------------------------------------------------------------------ */

/* Sleeps until a thread begins to block, or a waiter or a search is due, at most an hour. Returns
   the new thread; NULL if there is none. The watch sets `idle` and then reads the pool. A thread
   that blocks enters the pool and then reads `idle`. So at least one of the two notices the other.
 */
static struct blocked *wait_for_new(struct agent_thread *self, struct watch *w) {
  struct owners *o = w->owners;
  __atomic_store_n(&o->idle, true, __ATOMIC_SEQ_CST);
  struct blocked *b = blocked_take_unseen(o->pool);
  if (b != NULL) return b;
  uint64_t now = clock_monotonic_ns(), until = now + 3600 * NS_PER_S;
  for (size_t i = 0; i < w->num_waiters; i++) {
    if (w->waiters[i].due_ns < until) until = w->waiters[i].due_ns;
  }
  if (w->is_search_wanted && virtual_owners_next(&w->virtual_owners, w->ti) < until)
    until = virtual_owners_next(&w->virtual_owners, w->ti);
  bool go_on = agent_thread_sleep(self, until > now ? until - now : 0);
  return go_on ? blocked_take_unseen(o->pool) : NULL;
}

static void run_watch(struct agent_thread *self, jvmtiEnv *ti, JNIEnv *jni, void *arg) {
  struct watch *w = arg;
  struct blocked *b = NULL;
  w->ti = ti;
  w->jni = jni;
  credit_start(&w->credit, clock_monotonic_ns());
  credit_start(&w->acquisition_credit, clock_monotonic_ns());
  virtual_owners_init(&w->virtual_owners, w->owners->threads, &w->owners->acquisitions);
  do {
    if (b == NULL) b = wait_for_new(self, w);
    while (b != NULL && check_new(w, b)) b = blocked_take_unseen(w->owners->pool);
    check_waiters(w);
    search_virtual_owners(w);
    forget_answer(w); /* its references keep objects of the program alive */
  } while (agent_thread_sleep(self, ROUND_NS));
  if (b == NULL) b = blocked_take_unseen(w->owners->pool);
  for (; b != NULL; b = blocked_take_unseen(w->owners->pool)) release_slot(w, b);
  while (w->num_waiters > 0) release_slot(w, w->waiters[--w->num_waiters].blocked);
}

/* --- owners ---------------------------------------------------------------------------------- */

void owners_init(struct owners *o, struct threads *threads) {
  *o = (struct owners){.threads = threads, .acquisitions = {.recorder = threads->recorder}};
}

struct blocked *owners_request(struct owners *o, jvmtiEnv *ti, JNIEnv *jni, jobject monitor,
                               uint32_t thread, uint32_t hash, uint32_t *out_owner) {
  enum owners_mode mode = o->threads->recorder->options.owners;
  if (mode == OWNERS_ALL) {
    uint64_t now = clock_monotonic_ns();
    jthread owner = ask_owner(o, ti, jni, monitor);
    if (check_owner(o, ti, jni, owner, hash, now) != OWNERSHIP_NONE)
      *out_owner = object_hash(&o->threads->recorder->meta, ti, jni, owner);
    if (owner != NULL) (*jni)->DeleteLocalRef(jni, owner);
    /* The watch finds a virtual thread that the JVM did not return. */
    if (*out_owner != 0 || !threads_has_virtual(o->threads)) return NULL;
  }
  bool is_watched = mode == OWNERS_LATE || o->is_watched;
  if (o->pool == NULL || !is_watched) return NULL;
  struct blocked_on on = {(*jni)->NewWeakGlobalRef(jni, monitor), thread, hash,
                          clock_monotonic_ns()};
  struct blocked *b = on.monitor == NULL ? NULL : blocked_begin(o->pool, &on);
  if (b == NULL) figure_add(&o->threads->recorder->figures.owners_not_asked, 1);
  if (b == NULL && on.monitor != NULL) (*jni)->DeleteWeakGlobalRef(jni, on.monitor);
  if (__atomic_exchange_n(&o->idle, false, __ATOMIC_SEQ_CST)) agent_thread_wake(&o->thread);
  return b;
}

bool owners_start(struct owners *o, jvmtiEnv *ti, JNIEnv *jni) {
  bool is_late = o->threads->recorder->options.owners == OWNERS_LATE;
  o->is_watched = is_late || facts_know_virtual(ti);
  if (!o->is_watched) return true;
  if (o->pool == NULL) o->pool = blocked_pool_new();
  if (o->watch == NULL) o->watch = memory_new_zeroed(1, sizeof *o->watch);
  if (o->pool == NULL || o->watch == NULL) return false;
  o->watch->owners = o;
  return agent_thread_start(&o->thread, "Orca owners", o->threads, ti, jni, run_watch, o->watch);
}

void owners_stop(struct owners *o) { agent_thread_stop(&o->thread, NS_PER_S); }
