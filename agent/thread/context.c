#include "agent/thread/context.h"

#include <stdlib.h>
#include <string.h>

#include "agent/base/bounded_lock.h"
#include "agent/base/clock.h"
#include "agent/base/jvmti_compat.h"
#include "agent/base/memory.h"
#include "agent/base/os_thread.h"
#include "agent/base/text.h"
#include "agent/jvm/jvm.h"
#include "agent/record/blocked.h"
#include "agent/record/stack.h"
#include "agent/thread/ends.h"

/* The context of all threads that are not recorded. */
static struct context nobody;

void threads_init(struct threads *t, struct recorder *recorder) {
  *t = (struct threads){.recorder = recorder};
  bounded_lock_init(&t->making);
  bounded_lock_init(&t->own_lock);
  pthread_mutex_init(&t->pool, NULL);
  registry_init(&t->registry);
  virtual_contexts_init(&t->virtual_contexts);
}

bool threads_hide(struct threads *t, JNIEnv *jni, jthread thread) {
  threads_forget_ended(t, jni);
  jobject own = t->num_own < MAX_OWN_THREADS ? (*jni)->NewGlobalRef(jni, thread) : NULL;
  if (own == NULL) return false;
  bool locked = bounded_lock(&t->own_lock); /* without it, a reader may miss the new thread */
  t->own[t->num_own++] = own;
  bounded_unlock(&t->own_lock, locked);
  return true;
}

/* Puts the threads that have ended at the end of `list`, which has `n`. Returns the number of the
   others. */
static unsigned move_ended_to_end(JNIEnv *jni, jobject *list, unsigned n) {
  for (unsigned i = 0; i < n;) {
    jobject thread = list[i];
    if (jvm_is_alive(jni, thread)) {
      i++;
    } else {
      list[i] = list[--n];
      list[n] = thread;
    }
  }
  return n;
}

/* No other thread changes the list, so it need not be locked while the JVM is asked. */
void threads_forget_ended(struct threads *t, JNIEnv *jni) {
  jobject list[MAX_OWN_THREADS];
  unsigned n = t->num_own;
  memcpy(list, t->own, sizeof list);
  unsigned kept = move_ended_to_end(jni, list, n);
  if (kept == n || !bounded_lock(&t->own_lock)) return;
  memcpy(t->own, list, sizeof list);
  t->num_own = kept;
  bounded_unlock(&t->own_lock, true);
  while (n > kept) (*jni)->DeleteGlobalRef(jni, list[--n]);
}

bool threads_is_own(struct threads *t, JNIEnv *jni, jthread thread) {
  bool is_own = false;
  bool locked = bounded_lock(&t->own_lock); /* without it, a change may hide a thread from here */
  for (unsigned i = 0; i < t->num_own && !is_own; i++) {
    is_own = (*jni)->IsSameObject(jni, thread, t->own[i]);
  }
  bounded_unlock(&t->own_lock, locked);
  return is_own;
}

bool threads_has_virtual(const struct threads *t) {
  return __atomic_load_n(&t->has_virtual_threads, __ATOMIC_RELAXED);
}

void threads_note_virtual(struct threads *t) {
  if (!threads_has_virtual(t)) __atomic_store_n(&t->has_virtual_threads, true, __ATOMIC_RELAXED);
}

bool threads_have_room(struct threads *t) {
  if (os_thread_has_room()) return true;
  figure_add(&t->recorder->figures.hooks_skipped, 1);
  return false;
}

struct table_size threads_size(const struct threads *t) {
  size_t num = __atomic_load_n(&t->num_made, __ATOMIC_RELAXED);
  size_t bytes = sizeof *t + virtual_contexts_bytes(&t->virtual_contexts);
  return (struct table_size){num, bytes + num * sizeof(struct context)};
}

/* --- making ---------------------------------------------------------------------------- */

/* Appends the thread's name, escaped as in the files. False if the JVM gives none, or without
   memory. */
static bool read_name(jvmtiEnv *ti, JNIEnv *jni, jthread thread, struct builder *out) {
  jvmtiThreadInfo info = {0};
  if ((*ti)->GetThreadInfo(ti, thread, &info) != JVMTI_ERROR_NONE) return false;
  if (info.name != NULL) text_name(out, info.name, strlen(info.name));
  (*ti)->Deallocate(ti, (unsigned char *)info.name);
  if (info.thread_group != NULL) (*jni)->DeleteLocalRef(jni, info.thread_group);
  if (info.context_class_loader != NULL) (*jni)->DeleteLocalRef(jni, info.context_class_loader);
  return !out->failed;
}

/* With a threshold, the writer leaves out short virtual threads (agent/writer/short_threads.h), so
   it also defines the objects of the others. */
static bool is_defined_later(const struct threads *t, const struct context *c) {
  return c->is_virtual && recorder_wants(t->recorder, EVENT_THREAD_STARTED) &&
         __atomic_load_n(&t->recorder->options.threshold, __ATOMIC_RELAXED) > 0;
}

/* Defines the thread's object in the current recording and records its ThreadStarted. */
static void announce_thread(struct threads *t, jvmtiEnv *ti, JNIEnv *jni, jthread thread,
                            struct context *c) {
  uint32_t later = is_defined_later(t, c) ? object_class(&t->recorder->meta, ti, jni, thread) : 0;
  if (later == 0) object_hash(&t->recorder->meta, ti, jni, thread);
  __atomic_store_n(&c->recording, meta_recording(&t->recorder->meta), __ATOMIC_RELEASE);
  if (!recorder_wants(t->recorder, EVENT_THREAD_STARTED)) return;
  struct builder name = {0};
  if (!read_name(ti, jni, thread, &name)) builder_free(&name);
  struct record r = {.kind = RECORD_EVENT,
                     .event = EVENT_THREAD_STARTED,
                     .state = c->is_virtual ? RECORD_VIRTUAL : 0,
                     .thread = c->thread,
                     .owner = later,
                     .u.name = {name.data, name.len}};
  bool is_recorded = recorder_put(t->recorder, c->lane, &r);
  if (!is_recorded && later != 0) object_define(&t->recorder->meta, c->thread, later);
}

/* Compares the name of the class, because looking up the class would initialize it. */
static bool is_carrier_thread(jvmtiEnv *ti, JNIEnv *jni, jthread thread) {
  char *signature = NULL;
  jclass klass = (*jni)->GetObjectClass(jni, thread);
  (*ti)->GetClassSignature(ti, klass, &signature, NULL);
  bool is = signature != NULL && strcmp(signature, "Ljdk/internal/misc/CarrierThread;") == 0;
  (*ti)->Deallocate(ti, (unsigned char *)signature);
  (*jni)->DeleteLocalRef(jni, klass);
  return is;
}

static struct context *make_context(struct threads *t, jvmtiEnv *ti, JNIEnv *jni, jthread thread,
                                    uint32_t hash, bool is_virtual) {
  pthread_mutex_lock(&t->pool);
  struct context *c = t->unused;
  if (c != NULL) t->unused = c->next_free;
  pthread_mutex_unlock(&t->pool);
  if (c == NULL) {
    c = memory_new(sizeof *c);
    if (c != NULL) __atomic_fetch_add(&t->num_made, 1, __ATOMIC_RELAXED);
  }
  if (c == NULL) return NULL;
  *c = (struct context){.thread = hash, .is_virtual = is_virtual};
  c->is_carrier = !is_virtual && is_carrier_thread(ti, jni, thread);
  c->lane =
      __atomic_fetch_add(&t->next_lane, 1, __ATOMIC_RELAXED) % queue_num_lanes(t->recorder->queue);
  __atomic_store_n(&c->begun_ns, clock_monotonic_ns(), __ATOMIC_RELAXED);
  if (!is_virtual) return c;
  threads_note_virtual(t);
  virtual_contexts_add(&t->virtual_contexts, c);
  return c;
}

/* Forgets that the thread blocks: no end event will follow. */
static void forget_blocking(struct context *c) {
  if (!c->blocking) return;
  blocked_end(c->blocked);
  stack_release(c->blocked_stack);
  c->blocking = false;
}

static void recycle_context(struct threads *t, struct context *c) {
  if (c->is_virtual) virtual_contexts_remove(&t->virtual_contexts, c);
  calls_free(&c->calls);
  forget_blocking(c);
  pthread_mutex_lock(&t->pool);
  c->next_free = t->unused;
  t->unused = c;
  pthread_mutex_unlock(&t->pool);
}

static void register_context(struct threads *t, struct context *c) {
  c->is_registered = true;
  if (c->is_virtual && !c->is_adopted)
    __atomic_store_n(&t->has_virtual_contexts, true, __ATOMIC_RELAXED);
  registry_add(&t->registry, c);
}

static bool is_announced(const struct threads *t, const struct context *c) {
  return __atomic_load_n(&c->recording, __ATOMIC_ACQUIRE) == meta_recording(&t->recorder->meta);
}

/* Returns the context in the local storage of the current thread, NULL if there is none. */
static struct context *get_stored(jvmtiEnv *ti) {
  void *stored = NULL;
  (*ti)->GetThreadLocalStorage(ti, NULL, &stored);
  return stored;
}

/* The context of the platform thread that this thread of the operating system is; NULL: not known,
   or a carrier. A thread of the program may carry virtual threads, too, if it is their scheduler:
   so walker_is_platform is asked each time. Nothing but context_end forgets it, so JVMTI's
   ThreadEnd stays enabled until the JVM ends. */
static __thread struct context *of_this_thread;

/* Does the same as get_stored, but faster for a platform thread. */
static struct context *find_stored(const struct threads *t, jvmtiEnv *ti, JNIEnv *jni) {
  if (of_this_thread != NULL && walker_is_platform(&t->recorder->meta.walker, jni))
    return of_this_thread;
  return get_stored(ti);
}

static bool store_context(jvmtiEnv *ti, struct context *c) {
  return (*ti)->SetThreadLocalStorage(ti, NULL, c) == JVMTI_ERROR_NONE;
}

static uint32_t get_hash(jvmtiEnv *ti, jthread thread) {
  jint hash = 0;
  (*ti)->GetObjectHashCode(ti, thread, &hash);
  return (uint32_t)hash;
}

/* --- the current thread ---------------------------------------------------------------- */

/* Virtual threads are many, and few of them are ever in the registry. */
static bool may_be_registered(const struct threads *t, bool is_virtual) {
  return !is_virtual || __atomic_load_n(&t->has_virtual_contexts, __ATOMIC_RELAXED);
}

/* Gives the current thread its context: the one that another thread made when it announced this
   thread, or else a new one. NULL if the thread is one of Orca's own, or on failure. */
static struct context *adopt_or_make(struct threads *t, jvmtiEnv *ti, JNIEnv *jni, jthread thread) {
  bool is_virtual = compat_is_virtual(jni, thread);
  if (!is_virtual && threads_is_own(t, jni, thread)) {
    store_context(ti, &nobody);
    return NULL;
  }
  uint32_t hash = get_hash(ti, thread);
  struct context *c =
      may_be_registered(t, is_virtual) ? registry_adopt(&t->registry, hash, is_virtual) : NULL;
  bool adopted = c != NULL;
  if (c == NULL) c = make_context(t, ti, jni, thread, hash, is_virtual);
  if (c == NULL) return NULL;
  if (!store_context(ti, c)) {
    if (!adopted) recycle_context(t, c);
    return NULL;
  }
  bool is_platform = !is_virtual && !c->is_carrier;
  if (is_platform && walker_is_platform(&t->recorder->meta.walker, jni)) of_this_thread = c;
  if (adopted || is_virtual) return c;
  c->is_adopted = true; /* without the lock: no other thread knows the context yet */
  register_context(t, c);
  return c;
}

/* A virtual thread with a context of an earlier recording is not in the registry, so
   context_announce may have made a second context for it. This takes over what that one contains.
 */
static void take_over_twin(struct threads *t, struct context *c) {
  if (!c->is_virtual || c->is_registered || !may_be_registered(t, true)) return;
  struct context *twin = registry_adopt(&t->registry, c->thread, true);
  if (twin == NULL) return;
  if (twin->blocking) {
    forget_blocking(c);
    c->monitor = twin->monitor;
    c->blocked_stack = twin->blocked_stack;
    c->blocked = twin->blocked;
    c->blocked_in = twin->blocked_in;
    c->blocking = true;
    twin->blocking = false;
  }
  __atomic_store_n(&c->recording, twin->recording, __ATOMIC_RELEASE);
  registry_remove(&t->registry, twin);
  recycle_context(t, twin);
}

static struct context *announce_here(struct threads *t, jvmtiEnv *ti, JNIEnv *jni) {
  jthread thread = NULL;
  if ((*ti)->GetCurrentThread(ti, &thread) != JVMTI_ERROR_NONE || thread == NULL) return NULL;
  /* Another thread may announce this one at the same time. If this thread does not get the lock in
     time (bounded_lock.h), it may be announced twice. */
  bool locked = bounded_lock(&t->making);
  struct context *c = get_stored(ti);
  if (c == NULL) c = adopt_or_make(t, ti, jni, thread);
  if (c == &nobody) c = NULL;
  if (c != NULL && !is_announced(t, c)) take_over_twin(t, c);
  if (c != NULL && !is_announced(t, c)) announce_thread(t, ti, jni, thread, c);
  bounded_unlock(&t->making, locked);
  (*jni)->DeleteLocalRef(jni, thread);
  return c;
}

struct context *context_begin_virtual(struct threads *t, jvmtiEnv *ti, JNIEnv *jni,
                                      jthread thread) {
  if (!recorder_is_on(t->recorder) || get_stored(ti) != NULL) return context_here(t, ti, jni);
  struct context *c = make_context(t, ti, jni, thread, get_hash(ti, thread), true);
  if (c == NULL) return NULL;
  if (!store_context(ti, c)) {
    recycle_context(t, c);
    return NULL;
  }
  announce_thread(t, ti, jni, thread, c);
  return c;
}

struct context *context_known(const struct threads *t, jvmtiEnv *ti, JNIEnv *jni) {
  struct context *c = find_stored(t, ti, jni);
  return c == &nobody ? NULL : c;
}

struct context *context_here(struct threads *t, jvmtiEnv *ti, JNIEnv *jni) {
  struct context *c = find_stored(t, ti, jni);
  if (c == &nobody || !recorder_is_on(t->recorder)) return NULL;
  return c != NULL && is_announced(t, c) ? c : announce_here(t, ti, jni);
}

bool context_keep_self(struct threads *t, jvmtiEnv *ti, JNIEnv *jni, struct context *c) {
  jthread thread = NULL;
  if (c->self != NULL) return true;
  if (!c->is_virtual && !c->is_registered) return false;
  if ((*ti)->GetCurrentThread(ti, &thread) != JVMTI_ERROR_NONE || thread == NULL) return false;
  jweak self = (*jni)->NewWeakGlobalRef(jni, thread);
  jvm_clear_exception(jni);
  (*jni)->DeleteLocalRef(jni, thread);
  bool is_shared = c->is_registered; /* else no other thread knows the context yet */
  bool locked = is_shared && bounded_lock(&t->making);
  c->self = self;
  bounded_unlock(&t->making, locked);
  if (self == NULL || is_shared) return self != NULL;
  c->is_adopted = true;
  register_context(t, c);
  return true;
}

/* --- other threads ----------------------------------------------------------------------- */

/* Returns the announced context of another thread; NULL if the thread is not recorded. The caller
   holds `making`. context_end takes the same lock, so the context is not recycled meanwhile. */
static struct context *announce_other(struct threads *t, jvmtiEnv *ti, JNIEnv *jni,
                                      jthread thread) {
  uint32_t hash = get_hash(ti, thread);
  struct context *c = registry_find(&t->registry, hash);
  if (c == NULL) {
    /* The JVM lists a thread for a moment after its context_end. */
    jint state = 0;
    bool skip = threads_is_own(t, jni, thread) || registry_has_ended(&t->registry, hash);
    if (!skip && ends_hold(ti, thread)) {
      (*ti)->GetThreadState(ti, thread, &state);
      ends_release();
    }
    skip |= (state & JVMTI_THREAD_STATE_ALIVE) == 0;
    if (!skip) c = make_context(t, ti, jni, thread, hash, compat_is_virtual(jni, thread));
    if (c != NULL) register_context(t, c);
  }
  if (c != NULL && !is_announced(t, c)) announce_thread(t, ti, jni, thread, c);
  return c;
}

bool context_announce(struct threads *t, jvmtiEnv *ti, JNIEnv *jni, jthread thread,
                      struct context_place *out) {
  bool locked = bounded_lock(&t->making);
  const struct context *c = announce_other(t, ti, jni, thread);
  if (c != NULL) *out = (struct context_place){c->thread, c->lane};
  bounded_unlock(&t->making, locked);
  return c != NULL;
}

bool context_begin_blocking(struct threads *t, uint32_t thread, uint32_t monitor,
                            struct stack *stack) {
  bool locked = bounded_lock(&t->making);
  struct context *c = locked ? registry_find(&t->registry, thread) : NULL;
  bool good = c != NULL && !(c->blocking && c->blocked_in == meta_recording(&t->recorder->meta));
  if (good) {
    forget_blocking(c);
    __atomic_store_n(&c->monitor, monitor, __ATOMIC_RELAXED);
    c->blocked_stack = stack;
    c->blocked = NULL;
    c->blocked_in = meta_recording(&t->recorder->meta);
    __atomic_store_n(&c->blocking, true, __ATOMIC_RELEASE);
  }
  bounded_unlock(&t->making, locked);
  return good;
}

void context_announce_all(struct threads *t, jvmtiEnv *ti, JNIEnv *jni) {
  jint n = 0;
  jthread *threads = NULL;
  if ((*ti)->GetAllThreads(ti, &n, &threads) != JVMTI_ERROR_NONE) return;
  jvm_reserve_references(jni, n);
  for (jint i = 0; i < n; i++) {
    struct context_place place;
    context_announce(t, ti, jni, threads[i], &place);
    (*jni)->DeleteLocalRef(jni, threads[i]);
  }
  (*ti)->Deallocate(ti, (unsigned char *)threads);
}

/* --- owners of monitors ------------------------------------------------------------------ */

struct owner_check {
  uint32_t monitor;
  uint64_t since_ns;
  enum ownership result;
};

static void check_context(const struct context *c, void *arg) {
  struct owner_check *check = arg;
  uint64_t begun = __atomic_load_n(&c->begun_ns, __ATOMIC_RELAXED);
  bool blocking = __atomic_load_n(&c->blocking, __ATOMIC_ACQUIRE);
  if (blocking && __atomic_load_n(&c->monitor, __ATOMIC_RELAXED) == check->monitor) return;
  if (c->is_carrier) return;
  uint64_t entered = __atomic_load_n(&c->entered_ns, __ATOMIC_ACQUIRE);
  bool is_same = __atomic_load_n(&c->entered, __ATOMIC_RELAXED) == check->monitor;
  bool is_later = begun > check->since_ns || (is_same && entered > check->since_ns);
  check->result = is_later ? OWNERSHIP_NOW : OWNERSHIP_SINCE;
}

enum ownership context_check_owner(struct threads *t, jvmtiEnv *ti, JNIEnv *jni, jthread thread,
                                   uint32_t monitor, uint64_t since_ns) {
  struct owner_check check = {monitor, since_ns, OWNERSHIP_NONE};
  struct context_place place;
  uint32_t hash = get_hash(ti, thread);
  int num = registry_ask(&t->registry, hash, check_context, &check);
  if (num > 0 || !compat_is_virtual(jni, thread)) return check.result;
  switch (virtual_contexts_ask(&t->virtual_contexts, hash, check_context, &check)) {
    case VIRTUAL_FOUND:
      return check.result;
    case VIRTUAL_UNKNOWN:
      return OWNERSHIP_NOW;
    case VIRTUAL_NONE:
      break;
  }
  /* It began before the recording, and has had no event since. */
  return context_announce(t, ti, jni, thread, &place) ? OWNERSHIP_SINCE : OWNERSHIP_NONE;
}

/* --- ending ---------------------------------------------------------------------------- */

/* Returns the context of the current thread. Adopts it now if the thread had no event before. */
static struct context *find_or_adopt(struct threads *t, jvmtiEnv *ti, JNIEnv *jni) {
  jthread thread = NULL;
  struct context *c = get_stored(ti);
  if (c != NULL) return c == &nobody ? NULL : c;
  if ((*ti)->GetCurrentThread(ti, &thread) != JVMTI_ERROR_NONE || thread == NULL) return NULL;
  bool is_virtual = compat_is_virtual(jni, thread);
  if (may_be_registered(t, is_virtual))
    c = registry_adopt(&t->registry, get_hash(ti, thread), is_virtual);
  (*jni)->DeleteLocalRef(jni, thread);
  return c;
}

void context_end(struct threads *t, jvmtiEnv *ti, JNIEnv *jni) {
  struct context *c = context_here(t, ti, jni);
  if (c != NULL && recorder_wants(t->recorder, EVENT_THREAD_ENDED)) {
    struct record r = {.kind = RECORD_EVENT,
                       .event = EVENT_THREAD_ENDED,
                       .state = c->is_virtual ? RECORD_VIRTUAL : 0,
                       .thread = c->thread};
    recorder_put(t->recorder, c->lane, &r);
  }
  c = find_or_adopt(t, ti, jni);
  if (c == NULL) return;
  /* Events after this are not recorded. There are some: the JVM locks the thread's object to wake
     the threads that join it. */
  store_context(ti, &nobody);
  if (of_this_thread == c) of_this_thread = NULL;
  bool is_shared = c->is_registered; /* another thread may be announcing it */
  bool locked = is_shared && bounded_lock(&t->making);
  if (is_shared) registry_end(&t->registry, c);
  /* Without the lock, the watch may be using it. */
  if (c->self != NULL && locked) (*jni)->DeleteWeakGlobalRef(jni, c->self);
  c->self = NULL;
  recycle_context(t, c);
  bounded_unlock(&t->making, locked);
}
