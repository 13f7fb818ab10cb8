#include "sampler/cpu_sampler.h"

#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "agent/base/clock.h"
#include "agent/base/log.h"
#include "agent/base/memory.h"
#include "agent/jvm/jvm.h"
#include "sampler/walk.h"

void cpu_sampler_init(struct cpu_sampler *s, struct recorder *recorder) {
  *s = (struct cpu_sampler){.recorder = recorder};
  pthread_mutex_init(&s->lock, NULL);
}

static struct recording_figures *get_figures(const struct cpu_sampler *s) {
  return &s->recorder->figures;
}

/* --- records -------------------------------------------------------------------------------- */

static void put_cpu_sample(struct cpu_sampler *s, unsigned lane, uint32_t thread, int64_t cpu_ns,
                           struct stack *stack, enum cpu_place place) {
  struct record record = {.kind = RECORD_CPU,
                          .state = (uint8_t)place,
                          .thread = thread,
                          .stack = stack,
                          .u.cpu_ns = cpu_ns};
  recorder_put(s->recorder, lane, &record);
}

static void put_unsampled(struct cpu_sampler *s, unsigned lane, uint32_t thread, int64_t cpu_ns) {
  if (cpu_ns > 0) put_cpu_sample(s, lane, thread, cpu_ns, NULL, CPU_PLACE_UNSAMPLED);
}

/* --- timers --------------------------------------------------------------------------------- */

/* Under the lock. Rebuilds the map of timers once most of its entries are freed timers. */
static void shrink_timers(struct cpu_sampler *s) {
  if (hashmap_size(&s->timers) < 2 * s->num_timers + 1024) return;
  struct hashmap living = {0};
  struct hashmap_slot slot;
  bool good = true;
  for (size_t cursor = 0; hashmap_next(&s->timers, &cursor, &slot);) {
    if (slot.value != 0) good = good && hashmap_put(&living, slot.key, slot.value);
  }
  struct hashmap unused = good ? s->timers : living;
  if (good) s->timers = living;
  hashmap_free(&unused);
}

/* What the JVM knows about the kernel thread of a Java thread. Addresses are in this process. */
struct kernel_thread {
  uint32_t hash;
  int32_t tid;
  uintptr_t java_thread, stack_low, stack_end;
};

/* Calls the JVM, so the caller must not hold the lock. Returns false if the thread has not started
   or has ended. */
static bool find_kernel_thread(const struct cpu_sampler *s, JNIEnv *jni, jthread thread,
                               uint32_t hash, struct kernel_thread *out) {
  uintptr_t java_thread = hotspot_read_thread(&s->hotspot, jni, thread);
  *out = (struct kernel_thread){.hash = hash,
                                .tid = hotspot_read_tid(&s->hotspot, java_thread),
                                .java_thread = java_thread,
                                .stack_end = hotspot_read_stack_end(&s->hotspot, java_thread)};
  out->stack_low = out->stack_end - hotspot_read_stack_size(&s->hotspot, java_thread);
  return out->tid != 0 && hash != 0;
}

/* Under the lock. A thread gets no timer if another thread with the same hash has one. */
static void add_timer(struct cpu_sampler *s, const struct kernel_thread *k, bool is_new) {
  uint64_t *timer = hashmap_at(&s->timers, k->hash);
  if (timer == NULL || *timer != 0) return;
  *timer = (uintptr_t)cpu_timer_new(&s->signal, k->tid, k->hash, k->java_thread, k->stack_low,
                                    k->stack_end, is_new);
  s->num_timers += *timer != 0;
}

/* Under the lock. Returns the CPU time since the thread's last capture, in nanoseconds. */
static int64_t remove_timer(struct cpu_sampler *s, uint64_t *timer) {
  int64_t rest = cpu_timer_free((struct cpu_timer *)(uintptr_t)*timer);
  *timer = 0;
  s->num_timers--;
  return rest;
}

void cpu_sampler_thread_begins(struct cpu_sampler *s, JNIEnv *jni, jthread thread, uint32_t hash,
                               bool is_new) {
  struct kernel_thread k;
  if (!cpu_sampler_is_on(s) || !find_kernel_thread(s, jni, thread, hash, &k)) return;
  pthread_mutex_lock(&s->lock);
  if (s->is_on) add_timer(s, &k, is_new);
  pthread_mutex_unlock(&s->lock);
}

/* Removes only the timer of the current thread: another thread with the same hash may have one. */
void cpu_sampler_thread_ends(struct cpu_sampler *s, uint32_t hash, unsigned lane) {
  int64_t unsampled_ns = 0;
  uint64_t timer = 0;
  if (!__atomic_load_n(&s->takes_events, __ATOMIC_ACQUIRE)) return;
  pthread_mutex_lock(&s->lock);
  bool has_timer = hashmap_get(&s->timers, hash, &timer) && timer != 0 &&
                   cpu_timer_is_own((const struct cpu_timer *)(uintptr_t)timer);
  if (has_timer) unsampled_ns = remove_timer(s, hashmap_at(&s->timers, hash));
  if (s->is_on) shrink_timers(s);
  pthread_mutex_unlock(&s->lock);
  put_unsampled(s, lane, hash, unsampled_ns);
}

/* JVMTI can list a thread after its ThreadEnd. Such a thread must not get a timer, since the JVM is
   about to free its JavaThread. */
static void add_living(struct cpu_sampler *s, struct threads *threads, jvmtiEnv *ti, JNIEnv *jni,
                       jthread thread) {
  struct kernel_thread k;
  struct context_place place;
  if (!context_announce(threads, ti, jni, thread, &place)) return;
  if (!find_kernel_thread(s, jni, thread, place.thread, &k)) return;
  pthread_mutex_lock(&s->lock);
  bool has_ended = registry_has_ended(&threads->registry, k.hash);
  if (!has_ended) add_timer(s, &k, /* is_new */ false);
  pthread_mutex_unlock(&s->lock);
  if (s->tids != NULL && !has_ended) tids_put(s->tids, (uint32_t)k.tid, k.hash);
}

static void add_all_living(struct cpu_sampler *s, struct threads *threads, jvmtiEnv *ti,
                           JNIEnv *jni) {
  jint n = 0;
  jthread *living = NULL;
  if ((*ti)->GetAllThreads(ti, &n, &living) != JVMTI_ERROR_NONE) return;
  jvm_reserve_references(jni, n);
  for (jint i = 0; i < n; i++) {
    add_living(s, threads, ti, jni, living[i]);
    (*jni)->DeleteLocalRef(jni, living[i]);
  }
  (*ti)->Deallocate(ti, (unsigned char *)living);
}

/* --- virtual threads ------------------------------------------------------------------------ */

/* Looks up Continuation.enterSpecial, once. Called when a virtual thread has started: FindClass
   would initialize the class in a program without virtual threads. */
static void find_continuation_entry(struct cpu_sampler *s, JNIEnv *jni) {
  if (__atomic_load_n(&s->has_sought_entry, __ATOMIC_RELAXED)) return;
  __atomic_store_n(&s->has_sought_entry, true, __ATOMIC_RELAXED);
  jmethodID found = NULL;
  jclass klass = (*jni)->FindClass(jni, "jdk/internal/vm/Continuation");
  if (klass != NULL)
    found = (*jni)->GetStaticMethodID(jni, klass, "enterSpecial",
                                      "(Ljdk/internal/vm/Continuation;ZZ)V");
  jvm_clear_exception(jni);
  if (klass != NULL) (*jni)->DeleteLocalRef(jni, klass);
  if (found != NULL) __atomic_store_n(&s->continuation_entry, found, __ATOMIC_RELEASE);
}

void cpu_sampler_virtual_begins(struct cpu_sampler *s, JNIEnv *jni, jthread thread, uint32_t hash) {
  if (!cpu_sampler_is_on(s) || s->virtual_threads == NULL) return;
  uint64_t number = (uint64_t)(*jni)->GetLongField(jni, thread, s->thread_number);
  uint64_t at = number % NUM_VIRTUAL_THREADS;
  __atomic_store_n(&s->virtual_begun_ns[at], clock_monotonic_ns(), __ATOMIC_RELAXED);
  __atomic_store_n(&s->virtual_threads[at], number << 32 | hash, __ATOMIC_RELEASE);
  find_continuation_entry(s, jni);
}

/* Returns the hash of the thread that a capture belongs to: the virtual thread, if the frames are
   its frames and its hash is known; otherwise the platform thread. If frames were cut, those that
   are left are the virtual thread's. A virtual thread that is younger than the threshold may have
   no line (agent/writer/short_threads.h), so it is the platform thread then, too. */
static uint32_t find_thread(const struct cpu_sampler *s, const struct capture *c,
                            const struct unwound *u) {
  if ((!u->is_mounted && !u->is_cut) || s->virtual_threads == NULL) return c->thread;
  uint64_t at = c->mounted % NUM_VIRTUAL_THREADS;
  uint64_t entry = __atomic_load_n(&s->virtual_threads[at], __ATOMIC_ACQUIRE);
  if (entry >> 32 != (uint32_t)c->mounted || entry == 0) return c->thread;
  uint64_t begun_ns = __atomic_load_n(&s->virtual_begun_ns[at], __ATOMIC_RELAXED);
  uint64_t least_ns = __atomic_load_n(&s->recorder->options.threshold, __ATOMIC_RELAXED);
  if (!recorder_wants(s->recorder, EVENT_THREAD_STARTED)) least_ns = 0; /* none is left out */
  return begun_ns + least_ns <= c->time_ns ? (uint32_t)entry : c->thread;
}

/* An earlier recording of this JVM announced these threads, this one may not. Pages that are only
   read take no memory. */
static void forget_virtual_threads(struct cpu_sampler *s) {
  for (size_t i = 0; s->virtual_threads != NULL && i < NUM_VIRTUAL_THREADS; i++) {
    if (s->virtual_threads[i] != 0) __atomic_store_n(&s->virtual_threads[i], 0, __ATOMIC_RELAXED);
  }
}

static void prepare_virtual_threads(struct cpu_sampler *s, JNIEnv *jni) {
  forget_virtual_threads(s);
  if (!s->hotspot.has[HOTSPOT_THREAD_OWNER_ID] || s->virtual_threads != NULL) return;
  jclass klass = (*jni)->FindClass(jni, "java/lang/Thread");
  if (klass != NULL) s->thread_number = (*jni)->GetFieldID(jni, klass, "tid", "J");
  jvm_clear_exception(jni);
  if (klass != NULL) (*jni)->DeleteLocalRef(jni, klass);
  if (s->thread_number == NULL) return;
  s->virtual_begun_ns = memory_new_zeroed(NUM_VIRTUAL_THREADS, sizeof *s->virtual_begun_ns);
  if (s->virtual_begun_ns != NULL)
    s->virtual_threads = memory_new_zeroed(NUM_VIRTUAL_THREADS, sizeof *s->virtual_threads);
}

/* --- start and stop ------------------------------------------------------------------------- */

/* Checks that the fields read from the current JavaThread have the expected values. */
static bool passes_self_test(const struct hotspot *h, jvmtiEnv *ti, JNIEnv *jni) {
  jthread self = NULL;
  if ((*ti)->GetCurrentThread(ti, &self) != JVMTI_ERROR_NONE || self == NULL) return false;
  uintptr_t java_thread = hotspot_read_thread(h, jni, self);
  (*jni)->DeleteLocalRef(jni, self);
  return hotspot_is_current(h, java_thread);
}

static int get_max_frames(const struct cpu_sampler *s) {
  return meta_frames_wanted(s->recorder->options.depth);
}

static bool prepare_sampling(struct cpu_sampler *s, jvmtiEnv *ti, JNIEnv *jni, const char **why) {
  *why = "there is no memory for samples";
  if (s->codes == NULL) s->codes = code_map_new();
  if (s->codes != NULL) __atomic_store_n(&get_figures(s)->sampler_code_failed, 0, __ATOMIC_RELAXED);
  if (s->ids == NULL) s->ids = method_ids_new();
  free(s->frames);
  s->frames = memory_new((size_t)get_max_frames(s) * sizeof *s->frames);
  if (s->codes == NULL || s->ids == NULL || s->frames == NULL) return false;
  s->unwinder =
      (struct unwinder){.cpu = WALK_CPU, .hotspot = &s->hotspot, .codes = s->codes, .ids = s->ids};
  *why = "stacks can be decoded on x86-64 and arm64 only";
  if (s->unwinder.cpu == NULL) return false;
  if (!hotspot_open(&s->hotspot, ti, jni, why)) return false;
  if (!passes_self_test(&s->hotspot, ti, jni)) {
    *why = "the JVM's structures are not as expected, or cannot be read";
    return false;
  }
  uint64_t interval = s->recorder->options.interval;
  return cpu_signal_start(&s->signal, &s->hotspot, get_figures(s), interval, why);
}

/* ClassPrepare stays enabled at the end, since other parts of the agent use it too. */
static bool set_event_modes(jvmtiEnv *ti, jvmtiEventMode mode) {
  const jvmtiEvent events[] = {JVMTI_EVENT_COMPILED_METHOD_LOAD, JVMTI_EVENT_COMPILED_METHOD_UNLOAD,
                               JVMTI_EVENT_CLASS_PREPARE};
  bool good = true;
  for (size_t i = 0; i < sizeof events / sizeof *events; i++) {
    if (mode == JVMTI_DISABLE && events[i] == JVMTI_EVENT_CLASS_PREPARE) continue;
    good = (*ti)->SetEventNotificationMode(ti, mode, events[i], NULL) == JVMTI_ERROR_NONE && good;
  }
  return good;
}

bool cpu_sampler_start(struct cpu_sampler *s, struct threads *threads, jvmtiEnv *ti, JNIEnv *jni,
                       const char **why) {
  if (!prepare_sampling(s, ti, jni, why)) return false;
  prepare_virtual_threads(s, jni);
  __atomic_store_n(&s->takes_events, true, __ATOMIC_RELEASE);
  *why = "the JVM does not report its compiled methods";
  if (!set_event_modes(ti, JVMTI_ENABLE)) return false;
  pthread_mutex_lock(&s->lock);
  __atomic_store_n(&s->is_on, true, __ATOMIC_RELEASE);
  pthread_mutex_unlock(&s->lock);
  add_all_living(s, threads, ti, jni);
  return true;
}

void cpu_sampler_request_code(struct cpu_sampler *s, jvmtiEnv *ti, JNIEnv *jni) {
  (*ti)->GenerateEvents(ti, JVMTI_EVENT_COMPILED_METHOD_LOAD);
  method_ids_add_all(s->ids, ti, jni);
}

/* Removes the next timer from the map and records its thread's CPU time; false if no timer is left.
   recorder_put runs without the lock, since it may wait for room in the queue. Meanwhile a thread
   that ends can remove its own timer. */
static bool stop_next_timer(struct cpu_sampler *s, size_t *cursor) {
  struct hashmap_slot slot;
  int64_t unsampled_ns = 0;
  bool has_timer;
  pthread_mutex_lock(&s->lock);
  do {
    has_timer = hashmap_next(&s->timers, cursor, &slot);
  } while (has_timer && slot.value == 0);
  if (has_timer) unsampled_ns = remove_timer(s, hashmap_at(&s->timers, slot.key));
  if (!has_timer) hashmap_free(&s->timers);
  pthread_mutex_unlock(&s->lock);
  if (has_timer) put_unsampled(s, RECORDER_OWN_LANE, (uint32_t)slot.key, unsampled_ns);
  return has_timer;
}

static void stop_all_timers(struct cpu_sampler *s) {
  size_t cursor = 0;
  pthread_mutex_lock(&s->lock);
  __atomic_store_n(&s->is_on, false, __ATOMIC_RELEASE); /* no timer is added from now on */
  pthread_mutex_unlock(&s->lock);
  while (stop_next_timer(s, &cursor)) {
  }
}

void cpu_sampler_stop(struct cpu_sampler *s, jvmtiEnv *ti, JNIEnv *jni) {
  if (!__atomic_load_n(&s->takes_events, __ATOMIC_ACQUIRE)) return;
  if (cpu_sampler_is_on(s)) stop_all_timers(s);
  cpu_sampler_drain(s, ti, jni);
  set_event_modes(ti, JVMTI_DISABLE);
  __atomic_store_n(&s->takes_events, false, __ATOMIC_RELEASE);
  cpu_signal_stop(&s->signal);
  code_map_clear(s->codes);
}

void cpu_sampler_set_interval(struct cpu_sampler *s, uint64_t interval_ns) {
  struct hashmap_slot slot;
  if (!cpu_sampler_is_on(s)) return;
  cpu_signal_set_interval(interval_ns);
  pthread_mutex_lock(&s->lock);
  for (size_t cursor = 0; s->is_on && hashmap_next(&s->timers, &cursor, &slot);) {
    if (slot.value != 0) cpu_timer_advance((const struct cpu_timer *)(uintptr_t)slot.value);
  }
  pthread_mutex_unlock(&s->lock);
}

/* --- decoding ------------------------------------------------------------------------------- */

/* A hook that woven code calls has a Java frame of Orca's own, others have a mark. */
static bool is_in_hook(const struct cpu_sampler *s, const struct capture *c,
                       const struct unwound *u) {
  if (u->place == CPU_PLACE_LOST) return false;
  if (u->num > 0 && meta_is_own(&s->recorder->meta, u->frames[0].method)) return true;
  return u->place != CPU_PLACE_JAVA && capture_has_mark(c);
}

void cpu_sampler_drain(struct cpu_sampler *s, jvmtiEnv *ti, JNIEnv *jni) {
  hotspot_refresh(&s->hotspot);
  s->unwinder.continuation_entry = __atomic_load_n(&s->continuation_entry, __ATOMIC_ACQUIRE);
  if (cpu_sampler_is_on(s) && !cpu_signal_is_installed(&s->signal)) {
    /* The library that replaced the handler receives the signals of Orca's timers. */
    stop_all_timers(s);
    const char *why = "another library installed a handler for the signal";
    figure_set_text(&get_figures(s)->sampler_stopped, why);
    log_line("sampler=signal: %s; no CPU time is sampled from now on", why);
  }
  struct capture *c = captures_take_filled(s->signal.captures);
  for (struct capture *next; c != NULL; c = next) {
    next = c->next;
    struct unwound u = {.frames = s->frames, .max = get_max_frames(s)};
    unwind(&s->unwinder, c, &u);
    uint32_t thread = find_thread(s, c, &u);
    if (u.place == CPU_PLACE_LOST) figure_add(&get_figures(s)->sampler_signal_lost, 1);
    if (is_in_hook(s, c, &u)) u.place = CPU_PLACE_HOOK;
    struct stack *stack =
        u.num == 0 ? NULL : stack_of(&s->recorder->meta, ti, jni, u.frames, u.num, /* uses */ 1);
    put_cpu_sample(s, RECORDER_OWN_LANE, thread, c->cpu_ns, stack, u.place);
    captures_return(s->signal.captures, c);
  }
}

/* --- callbacks of JVMTI events -------------------------------------------------------------- */

void cpu_sampler_code_loaded(struct cpu_sampler *s, jmethodID method, const void *code, jint size,
                             const void *info) {
  if (!__atomic_load_n(&s->takes_events, __ATOMIC_ACQUIRE) || size <= 0) return;
  if (!code_map_load(s->codes, method, (uintptr_t)code, (uint32_t)size, info)) {
    figure_add(&get_figures(s)->sampler_code_failed, 1);
  }
}

void cpu_sampler_code_unloaded(struct cpu_sampler *s, const void *code) {
  if (!__atomic_load_n(&s->takes_events, __ATOMIC_ACQUIRE)) return;
  code_map_unload(s->codes, (uintptr_t)code);
}

void cpu_sampler_class_prepared(struct cpu_sampler *s, jvmtiEnv *ti, jclass klass) {
  if (__atomic_load_n(&s->takes_events, __ATOMIC_ACQUIRE)) method_ids_add_class(s->ids, ti, klass);
}

void cpu_sampler_drop_unloaded(struct cpu_sampler *s, jvmtiEnv *ti, JNIEnv *jni) {
  if (__atomic_load_n(&s->takes_events, __ATOMIC_ACQUIRE)) {
    method_ids_drop_unloaded(s->ids, ti, jni);
  }
}

struct table_size cpu_sampler_ids_size(const struct cpu_sampler *s) {
  return s->ids == NULL ? (struct table_size){0} : method_ids_size(s->ids);
}

struct table_size cpu_sampler_code_size(const struct cpu_sampler *s) {
  return s->codes == NULL ? (struct table_size){0} : code_map_size(s->codes);
}
