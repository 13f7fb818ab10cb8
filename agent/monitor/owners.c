#include "agent/monitor/owners.h"

#include "agent/base/clock.h"

#define LOOK_NS (2 * NS_PER_MS)     /* between two looks of the watch while threads block */
#define GIVE_UP_NS (20 * NS_PER_MS) /* after this the line is about to be written */
#define SHARE 100                   /* at most 1/100 of the time goes into asking, */
#define CREDIT_NS (20 * NS_PER_MS)  /* of which so much may be saved up */

void owners_init(struct owners *o, struct threads *threads) {
  *o = (struct owners){.threads = threads};
}

static void count(uint64_t *counter) { __atomic_fetch_add(counter, 1, __ATOMIC_RELAXED); }

/* The hash of the thread that has owned `monitor` since `since_ns` and does so now. 0 for none, for
   a virtual one (the JVM does not say), for one of Orca's own, and for one that got it later: that
   one did not make the other thread block. */
static uint32_t owner_of(struct owners *o, jvmtiEnv *ti, JNIEnv *jni, jobject monitor,
                         uint64_t since_ns) {
  jint hash = 0;
  (*ti)->GetObjectHashCode(ti, monitor, &hash);
  jvmtiMonitorUsage usage = {0};
  count(&o->asked);
  if ((*ti)->GetObjectMonitorUsage(ti, monitor, &usage) != JVMTI_ERROR_NONE) return 0;
  (*jni)->EnsureLocalCapacity(jni, usage.waiter_count + usage.notify_waiter_count + 1);
  bool known = usage.owner != NULL && !threads_is_own(o->threads, jni, usage.owner) &&
               context_had_monitor(ti, usage.owner, (uint32_t)hash, since_ns);
  uint32_t owner = known ? object_hash(&o->threads->recorder->meta, ti, jni, usage.owner) : 0;
  for (jint i = 0; i < usage.waiter_count; i++) (*jni)->DeleteLocalRef(jni, usage.waiters[i]);
  for (jint i = 0; i < usage.notify_waiter_count; i++) {
    (*jni)->DeleteLocalRef(jni, usage.notify_waiters[i]);
  }
  if (usage.owner != NULL) (*jni)->DeleteLocalRef(jni, usage.owner);
  (*ti)->Deallocate(ti, (unsigned char *)usage.waiters);
  (*ti)->Deallocate(ti, (unsigned char *)usage.notify_waiters);
  return owner;
}

struct blocked *owners_ask(struct owners *o, jvmtiEnv *ti, JNIEnv *jni, jobject monitor,
                           uint32_t *out_owner) {
  enum owners_mode mode = o->threads->recorder->options.owners;
  if (mode == OWNERS_ALL) *out_owner = owner_of(o, ti, jni, monitor, clock_monotonic_ns());
  if (mode != OWNERS_LATE || o->pool == NULL) return NULL;
  jweak weak = (*jni)->NewWeakGlobalRef(jni, monitor);
  struct blocked *b = weak == NULL ? NULL : blocked_begin(o->pool, weak, clock_monotonic_ns());
  if (b == NULL) count(&o->not_asked);
  if (b == NULL && weak != NULL) (*jni)->DeleteWeakGlobalRef(jni, weak);
  if (__atomic_exchange_n(&o->idle, false, __ATOMIC_SEQ_CST)) agent_thread_wake(&o->watch);
  return b;
}

/* --- the watch --------------------------------------------------------------------------- */

/* The owner while the thread still blocks: an answer that came too late is no answer. */
static uint32_t late_owner(struct owners *o, jvmtiEnv *ti, JNIEnv *jni, const struct blocked *b) {
  jobject monitor = (*jni)->NewLocalRef(jni, blocked_monitor(b));
  if (monitor == NULL) return 0;
  uint32_t owner = owner_of(o, ti, jni, monitor, blocked_since_ns(b));
  (*jni)->DeleteLocalRef(jni, monitor);
  return blocked_is_over(b) ? 0 : owner;
}

/* Answers for one blocked thread; returns how long the JVM was held up for it. */
static uint64_t answer(struct owners *o, jvmtiEnv *ti, JNIEnv *jni, struct blocked *b, bool ask) {
  uint64_t start = clock_monotonic_ns();
  uint32_t owner = ask ? late_owner(o, ti, jni, b) : 0;
  uint64_t took = ask ? clock_monotonic_ns() - start : 0;
  (*jni)->DeleteWeakGlobalRef(jni, blocked_monitor(b));
  blocked_watched(b, owner);
  return took;
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

/* Time that may be spent on asking: comes in as time passes, goes out as the JVM is held up. */
struct credit {
  uint64_t at_ns;
  int64_t ns;
};

static bool may_ask(struct credit *c, uint64_t now) {
  c->ns += (int64_t)((now - c->at_ns) / SHARE);
  c->at_ns = now;
  if (c->ns > (int64_t)CREDIT_NS) c->ns = (int64_t)CREDIT_NS;
  return c->ns > 0;
}

/* Deals with the oldest blocked thread that nobody has answered for. False: it is not yet time to.
 */
static bool deal_with(struct owners *o, jvmtiEnv *ti, JNIEnv *jni, struct blocked *b,
                      struct credit *credit) {
  uint64_t now = clock_monotonic_ns(), age = now - blocked_since_ns(b);
  bool over = blocked_is_over(b), ask = !over && may_ask(credit, now);
  if (!over && age < OWNERS_LATE_NS) return false;
  if (!over && !ask && age < GIVE_UP_NS) return false;
  if (!over && !ask) count(&o->not_asked);
  credit->ns -= (int64_t)answer(o, ti, jni, b, ask);
  return true;
}

static void watch(struct agent_thread *self, jvmtiEnv *ti, JNIEnv *jni, void *arg) {
  struct owners *o = arg;
  struct credit credit = {clock_monotonic_ns(), CREDIT_NS};
  struct blocked *b = NULL;
  do {
    if (b == NULL) b = wait_for_one(self, o);
    while (b != NULL && deal_with(o, ti, jni, b, &credit)) b = blocked_watch(o->pool);
  } while (agent_thread_sleep(self, LOOK_NS));
  for (; b != NULL; b = blocked_watch(o->pool)) answer(o, ti, jni, b, false);
}

bool owners_start(struct owners *o, jvmtiEnv *ti, JNIEnv *jni) {
  o->asked = o->not_asked = 0;
  if (o->threads->recorder->options.owners != OWNERS_LATE) return true;
  if (o->pool == NULL) o->pool = blocked_pool_new();
  if (o->pool == NULL) return false;
  return agent_thread_start(&o->watch, "Orca owners", o->threads, ti, jni, watch, o);
}

void owners_stop(struct owners *o) { agent_thread_stop(&o->watch, NS_PER_S); }
