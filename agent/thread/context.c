#include "agent/thread/context.h"

#include <stdlib.h>
#include <string.h>

#include "agent/base/bounded_lock.h"
#include "agent/base/clock.h"
#include "agent/base/text.h"
#include "agent/jvmti_later.h"

/* Marks a thread that is not recorded. */
static struct context nobody;

void threads_init(struct threads *t, struct recorder *recorder) {
  *t = (struct threads){.recorder = recorder};
  pthread_mutex_init(&t->making, NULL);
  pthread_mutex_init(&t->pool, NULL);
}

bool threads_hide(struct threads *t, JNIEnv *jni, jthread thread) {
  jobject own = t->num_own < MAX_OWN_THREADS ? (*jni)->NewGlobalRef(jni, thread) : NULL;
  if (own == NULL) return false;
  t->own[t->num_own++] = own;
  return true;
}

void threads_unhide_all(struct threads *t, JNIEnv *jni) {
  while (t->num_own > 0) (*jni)->DeleteGlobalRef(jni, t->own[--t->num_own]);
}

bool threads_is_own(const struct threads *t, JNIEnv *jni, jthread thread) {
  for (unsigned i = 0; i < t->num_own; i++) {
    if ((*jni)->IsSameObject(jni, thread, t->own[i])) return true;
  }
  return false;
}

/* --- the pool --------------------------------------------------------------------------- */

static struct context *take(struct threads *t) {
  pthread_mutex_lock(&t->pool);
  struct context *c = t->unused;
  if (c != NULL) t->unused = c->next_free;
  pthread_mutex_unlock(&t->pool);
  if (c == NULL) return calloc(1, sizeof *c);
  *c = (struct context){0};
  return c;
}

static void give(struct threads *t, struct context *c) {
  calls_free(&c->calls);
  pthread_mutex_lock(&t->pool);
  c->next_free = t->unused;
  t->unused = c;
  pthread_mutex_unlock(&t->pool);
}

/* --- making ---------------------------------------------------------------------------- */

/* The thread's name as the files spell it, malloc'ed. */
static bool name_of(jvmtiEnv *ti, JNIEnv *jni, jthread thread, struct builder *out) {
  jvmtiThreadInfo info = {0};
  if ((*ti)->GetThreadInfo(ti, thread, &info) != JVMTI_ERROR_NONE) return false;
  if (info.name != NULL) text_name(out, info.name, strlen(info.name));
  (*ti)->Deallocate(ti, (unsigned char *)info.name);
  if (info.thread_group != NULL) (*jni)->DeleteLocalRef(jni, info.thread_group);
  if (info.context_class_loader != NULL) (*jni)->DeleteLocalRef(jni, info.context_class_loader);
  return !out->failed;
}

static void put_started(struct threads *t, jvmtiEnv *ti, JNIEnv *jni, jthread thread,
                        const struct context *c) {
  if (!recorder_wants(t->recorder, EVENT_THREAD_STARTED)) return;
  struct builder name = {0};
  if (!name_of(ti, jni, thread, &name)) builder_free(&name);
  struct record r = {.kind = RECORD_EVENT,
                     .event = EVENT_THREAD_STARTED,
                     .thread = c->thread,
                     .u.name = {name.data, name.len}};
  recorder_put(t->recorder, c->lane, &r);
}

/* Makes the thread known to the recording at hand: its object, its name. */
static void announce(struct threads *t, jvmtiEnv *ti, JNIEnv *jni, jthread thread,
                     struct context *c) {
  c->thread = object_hash(&t->recorder->meta, ti, jni, thread);
  __atomic_store_n(&c->recording, meta_recording(&t->recorder->meta), __ATOMIC_RELEASE);
  put_started(t, ti, jni, thread, c);
}

/* By the name of its class: to look for that would initialize it. */
static bool is_carrier(jvmtiEnv *ti, JNIEnv *jni, jthread thread) {
  char *signature = NULL;
  jclass klass = (*jni)->GetObjectClass(jni, thread);
  (*ti)->GetClassSignature(ti, klass, &signature, NULL);
  bool is = signature != NULL && strcmp(signature, "Ljdk/internal/misc/CarrierThread;") == 0;
  (*ti)->Deallocate(ti, (unsigned char *)signature);
  (*jni)->DeleteLocalRef(jni, klass);
  return is;
}

static struct context *make(struct threads *t, jvmtiEnv *ti, JNIEnv *jni, jthread thread) {
  struct context *c = threads_is_own(t, jni, thread) ? NULL : take(t);
  if (c != NULL) {
    __atomic_store_n(&c->begun_ns, clock_monotonic_ns(), __ATOMIC_RELAXED);
    c->is_virtual = later_is_virtual(jni, thread);
    c->is_carrier = !c->is_virtual && is_carrier(ti, jni, thread);
    c->lane = __atomic_fetch_add(&t->next_lane, 1, __ATOMIC_RELAXED) %
              queue_num_lanes(t->recorder->queue);
  }
  if ((*ti)->SetThreadLocalStorage(ti, thread, c == NULL ? &nobody : c) == JVMTI_ERROR_NONE) {
    return c;
  }
  if (c != NULL) give(t, c); /* it has ended */
  return NULL;
}

static bool is_announced(const struct threads *t, const struct context *c) {
  return __atomic_load_n(&c->recording, __ATOMIC_ACQUIRE) == meta_recording(&t->recorder->meta);
}

static struct context *stored(jvmtiEnv *ti, jthread thread) {
  void *stored = NULL;
  (*ti)->GetThreadLocalStorage(ti, thread, &stored);
  return stored;
}

/* A thread can be announced by another just while it makes its first event. Without the lock (see
   bounded_lock.h) it would, at worst, be announced twice. */
static struct context *find_or_make(struct threads *t, jvmtiEnv *ti, JNIEnv *jni, jthread thread) {
  bool locked = bounded_lock(&t->making);
  struct context *c = stored(ti, thread);
  if (c == NULL) c = make(t, ti, jni, thread);
  if (c == &nobody) c = NULL;
  if (c != NULL && !is_announced(t, c)) announce(t, ti, jni, thread, c);
  bounded_unlock(&t->making, locked);
  return c;
}

static struct context *make_here(struct threads *t, jvmtiEnv *ti, JNIEnv *jni) {
  jthread thread = NULL;
  if ((*ti)->GetCurrentThread(ti, &thread) != JVMTI_ERROR_NONE || thread == NULL) return NULL;
  struct context *c = find_or_make(t, ti, jni, thread);
  (*jni)->DeleteLocalRef(jni, thread);
  return c;
}

bool context_had_monitor(jvmtiEnv *ti, jthread thread, uint32_t monitor, uint64_t since_ns) {
  const struct context *c = stored(ti, thread);
  if (c == NULL || c == &nobody) return false;
  uint64_t begun = __atomic_load_n(&c->begun_ns, __ATOMIC_RELAXED);
  bool blocking = __atomic_load_n(&c->blocking, __ATOMIC_ACQUIRE);
  if (blocking && __atomic_load_n(&c->monitor, __ATOMIC_RELAXED) == monitor) return false;
  uint64_t entered = __atomic_load_n(&c->entered_ns, __ATOMIC_ACQUIRE);
  bool same = __atomic_load_n(&c->entered, __ATOMIC_RELAXED) == monitor;
  return !c->is_carrier && begun != 0 && begun <= since_ns && !(same && entered > since_ns);
}

bool context_has_ended(jvmtiEnv *ti, jthread thread) { return stored(ti, thread) == &nobody; }

struct context *context_known(jvmtiEnv *ti) {
  struct context *c = stored(ti, NULL);
  return c == &nobody ? NULL : c;
}

struct context *context_here(struct threads *t, jvmtiEnv *ti, JNIEnv *jni) {
  struct context *c = stored(ti, NULL);
  if (c == &nobody || !recorder_is_on(t->recorder)) return NULL;
  return c != NULL && is_announced(t, c) ? c : make_here(t, ti, jni);
}

void context_announce_all(struct threads *t, jvmtiEnv *ti, JNIEnv *jni) {
  jint n = 0;
  jthread *threads = NULL;
  if ((*ti)->GetAllThreads(ti, &n, &threads) != JVMTI_ERROR_NONE) return;
  if ((*jni)->EnsureLocalCapacity(jni, n) != JNI_OK) (*jni)->ExceptionClear(jni);
  for (jint i = 0; i < n; i++) {
    find_or_make(t, ti, jni, threads[i]);
    (*jni)->DeleteLocalRef(jni, threads[i]);
  }
  (*ti)->Deallocate(ti, (unsigned char *)threads);
}

/* --- ending ---------------------------------------------------------------------------- */

void context_end(struct threads *t, jvmtiEnv *ti, JNIEnv *jni) {
  struct context *c = context_here(t, ti, jni);
  if (c != NULL && recorder_wants(t->recorder, EVENT_THREAD_ENDED)) {
    struct record r = {.kind = RECORD_EVENT, .event = EVENT_THREAD_ENDED, .thread = c->thread};
    recorder_put(t->recorder, c->lane, &r);
  }
  c = context_known(ti);
  if (c == NULL) return;
  /* The JVM still locks the thread's object to wake those that join it: no events of that. */
  (*ti)->SetThreadLocalStorage(ti, NULL, &nobody);
  give(t, c);
}
