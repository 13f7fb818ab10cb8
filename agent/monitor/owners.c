#include "agent/monitor/owners.h"

#include "agent/base/clock.h"

#define LOOK_NS (2 * NS_PER_MS)     /* between two looks of the watch while threads block */
#define GIVE_UP_NS (20 * NS_PER_MS) /* after this the line is about to be written */
#define SHARE 50                    /* the JVM stands still for at most 1/50 of the time, */
#define CREDIT_NS (20 * NS_PER_MS)  /* of which so much may be saved up */
#define NUM_RECENT 16               /* questions that tell what the next one costs; */
#define COST_NS (NS_PER_MS / 2)     /* before there were so many: what it costs */

void owners_init(struct owners *o, struct threads *threads) {
  *o = (struct owners){.threads = threads};
}

static void count(uint64_t *counter) { __atomic_fetch_add(counter, 1, __ATOMIC_RELAXED); }

/* A local reference to the thread that owns `monitor`; NULL for none, for a virtual one (the JVM
   does not say), and for one of Orca's own. */
static jthread ask_owner(struct owners *o, jvmtiEnv *ti, JNIEnv *jni, jobject monitor) {
  jvmtiMonitorUsage usage = {0};
  count(&o->asked);
  if ((*ti)->GetObjectMonitorUsage(ti, monitor, &usage) != JVMTI_ERROR_NONE) return NULL;
  (*jni)->EnsureLocalCapacity(jni, usage.waiter_count + usage.notify_waiter_count + 1);
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

/* Its hash, if it has owned the monitor since `since_ns`: one that got it later did not make the
   other thread block. Else 0. */
static uint32_t owner_since(struct owners *o, jvmtiEnv *ti, JNIEnv *jni, jthread owner,
                            jobject monitor, uint64_t since_ns) {
  jint hash = 0;
  (*ti)->GetObjectHashCode(ti, monitor, &hash);
  bool known = owner != NULL && context_had_monitor(ti, owner, (uint32_t)hash, since_ns);
  return known ? object_hash(&o->threads->recorder->meta, ti, jni, owner) : 0;
}

static uint32_t owner_now(struct owners *o, jvmtiEnv *ti, JNIEnv *jni, jobject monitor) {
  uint64_t now = clock_monotonic_ns();
  jthread owner = ask_owner(o, ti, jni, monitor);
  uint32_t hash = owner_since(o, ti, jni, owner, monitor, now);
  if (owner != NULL) (*jni)->DeleteLocalRef(jni, owner);
  return hash;
}

struct blocked *owners_ask(struct owners *o, jvmtiEnv *ti, JNIEnv *jni, jobject monitor,
                           uint32_t *out_owner) {
  enum owners_mode mode = o->threads->recorder->options.owners;
  if (mode == OWNERS_ALL) *out_owner = owner_now(o, ti, jni, monitor);
  if (mode != OWNERS_LATE || o->pool == NULL) return NULL;
  jweak weak = (*jni)->NewWeakGlobalRef(jni, monitor);
  struct blocked *b = weak == NULL ? NULL : blocked_begin(o->pool, weak, clock_monotonic_ns());
  if (b == NULL) count(&o->not_asked);
  if (b == NULL && weak != NULL) (*jni)->DeleteWeakGlobalRef(jni, weak);
  if (__atomic_exchange_n(&o->idle, false, __ATOMIC_SEQ_CST)) agent_thread_wake(&o->watch);
  return b;
}

/* --- the watch --------------------------------------------------------------------------- */

/* The last answer of the JVM: good for all threads that blocked on the same monitor before it was
   asked. Local references. */
struct said {
  jobject monitor; /* NULL: nothing was asked yet */
  jthread owner;   /* NULL: not known */
  uint64_t at_ns;
};

static void forget(struct said *said, JNIEnv *jni) {
  if (said->monitor != NULL) (*jni)->DeleteLocalRef(jni, said->monitor);
  if (said->owner != NULL) (*jni)->DeleteLocalRef(jni, said->owner);
  *said = (struct said){0};
}

static bool is_said(const struct said *said, JNIEnv *jni, const struct blocked *b) {
  return said->monitor != NULL && blocked_since_ns(b) < said->at_ns &&
         (*jni)->IsSameObject(jni, said->monitor, blocked_monitor(b));
}

/* Asks the JVM; returns how long that took. */
static uint64_t ask(struct owners *o, jvmtiEnv *ti, JNIEnv *jni, const struct blocked *b,
                    struct said *said) {
  forget(said, jni);
  said->monitor = (*jni)->NewLocalRef(jni, blocked_monitor(b));
  if (said->monitor == NULL) return 0;
  said->at_ns = clock_monotonic_ns();
  said->owner = ask_owner(o, ti, jni, said->monitor);
  return clock_monotonic_ns() - said->at_ns;
}

/* Tells a blocked thread's line what was said, if that is good for it and the thread still blocks:
   an answer that came too late is no answer. */
static void answer(struct owners *o, jvmtiEnv *ti, JNIEnv *jni, struct blocked *b,
                   const struct said *said) {
  uint32_t owner = 0;
  if (is_said(said, jni, b)) {
    owner = owner_since(o, ti, jni, said->owner, said->monitor, blocked_since_ns(b));
  }
  if (blocked_is_over(b)) owner = 0;
  (*jni)->DeleteWeakGlobalRef(jni, blocked_monitor(b));
  blocked_watched(b, owner);
}

/* Sleeps until some thread blocks. The flag is raised first and the pool looked at after, while a
   thread that blocks enters the pool first and looks at the flag after: one of both sees the other.
 */
static struct blocked *wait_for_one(struct agent_thread *self, struct owners *o) {
  __atomic_store_n(&o->idle, true, __ATOMIC_SEQ_CST);
  struct blocked *b = blocked_watch(o->pool);
  if (b == NULL && agent_thread_sleep(self, 3600 * NS_PER_S)) b = blocked_watch(o->pool);
  return b;
}

/* Time that may be spent on asking: comes in as time passes, goes out as the JVM is held up. Where
   every CPU is busy most of a question is the time until the JVM's own thread gets one, and the
   program goes on meanwhile. So the shortest of the last ones is taken for what each costs. */
struct credit {
  uint64_t at_ns;
  int64_t ns;
  uint64_t recent[NUM_RECENT]; /* how long each took */
  unsigned next;
};

static struct credit credit_new(void) {
  struct credit c = {.at_ns = clock_monotonic_ns(), .ns = CREDIT_NS};
  for (int i = 0; i < NUM_RECENT; i++) c.recent[i] = COST_NS;
  return c;
}

static void pay(struct credit *c, uint64_t took_ns) {
  uint64_t shortest = c->recent[c->next++ % NUM_RECENT] = took_ns;
  for (int i = 0; i < NUM_RECENT; i++) {
    if (c->recent[i] < shortest) shortest = c->recent[i];
  }
  c->ns -= (int64_t)shortest;
}

static bool may_ask(struct credit *c, uint64_t now) {
  c->ns += (int64_t)((now - c->at_ns) / SHARE);
  c->at_ns = now;
  if (c->ns > (int64_t)CREDIT_NS) c->ns = (int64_t)CREDIT_NS;
  return c->ns > 0;
}

/* Deals with the oldest blocked thread that nobody has answered for. False: it is not yet time to.
 */
static bool deal_with(struct owners *o, jvmtiEnv *ti, JNIEnv *jni, struct blocked *b,
                      struct credit *credit, struct said *said) {
  uint64_t now = clock_monotonic_ns(), age = now - blocked_since_ns(b);
  bool over = blocked_is_over(b), known = is_said(said, jni, b);
  bool may = !over && !known && may_ask(credit, now);
  if (!over && age < OWNERS_LATE_NS) return false;
  if (!over && !known && !may && age < GIVE_UP_NS) return false;
  if (!over && !known && !may) count(&o->not_asked);
  if (may) pay(credit, ask(o, ti, jni, b, said));
  answer(o, ti, jni, b, said);
  return true;
}

static void watch(struct agent_thread *self, jvmtiEnv *ti, JNIEnv *jni, void *arg) {
  struct owners *o = arg;
  struct credit credit = credit_new();
  struct said said = {0}, nothing = {0};
  struct blocked *b = NULL;
  do {
    if (b == NULL) b = wait_for_one(self, o);
    while (b != NULL && deal_with(o, ti, jni, b, &credit, &said)) b = blocked_watch(o->pool);
    forget(&said, jni); /* it holds objects of the program */
  } while (agent_thread_sleep(self, LOOK_NS));
  for (; b != NULL; b = blocked_watch(o->pool)) answer(o, ti, jni, b, &nothing);
}

bool owners_start(struct owners *o, jvmtiEnv *ti, JNIEnv *jni) {
  o->asked = o->not_asked = 0;
  if (o->threads->recorder->options.owners != OWNERS_LATE) return true;
  if (o->pool == NULL) o->pool = blocked_pool_new();
  if (o->pool == NULL) return false;
  return agent_thread_start(&o->watch, "Orca owners", o->threads, ti, jni, watch, o);
}

void owners_stop(struct owners *o) { agent_thread_stop(&o->watch, NS_PER_S); }
