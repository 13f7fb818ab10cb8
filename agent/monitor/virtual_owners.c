#include "agent/monitor/virtual_owners.h"

#include "agent/base/clock.h"
#include "agent/base/limit.h"
#include "agent/jvm/jvm.h"

#define LIMIT_NS (NS_PER_S / 5) /* of one search */
#define MAX_THREADS 100000

struct search {
  jvmtiEnv *ti;
  JNIEnv *jni;
  struct wanted_monitor *wanted;
  size_t num, num_found;
  void (*found)(void *arg, const struct wanted_monitor *w, jthread owner);
  void *arg;
};

void virtual_owners_init(struct virtual_owners *v, struct threads *threads,
                         struct acquisitions *acquisitions) {
  *v = (struct virtual_owners){.threads = threads, .acquisitions = acquisitions};
  credit_start(&v->credit, clock_monotonic_ns());
}

uint64_t virtual_owners_next(const struct virtual_owners *v, jvmtiEnv *ti) {
  bool is_possible = threads_has_virtual(v->threads) && v->acquisitions->has_capability &&
                     !v->acquisitions->is_refused && facts_know_virtual(ti);
  return is_possible ? credit_next(&v->credit) : UINT64_MAX;
}

static void report(struct search *s, struct wanted_monitor *w, jthread owner) {
  if (!w->is_found) s->num_found++;
  w->is_found = true;
  s->found(s->arg, w, owner);
}

/* Compares the objects, as to ask a locked object for its hash would slow its lock down. */
static void ask(struct search *s, jthread thread) {
  jint n = 0;
  jvmtiMonitorStackDepthInfo *held = NULL;
  if ((*s->ti)->GetOwnedMonitorStackDepthInfo(s->ti, thread, &n, &held) != JVMTI_ERROR_NONE) return;
  jvm_reserve_references(s->jni, n);
  for (jint i = 0; i < n; i++) {
    for (size_t k = 0; k < s->num; k++) {
      if ((*s->jni)->IsSameObject(s->jni, held[i].monitor, s->wanted[k].monitor))
        report(s, &s->wanted[k], thread);
    }
    (*s->jni)->DeleteLocalRef(s->jni, held[i].monitor);
  }
  (*s->ti)->Deallocate(s->ti, (unsigned char *)held);
}

/* Asks the threads from the index `first` on, and then those before it, until all monitors are
   found. Returns the index of the first one that was not asked. */
static jint ask_all(struct search *s, jobjectArray threads, jint num, jint first, uint64_t until) {
  for (jint i = 0; i < num; i++) {
    jint at = (first + i) % num;
    if (s->num_found == s->num || clock_monotonic_ns() > until) return at;
    jthread thread = (*s->jni)->GetObjectArrayElement(s->jni, threads, at);
    ask(s, thread);
    (*s->jni)->DeleteLocalRef(s->jni, thread);
  }
  return 0;
}

void virtual_owners_search(struct virtual_owners *v, jvmtiEnv *ti, JNIEnv *jni,
                           struct wanted_monitor *wanted, size_t num,
                           void (*found)(void *arg, const struct wanted_monitor *w, jthread owner),
                           void *arg) {
  struct search s = {ti, jni, wanted, num, 0, found, arg};
  uint64_t begin = clock_monotonic_ns(), cpu = clock_own_cpu_ns();
  if (!credit_is_left(&v->credit, begin) || !acquisitions_open(v->acquisitions, jni)) return;
  jobjectArray threads = facts_find_virtual_threads(&v->acquisitions->facts, jni, MAX_THREADS);
  jint n = threads == NULL ? 0 : (*jni)->GetArrayLength(jni, threads);
  if (n > 0) v->next = ask_all(&s, threads, n, v->next, begin + limit_ns(LIMIT_NS));
  if (threads != NULL) (*jni)->DeleteLocalRef(jni, threads);
  credit_charge(&v->credit, clock_own_cpu_ns() - cpu);
}
