#include "agent/monitor/owners.h"

#include "agent/base/clock.h"
#include "agent/jvm/jvm.h"
#include "agent/monitor/owners_internal.h"

void owners_init(struct owners *o, struct threads *threads) {
  *o = (struct owners){.threads = threads, .acquisitions = {.recorder = threads->recorder}};
}

jthread owners_query(struct owners *o, jvmtiEnv *ti, JNIEnv *jni, jobject monitor) {
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

uint32_t owners_confirm(struct owners *o, jvmtiEnv *ti, JNIEnv *jni, jthread owner, uint32_t hash,
                        uint64_t since_ns) {
  bool is_confirmed = owner != NULL && context_had_monitor(o->threads, ti, owner, hash, since_ns);
  return is_confirmed ? object_hash(&o->threads->recorder->meta, ti, jni, owner) : 0;
}

struct blocked *owners_request(struct owners *o, jvmtiEnv *ti, JNIEnv *jni, jobject monitor,
                               uint32_t thread, uint32_t hash, uint32_t *out_owner) {
  enum owners_mode mode = o->threads->recorder->options.owners;
  if (mode == OWNERS_ALL) {
    uint64_t now = clock_monotonic_ns();
    jthread owner = owners_query(o, ti, jni, monitor);
    *out_owner = owners_confirm(o, ti, jni, owner, hash, now);
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
  if (o->watch == NULL) o->watch = watch_new(o);
  if (o->pool == NULL || o->watch == NULL) return false;
  return agent_thread_start(&o->thread, "Orca owners", o->threads, ti, jni, watch_run, o->watch);
}

void owners_stop(struct owners *o) { agent_thread_stop(&o->thread, NS_PER_S); }
