#include "agent/monitor/owners.h"

#include "agent/base/clock.h"
#include "agent/monitor/owners_internal.h"

void owners_init(struct owners *o, struct threads *threads) {
  *o = (struct owners){.threads = threads};
}

static void count(uint64_t *counter) { __atomic_fetch_add(counter, 1, __ATOMIC_RELAXED); }

jthread owners_now(struct owners *o, jvmtiEnv *ti, JNIEnv *jni, jobject monitor) {
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

uint32_t owners_since(struct owners *o, jvmtiEnv *ti, JNIEnv *jni, jthread owner, uint32_t hash,
                      uint64_t since_ns) {
  bool known = owner != NULL && context_had_monitor(o->threads, ti, owner, hash, since_ns);
  return known ? object_hash(&o->threads->recorder->meta, ti, jni, owner) : 0;
}

static uint32_t ask_now(struct owners *o, jvmtiEnv *ti, JNIEnv *jni, jobject monitor,
                        uint32_t hash) {
  uint64_t now = clock_monotonic_ns();
  jthread owner = owners_now(o, ti, jni, monitor);
  uint32_t known = owners_since(o, ti, jni, owner, hash, now);
  if (owner != NULL) (*jni)->DeleteLocalRef(jni, owner);
  return known;
}

static struct blocked *ask_late(struct owners *o, JNIEnv *jni, jobject monitor, uint32_t thread,
                                uint32_t hash) {
  struct blocked_on on = {(*jni)->NewWeakGlobalRef(jni, monitor), thread, hash,
                          clock_monotonic_ns()};
  struct blocked *b = on.monitor == NULL ? NULL : blocked_begin(o->pool, &on);
  if (b == NULL) count(&o->not_asked);
  if (b == NULL && on.monitor != NULL) (*jni)->DeleteWeakGlobalRef(jni, on.monitor);
  if (__atomic_exchange_n(&o->idle, false, __ATOMIC_SEQ_CST)) agent_thread_wake(&o->thread);
  return b;
}

struct blocked *owners_ask(struct owners *o, jvmtiEnv *ti, JNIEnv *jni, jobject monitor,
                           uint32_t thread, uint32_t hash, uint32_t *out_owner) {
  enum owners_mode mode = o->threads->recorder->options.owners;
  if (mode == OWNERS_ALL) *out_owner = ask_now(o, ti, jni, monitor, hash);
  return mode == OWNERS_LATE && o->pool != NULL ? ask_late(o, jni, monitor, thread, hash) : NULL;
}

bool owners_start(struct owners *o, jvmtiEnv *ti, JNIEnv *jni) {
  o->asked = o->not_asked = 0;
  if (o->threads->recorder->options.owners != OWNERS_LATE) return true;
  if (o->pool == NULL) o->pool = blocked_pool_new();
  if (o->watch == NULL) o->watch = watch_new(o);
  if (o->pool == NULL || o->watch == NULL) return false;
  return agent_thread_start(&o->thread, "Orca owners", o->threads, ti, jni, watch_run, o->watch);
}

void owners_stop(struct owners *o) { agent_thread_stop(&o->thread, NS_PER_S); }
