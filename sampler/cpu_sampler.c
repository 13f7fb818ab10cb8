#include "sampler/cpu_sampler.h"

#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "agent/base/log.h"
#include "agent/base/memory.h"

void cpu_sampler_init(struct cpu_sampler *s, struct recorder *recorder) {
  *s = (struct cpu_sampler){.recorder = recorder};
  pthread_mutex_init(&s->lock, NULL);
}

void cpu_sampler_reset(struct cpu_sampler *s) {
  s->fallback = s->stopped = NULL;
  s->lost = s->signal.samples = s->signal.dropped = s->signal.untimed = 0;
}

/* --- records -------------------------------------------------------------------------------- */

static void put_cpu(struct cpu_sampler *s, unsigned lane, uint32_t thread, int64_t cpu_ns,
                    struct stack *stack, enum cpu_place place) {
  struct record record = {.kind = RECORD_CPU,
                          .state = (uint8_t)place,
                          .thread = thread,
                          .stack = stack,
                          .u.cpu_ns = cpu_ns};
  recorder_put(s->recorder, lane, &record);
}

static void put_rest(struct cpu_sampler *s, unsigned lane, uint32_t thread, int64_t cpu_ns) {
  if (cpu_ns > 0) put_cpu(s, lane, thread, cpu_ns, NULL, CPU_PLACE_UNSAMPLED);
}

/* --- timers --------------------------------------------------------------------------------- */

/* The map keeps the hashes of threads that are gone: now and then it is made anew. */
static void forget_gone(struct cpu_sampler *s) {
  if (hashmap_size(&s->timers) < 2 * s->num_timers + 1024) return;
  struct hashmap fresh = {0};
  struct hashmap_slot slot;
  bool good = true;
  for (size_t cursor = 0; hashmap_next(&s->timers, &cursor, &slot);) {
    if (slot.value != 0) good = good && hashmap_put(&fresh, slot.key, slot.value);
  }
  struct hashmap old = good ? s->timers : fresh;
  if (good) s->timers = fresh;
  hashmap_free(&old);
}

/* A thread of the kernel, as the JVM knows it. */
struct found {
  uint32_t hash;
  int32_t tid;
  uintptr_t java_thread, stack_low, stack_end;
};

/* Asks the JVM, so not under the lock. False: the thread has not begun, or has ended. */
static bool find_kernel_thread(const struct cpu_sampler *s, JNIEnv *jni, jthread thread,
                               uint32_t hash, struct found *out) {
  uintptr_t java_thread = hotspot_thread(&s->hotspot, jni, thread);
  *out = (struct found){.hash = hash,
                        .tid = hotspot_tid(&s->hotspot, java_thread),
                        .java_thread = java_thread,
                        .stack_end = hotspot_stack_end(&s->hotspot, java_thread)};
  out->stack_low = out->stack_end - hotspot_stack_size(&s->hotspot, java_thread);
  return out->tid != 0 && hash != 0;
}

/* Under the lock. A thread whose hash another living one has is not sampled. */
static void add_timer(struct cpu_sampler *s, const struct found *f, bool is_new) {
  uint64_t *timer = hashmap_at(&s->timers, f->hash);
  if (timer == NULL || *timer != 0) return;
  *timer = (uintptr_t)cpu_timer_new(&s->signal, f->tid, f->hash, f->java_thread, f->stack_low,
                                    f->stack_end, is_new);
  s->num_timers += *timer != 0;
}

/* Under the lock. */
static int64_t remove_timer(struct cpu_sampler *s, uint64_t *timer) {
  int64_t rest = cpu_timer_free((struct cpu_timer *)(uintptr_t)*timer);
  *timer = 0;
  s->num_timers--;
  return rest;
}

/* A native thread may attach to the JVM and detach many times: it is new only once. */
static bool is_first_life(void) {
  static __thread bool was_java;
  bool is_first = !was_java;
  was_java = true;
  return is_first;
}

void cpu_sampler_thread_begins(struct cpu_sampler *s, JNIEnv *jni, jthread thread, uint32_t hash) {
  struct found found;
  bool is_new = is_first_life();
  if (!cpu_sampler_is_on(s) || !find_kernel_thread(s, jni, thread, hash, &found)) return;
  pthread_mutex_lock(&s->lock);
  if (s->is_on) add_timer(s, &found, is_new);
  pthread_mutex_unlock(&s->lock);
}

/* The timer under this hash may be that of another thread with the same hash. */
void cpu_sampler_thread_ends(struct cpu_sampler *s, uint32_t hash, unsigned lane) {
  int64_t rest = 0;
  uint64_t there = 0;
  if (!__atomic_load_n(&s->hears, __ATOMIC_ACQUIRE)) return;
  pthread_mutex_lock(&s->lock);
  bool has = hashmap_get(&s->timers, hash, &there) && there != 0 &&
             cpu_timer_is_own((const struct cpu_timer *)(uintptr_t)there);
  if (has) rest = remove_timer(s, hashmap_at(&s->timers, hash));
  if (s->is_on) forget_gone(s);
  pthread_mutex_unlock(&s->lock);
  put_rest(s, lane, hash, rest);
}

/* A thread may still be listed after its ThreadEnd. It must not get a timer, since its JavaThread
   is about to be freed. */
static void add_living(struct cpu_sampler *s, struct threads *threads, jvmtiEnv *ti, JNIEnv *jni,
                       jthread thread) {
  struct found found;
  jint hash = 0;
  if (threads_is_own(threads, jni, thread)) return;
  if ((*ti)->GetObjectHashCode(ti, thread, &hash) != JVMTI_ERROR_NONE) return;
  if (!find_kernel_thread(s, jni, thread, (uint32_t)hash, &found)) return;
  pthread_mutex_lock(&s->lock);
  bool has_ended = registry_has_ended(&threads->registry, found.hash);
  if (!has_ended) add_timer(s, &found, /* is_new */ false);
  pthread_mutex_unlock(&s->lock);
  if (s->tids != NULL && !has_ended) tids_put(s->tids, (uint32_t)found.tid, found.hash);
}

static void add_all_living(struct cpu_sampler *s, struct threads *threads, jvmtiEnv *ti,
                           JNIEnv *jni) {
  jint n = 0;
  jthread *living = NULL;
  if ((*ti)->GetAllThreads(ti, &n, &living) != JVMTI_ERROR_NONE) return;
  if ((*jni)->EnsureLocalCapacity(jni, n) != JNI_OK) (*jni)->ExceptionClear(jni);
  for (jint i = 0; i < n; i++) {
    add_living(s, threads, ti, jni, living[i]);
    (*jni)->DeleteLocalRef(jni, living[i]);
  }
  (*ti)->Deallocate(ti, (unsigned char *)living);
}

/* --- virtual threads ------------------------------------------------------------------------ */

void cpu_sampler_virtual_begins(struct cpu_sampler *s, JNIEnv *jni, jthread thread, uint32_t hash) {
  if (!cpu_sampler_is_on(s) || s->mounted == NULL) return;
  uint64_t number = (uint64_t)(*jni)->GetLongField(jni, thread, s->thread_number);
  __atomic_store_n(&s->mounted[number % NUM_MOUNTED], number << 32 | hash, __ATOMIC_RELAXED);
}

/* The hash of the virtual thread that a capture met; its carrier's where it is not known. */
static uint32_t find_thread(const struct cpu_sampler *s, const struct capture *c,
                            const struct unwound *u) {
  if (!u->is_mounted || s->mounted == NULL) return c->thread;
  uint64_t there = __atomic_load_n(&s->mounted[c->mounted % NUM_MOUNTED], __ATOMIC_RELAXED);
  return there >> 32 == (uint32_t)c->mounted && there != 0 ? (uint32_t)there : c->thread;
}

static void find_thread_number(struct cpu_sampler *s, JNIEnv *jni) {
  if (!s->hotspot.has[HOTSPOT_THREAD_OWNER_ID] || s->mounted != NULL) return;
  jclass klass = (*jni)->FindClass(jni, "java/lang/Thread");
  if (klass != NULL) s->thread_number = (*jni)->GetFieldID(jni, klass, "tid", "J");
  if ((*jni)->ExceptionCheck(jni)) (*jni)->ExceptionClear(jni);
  if (klass != NULL) (*jni)->DeleteLocalRef(jni, klass);
  if (s->thread_number != NULL) s->mounted = memory_new_zeroed(NUM_MOUNTED, sizeof *s->mounted);
}

/* --- start and stop ------------------------------------------------------------------------- */

#define IN_NATIVE 4 /* JavaThread::_thread_state in a callback */

/* Checks that the fields read from the current JavaThread have the expected values. */
static bool passes_self_test(const struct hotspot *h, jvmtiEnv *ti, JNIEnv *jni) {
  jthread self = NULL;
  if ((*ti)->GetCurrentThread(ti, &self) != JVMTI_ERROR_NONE || self == NULL) return false;
  uintptr_t java_thread = hotspot_thread(h, jni, self);
  uintptr_t here = (uintptr_t)__builtin_frame_address(0), end = hotspot_stack_end(h, java_thread);
  (*jni)->DeleteLocalRef(jni, self);
  return hotspot_tid(h, java_thread) == (int32_t)syscall(SYS_gettid) && here < end &&
         end - here < UINT64_C(1) << 30 &&
         jvm_memory_int(java_thread + h->at[HOTSPOT_THREAD_STATE]) == IN_NATIVE;
}

static int max_frames(const struct cpu_sampler *s) {
  return meta_frames_wanted(s->recorder->options.depth);
}

static bool make_tables(struct cpu_sampler *s) {
  if (s->codes == NULL) s->codes = code_map_new();
  if (s->ids == NULL) s->ids = method_ids_new();
  free(s->frames);
  s->frames = memory_new((size_t)max_frames(s) * sizeof *s->frames);
  s->fallback = "there is no memory for samples";
  return s->codes != NULL && s->ids != NULL && s->frames != NULL;
}

static bool open(struct cpu_sampler *s, jvmtiEnv *ti, JNIEnv *jni) {
  if (!make_tables(s)) return false;
  if (!hotspot_open(&s->hotspot, ti, jni, &s->fallback)) return false;
  if (!passes_self_test(&s->hotspot, ti, jni)) {
    s->fallback = "the JVM's structures are not as expected, or cannot be read";
    return false;
  }
  uint64_t interval = s->recorder->options.interval;
  return cpu_signal_start(&s->signal, &s->hotspot, interval, &s->fallback);
}

static bool hear(jvmtiEnv *ti, jvmtiEventMode mode) {
  const jvmtiEvent events[] = {JVMTI_EVENT_COMPILED_METHOD_LOAD, JVMTI_EVENT_COMPILED_METHOD_UNLOAD,
                               JVMTI_EVENT_CLASS_PREPARE};
  bool good = true;
  for (size_t i = 0; i < sizeof events / sizeof *events; i++) {
    if (mode == JVMTI_DISABLE && events[i] == JVMTI_EVENT_CLASS_PREPARE) continue;
    good = (*ti)->SetEventNotificationMode(ti, mode, events[i], NULL) == JVMTI_ERROR_NONE && good;
  }
  return good;
}

bool cpu_sampler_start(struct cpu_sampler *s, struct threads *threads, jvmtiEnv *ti, JNIEnv *jni) {
  if (!open(s, ti, jni)) return false;
  s->unwinder = (struct unwinder){.hotspot = &s->hotspot, .codes = s->codes, .ids = s->ids};
  find_thread_number(s, jni);
  __atomic_store_n(&s->hears, true, __ATOMIC_RELEASE);
  s->fallback = "the JVM does not tell what it compiles";
  if (!hear(ti, JVMTI_ENABLE)) return false;
  s->fallback = NULL;
  pthread_mutex_lock(&s->lock);
  __atomic_store_n(&s->is_on, true, __ATOMIC_RELEASE);
  pthread_mutex_unlock(&s->lock);
  add_all_living(s, threads, ti, jni);
  return true;
}

void cpu_sampler_learn(struct cpu_sampler *s, jvmtiEnv *ti, JNIEnv *jni) {
  (*ti)->GenerateEvents(ti, JVMTI_EVENT_COMPILED_METHOD_LOAD);
  method_ids_add_all(s->ids, ti, jni);
}

/* Takes the next timer out of the map; false: none is left. Its record is put without the lock, as
   that may wait for room, and threads that end meanwhile remove their own timers. */
static bool stop_timer(struct cpu_sampler *s, size_t *cursor) {
  struct hashmap_slot slot;
  int64_t rest = 0;
  bool more;
  pthread_mutex_lock(&s->lock);
  do {
    more = hashmap_next(&s->timers, cursor, &slot);
  } while (more && slot.value == 0);
  if (more) rest = remove_timer(s, hashmap_at(&s->timers, slot.key));
  if (!more) hashmap_free(&s->timers);
  pthread_mutex_unlock(&s->lock);
  if (more) put_rest(s, RECORDER_OWN_LANE, (uint32_t)slot.key, rest);
  return more;
}

static void stop_timers(struct cpu_sampler *s) {
  size_t cursor = 0;
  pthread_mutex_lock(&s->lock);
  __atomic_store_n(&s->is_on, false, __ATOMIC_RELEASE); /* no timer is added from now on */
  pthread_mutex_unlock(&s->lock);
  while (stop_timer(s, &cursor)) {
  }
}

void cpu_sampler_stop(struct cpu_sampler *s, jvmtiEnv *ti, JNIEnv *jni) {
  if (!__atomic_load_n(&s->hears, __ATOMIC_ACQUIRE)) return;
  if (cpu_sampler_is_on(s)) stop_timers(s);
  cpu_sampler_drain(s, ti, jni);
  hear(ti, JVMTI_DISABLE);
  __atomic_store_n(&s->hears, false, __ATOMIC_RELEASE);
  cpu_signal_stop(&s->signal);
  code_map_clear(s->codes);
}

/* --- decoding ------------------------------------------------------------------------------- */

static void decode(struct cpu_sampler *s, jvmtiEnv *ti, JNIEnv *jni, const struct capture *c) {
  struct unwound u = {.frames = s->frames, .max = max_frames(s)};
  unwind(&s->unwinder, c, &u);
  uint32_t thread = find_thread(s, c, &u);
  if (u.place == CPU_PLACE_LOST) __atomic_fetch_add(&s->lost, 1, __ATOMIC_RELAXED);
  struct stack *stack =
      u.num == 0 ? NULL : stack_of(&s->recorder->meta, ti, jni, u.frames, u.num, /* uses */ 1);
  put_cpu(s, RECORDER_OWN_LANE, thread, c->cpu_ns, stack, u.place);
}

/* Another library that installs a handler for the signal would receive Orca's signals. */
static void check_handler(struct cpu_sampler *s) {
  if (!cpu_sampler_is_on(s) || cpu_signal_is_installed(&s->signal)) return;
  stop_timers(s);
  s->stopped = "another library took the signal";
  log_line("sampler=signal: %s; no CPU time is sampled from now on", s->stopped);
}

void cpu_sampler_drain(struct cpu_sampler *s, jvmtiEnv *ti, JNIEnv *jni) {
  hotspot_refresh(&s->hotspot);
  check_handler(s);
  struct capture *c = captures_filled(s->signal.captures);
  for (struct capture *next; c != NULL; c = next) {
    next = c->next;
    decode(s, ti, jni, c);
    captures_return(s->signal.captures, c);
  }
}

/* --- what the JVM tells --------------------------------------------------------------------- */

void cpu_sampler_code_loaded(struct cpu_sampler *s, jmethodID method, const void *code, jint size,
                             const void *info) {
  if (!__atomic_load_n(&s->hears, __ATOMIC_ACQUIRE) || size <= 0) return;
  code_map_load(s->codes, method, (uintptr_t)code, (uint32_t)size, info);
}

void cpu_sampler_code_unloaded(struct cpu_sampler *s, const void *code) {
  if (!__atomic_load_n(&s->hears, __ATOMIC_ACQUIRE)) return;
  code_map_unload(s->codes, (uintptr_t)code);
}

void cpu_sampler_class(struct cpu_sampler *s, jvmtiEnv *ti, jclass klass) {
  if (__atomic_load_n(&s->hears, __ATOMIC_ACQUIRE)) method_ids_add_class(s->ids, ti, klass);
}
