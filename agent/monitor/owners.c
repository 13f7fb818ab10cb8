#include "agent/monitor/owners.h"

#include "agent/base/clock.h"
#include "agent/base/memory.h"
#include "agent/jvm/jvm.h"
#include "agent/monitor/credit.h"

/* Asks the JVM for the owner of `monitor`. Returns a local reference to the thread, for the caller
   to delete. NULL without an owner, and for one of Orca's own threads. The JVM does not return
   virtual threads. */
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

/* Returns the hash of `owner` if that thread may have owned the monitor, whose hash is `hash`, all
   the time from `since_ns` on. Otherwise 0: a thread that got the monitor later is not the reason
   why another thread began to block at `since_ns`. `owner` may be NULL. */
static uint32_t confirm_owner(struct owners *o, jvmtiEnv *ti, JNIEnv *jni, jthread owner,
                              uint32_t hash, uint64_t since_ns) {
  bool is_confirmed = owner != NULL && context_had_monitor(o->threads, ti, owner, hash, since_ns);
  return is_confirmed ? object_hash(&o->threads->recorder->meta, ti, jni, owner) : 0;
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
#define MISSED_NS (50 * NS_PER_MS)  /* pause after a first query that the budget did not allow */
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
};

struct watch {
  struct owners *owners;
  jvmtiEnv *ti;
  JNIEnv *jni;
  struct credit credit, acquisition_credit; /* for the two kinds of queries */
  struct answer last_answer;
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

/* Returns the owner in the last answer if it owned the monitor since `since_ns`, else 0. */
static uint32_t get_owner_since(struct watch *w, const struct blocked *b, uint64_t since_ns) {
  jthread owner = w->last_answer.owner;
  return confirm_owner(w->owners, w->ti, w->jni, owner, blocked_on(b)->hash, since_ns);
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
   - Any other owner goes into a MonitorOwner event. One that got the monitor later is reported only
     if the waiter has blocked for long.
   Reports nothing if the waiter has got the monitor in the meantime. */
static void report_owner(struct watch *w, struct waiter *waiter) {
  struct blocked *b = waiter->blocked;
  uint64_t since = blocked_on(b)->since_ns, asked = w->last_answer.asked_ns;
  uint32_t first_owner = get_owner_since(w, b, since), owner = first_owner;
  if (owner == 0 && asked - since >= AGAIN_NS) owner = get_owner_since(w, b, asked);
  if (owner == 0 || owner == waiter->reported_owner || blocked_is_over(b)) return;
  bool is_in_line =
      waiter->reported_owner == 0 && first_owner != 0 && blocked_set_owner(b, first_owner);
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
  struct waiter waiter = {b, 0, asked ? AGAIN_NS : MISSED_NS, 0};
  waiter.due_ns = now + waiter.pause_ns;
  if (asked) report_owner(w, &waiter);
  w->waiters[w->num_waiters++] = waiter;
  return true;
}

/* Repeats the query for a waiter when it is due. False if the budget does not allow it. */
static bool check_again(struct watch *w, struct waiter *waiter) {
  uint64_t now = clock_monotonic_ns();
  if (waiter->due_ns > now) return true;
  if (!query_owner(w, waiter->blocked)) return false;
  report_owner(w, waiter);
  waiter->pause_ns = waiter->pause_ns < AGAIN_NS ? AGAIN_NS : waiter->pause_ns * 2;
  if (waiter->pause_ns > RARELY_NS) waiter->pause_ns = RARELY_NS;
  waiter->due_ns = now + waiter->pause_ns;
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

/* Sleeps until a thread begins to block or a waiter is due, at most an hour. Returns the new
   thread; NULL if there is none. The watch sets `idle` and then reads the pool. A thread that
   blocks enters the pool and then reads `idle`. So at least one of the two notices the other. */
static struct blocked *wait_for_new(struct agent_thread *self, struct watch *w) {
  struct owners *o = w->owners;
  __atomic_store_n(&o->idle, true, __ATOMIC_SEQ_CST);
  struct blocked *b = blocked_take_unseen(o->pool);
  if (b != NULL) return b;
  uint64_t now = clock_monotonic_ns(), until = now + 3600 * NS_PER_S;
  for (size_t i = 0; i < w->num_waiters; i++) {
    if (w->waiters[i].due_ns < until) until = w->waiters[i].due_ns;
  }
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
  do {
    if (b == NULL) b = wait_for_new(self, w);
    while (b != NULL && check_new(w, b)) b = blocked_take_unseen(w->owners->pool);
    check_waiters(w);
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
    *out_owner = confirm_owner(o, ti, jni, owner, hash, now);
    if (owner != NULL) (*jni)->DeleteLocalRef(jni, owner);
  }
  if (mode == OWNERS_ALL || o->pool == NULL) return NULL;
  struct blocked_on on = {(*jni)->NewWeakGlobalRef(jni, monitor), thread, hash,
                          clock_monotonic_ns()};
  struct blocked *b = on.monitor == NULL ? NULL : blocked_begin(o->pool, &on);
  if (b == NULL) figure_add(&o->threads->recorder->figures.owners_not_asked, 1);
  if (b == NULL && on.monitor != NULL) (*jni)->DeleteWeakGlobalRef(jni, on.monitor);
  if (__atomic_exchange_n(&o->idle, false, __ATOMIC_SEQ_CST)) agent_thread_wake(&o->thread);
  return b;
}

bool owners_start(struct owners *o, jvmtiEnv *ti, JNIEnv *jni) {
  if (o->threads->recorder->options.owners == OWNERS_ALL) return true;
  if (o->pool == NULL) o->pool = blocked_pool_new();
  if (o->watch == NULL) o->watch = memory_new_zeroed(1, sizeof *o->watch);
  if (o->pool == NULL || o->watch == NULL) return false;
  o->watch->owners = o;
  return agent_thread_start(&o->thread, "Orca owners", o->threads, ti, jni, run_watch, o->watch);
}

void owners_stop(struct owners *o) { agent_thread_stop(&o->thread, NS_PER_S); }
