#include "sampler/round.h"

#include "agent/base/clock.h"
#include "agent/base/os_thread.h"
#include "agent/jvm/jvm.h"
#include "agent/record/stack.h"
#include "agent/thread/ends.h"
#include "sampler/missing_parties.h"

static struct recorder *get_recorder(const struct round *r) { return r->threads->recorder; }

static void put_tick(struct round *r, uint64_t pause_ns, jint num_threads) {
  struct record record = {.kind = RECORD_TICK,
                          .u.tick = {++r->number, (int64_t)pause_ns, num_threads}};
  recorder_put(get_recorder(r), RECORDER_OWN_LANE, &record);
}

static void put_thread_sample(struct round *r, const struct sighting *s, struct stack *stack,
                              int64_t cpu_ns) {
  struct record record = {.kind = RECORD_SAMPLE,
                          .event = s->is_virtual,
                          .state = (uint8_t)s->state,
                          .thread = s->thread,
                          .stack = stack,
                          .u.cpu_ns = cpu_ns};
  recorder_put(get_recorder(r), RECORDER_OWN_LANE, &record);
}

#define FEW_FRAMES 64
#define MAX_OF_ALL ((size_t)1 << 20) /* frames of a full tick: 16 MiB */
#define THREAD_ENDED (-2)            /* the result of read_cpu_time for a thread that has ended */

/* Returns the CPU time of a thread in nanoseconds; -1: unknown. */
static int64_t read_cpu_time(const struct round *r, jthread thread) {
  jlong ns = -1;
  if (!ends_hold(r->ti, thread)) return THREAD_ENDED;
  jvmtiError error = (*r->ti)->GetThreadCpuTime(r->ti, thread, &ns);
  ends_release();
  if (error == JVMTI_ERROR_THREAD_NOT_ALIVE) return THREAD_ENDED;
  return error == JVMTI_ERROR_NONE ? ns : -1;
}

/* Returns the CPU time that a thread had used when the recording began; 0: it did not exist. */
static int64_t get_base(const struct round *r, uint32_t thread) {
  uint64_t base = 0;
  hashmap_get(&r->base, thread, &base);
  return (int64_t)base;
}

/* Returns the CPU time since the thread's last sighting, or since the recording began; -1: unknown.
   A new thread cannot have used more CPU time than the time since the last tick. If its clock shows
   more, the kernel's thread is older than the Java thread, and its CPU time is already recorded.
   Example: the main thread of the launcher becomes DestroyJavaVM. */
static int64_t compute_cpu_used(const struct round *r, const struct sighting *before,
                                const struct sighting *now) {
  struct sighting base = {.cpu_ns = get_base(r, now->thread)};
  int64_t used = sighting_cpu_used(before == NULL ? &base : before, now);
  if (before != NULL || used < 0 || base.cpu_ns > 0) return used;
  if (r->last_tick_ns == 0) return used;
  int64_t max_used = (int64_t)(clock_monotonic_ns() - r->last_tick_ns);
  return used > max_used ? 0 : used;
}

/* --- questions to the JVM --------------------------------------------------------------------- */

#define ASK_NS NS_PER_S           /* pause after the first question; doubles after each one */
#define SELDOM_NS (64 * NS_PER_S) /* the longest pause */

static void postpone_question(const struct round *r, struct sighting *s) {
  s->pause_ns = s->pause_ns == 0 ? ASK_NS : s->pause_ns * 2;
  if (s->pause_ns > SELDOM_NS) s->pause_ns = SELDOM_NS;
  s->ask_ns = r->tick_ns + s->pause_ns;
}

/* --- parties that are missing ----------------------------------------------------------------- */

#define PARKED_NS NS_PER_S /* a thread that is parked for so long may be stuck */

static bool is_parked(const struct sighting *s, uint64_t now_ns) {
  return (s->state == STATE_PARKED || s->state == STATE_TIMED_PARKED) &&
         now_ns >= s->since_ns + PARKED_NS;
}

/* Whether the first question about a thread is due. */
static bool wants_question(const struct round *r, const struct sighting *s, uint64_t now_ns) {
  return r->blocker != NULL && !s->is_virtual && s->mounted == 0 && s->pause_ns == 0 &&
         s->told_ns == 0 && is_parked(s, now_ns);
}

static void put_parties(struct round *r, enum event_kind kind, struct sighting *s,
                        struct missing_parties parties) {
  struct record record = {
      .kind = RECORD_EVENT, .event = (uint8_t)kind, .thread = s->thread, .u.parties = parties};
  if (recorder_wants(get_recorder(r), kind))
    recorder_put(get_recorder(r), RECORDER_OWN_LANE, &record);
  s->parties = parties;
  s->told_ns = r->tick_ns;
}

/* Asks at each tick while parties are missing, but records only what is new. */
static void ask_for_parties(struct round *r, jthread thread, uint32_t hash) {
  struct sighting *s = sightings_find(&r->now, hash);
  struct missing_parties parties = {0, 0};
  if (r->blocker == NULL || s == NULL || !is_parked(s, r->tick_ns)) return;
  if (r->tick_ns < s->ask_ns && s->parties.missing == 0) return;
  enum event_kind kind = missing_parties_read(r->ti, r->jni, thread, r->blocker, &parties);
  if (kind == NUM_EVENTS) {
    s->parties = (struct missing_parties){0, 0};
    postpone_question(r, s);
  } else if (parties.missing != s->parties.missing || parties.of != s->parties.of ||
             r->tick_ns >= s->told_ns + SELDOM_NS) {
    put_parties(r, kind, s, parties);
  }
}

/* --- waits for the initialization of a class -------------------------------------------------- */

#define STANDS_NS (200 * NS_PER_MS) /* a thread that waits for a CPU seldom does so for longer */

static void put_class_wait(struct round *r, jthread thread, uint32_t hash,
                           const struct class_wait *wait) {
  struct meta *meta = &get_recorder(r)->meta;
  jint n = 0, max = meta_frames_wanted(get_recorder(r)->options.depth);
  jvmtiFrameInfo *frames = os_thread_buffer(OS_THREAD_MORE_FRAMES, (size_t)max * sizeof *frames);
  if (frames == NULL ||
      (*r->ti)->GetStackTrace(r->ti, thread, 0, max, frames, &n) != JVMTI_ERROR_NONE)
    return;
  jthread mounted = carriers_find_mounted(r->carriers, r->ti, r->jni, wait->initializer);
  jthread owner = mounted != NULL ? mounted : wait->initializer;
  struct record record = {.kind = RECORD_EVENT,
                          .event = EVENT_CLASS_INIT_WAIT,
                          .thread = hash,
                          .object = class_id(meta, r->ti, wait->klass),
                          .owner = object_hash(meta, r->ti, r->jni, owner),
                          .stack = stack_of(meta, r->ti, r->jni, frames, n, /* uses */ 1)};
  if (mounted != NULL) (*r->jni)->DeleteLocalRef(r->jni, mounted);
  recorder_put(get_recorder(r), RECORDER_OWN_LANE, &record);
}

/* A thread that has run meanwhile has used CPU time, and does not wait for certain. */
static bool find_class_wait(struct round *r, jthread thread, jthread platform, int64_t cpu_ns,
                            struct class_wait *out) {
  return !threads_is_own(r->threads, r->jni, platform) &&
         class_waits_find(&r->class_waits, r->ti, r->jni, thread, platform, out) &&
         read_cpu_time(r, platform) == cpu_ns;
}

static bool is_due(const struct round *r, const struct sighting *s) {
  if (s->state != STATE_RUNNABLE || r->tick_ns < s->since_ns + STANDS_NS) return false;
  return r->tick_ns >= s->ask_ns || (r->is_last && s->waits_for_class);
}

/* Asks about the thread with this sighting in the current tick, if it has stood for long. `cpu_ns`:
   the CPU time of the platform thread that runs it; -1: unknown. */
static void ask_if_due(struct round *r, jthread thread, jthread platform, uint32_t hash,
                       int64_t cpu_ns) {
  struct sighting *s = sightings_find(&r->now, hash);
  struct class_wait wait = {NULL, NULL};
  if (!r->class_waits.is_open || s == NULL || cpu_ns < 0 || !is_due(r, s)) return;
  s->waits_for_class = find_class_wait(r, thread, platform, cpu_ns, &wait);
  if (s->waits_for_class) put_class_wait(r, thread, hash, &wait);
  if (wait.klass != NULL) (*r->jni)->DeleteLocalRef(r->jni, wait.klass);
  if (wait.initializer != NULL) (*r->jni)->DeleteLocalRef(r->jni, wait.initializer);
  postpone_question(r, s);
}

/* A sighting that is not another one than before stays as old as it was. */
static void set_age(const struct round *r, const struct sighting *before, bool has_changed,
                    struct sighting *now) {
  now->since_ns = has_changed ? r->tick_ns : before->since_ns;
  now->ask_ns = has_changed ? 0 : before->ask_ns;
  now->pause_ns = has_changed ? 0 : before->pause_ns;
  now->waits_for_class = !has_changed && before->waits_for_class;
  now->parties = has_changed ? (struct missing_parties){0, 0} : before->parties;
  now->told_ns = has_changed ? 0 : before->told_ns;
}

/* --- both kinds of tick ----------------------------------------------------------------------- */

/* A thread can go on while it is looked at: from a sleep into a wait for a class. Its CPU time then
   contains what it did, so nothing would show the next tick that it is elsewhere now. */
static bool is_outdated(const struct round *r, const jvmtiStackInfo *info) {
  jint state = 0;
  return (*r->ti)->GetThreadState(r->ti, info->thread, &state) == JVMTI_ERROR_NONE &&
         sighting_state(state) != sighting_state(info->state);
}

/* Adds a sighting to the current tick, and records a Sample if the thread has changed. Takes over
   the caller's use of `stack`. */
static void record_sighting(struct round *r, struct sighting *now, struct stack *stack,
                            int64_t cpu_ns) {
  const struct sighting *before = sightings_find(&r->before, now->thread);
  now->stack = stack != NULL && stack->uses == 0 ? stack : NULL;
  bool has_changed = sighting_has_changed(before, now);
  set_age(r, before, has_changed, now);
  if (sightings_add(&r->now, now) && has_changed) {
    put_thread_sample(r, now, stack, cpu_ns);
  } else {
    stack_release(stack);
  }
}

/* Samples the virtual thread `thread`, whose carrier used `cpu_ns` nanoseconds of CPU time; -1:
   unknown. The CPU time is charged to the virtual thread. Returns its identity hash; 0 if the
   virtual thread is being mounted or unmounted, or if another carrier ran it in this tick. */
static uint32_t sample_virtual(struct round *r, jthread thread, int64_t cpu_ns) {
  struct meta *meta = &get_recorder(r)->meta;
  jint state = 0, n = 0, max = meta_frames_wanted(get_recorder(r)->options.depth);
  jvmtiFrameInfo *frames = os_thread_buffer(OS_THREAD_MORE_FRAMES, (size_t)max * sizeof *frames);
  if (frames == NULL) return 0;
  (*r->ti)->GetThreadState(r->ti, thread, &state);
  if ((*r->ti)->GetStackTrace(r->ti, thread, 0, max, frames, &n) != JVMTI_ERROR_NONE) n = 0;
  if (n == 0 || (state & JVMTI_THREAD_STATE_ALIVE) == 0) return 0;
  struct sighting now = {.thread = object_hash(meta, r->ti, r->jni, thread),
                         .state = sighting_state(state),
                         .is_virtual = true};
  if (sightings_find(&r->now, now.thread) != NULL) return 0;
  const struct sighting *before = sightings_find(&r->before, now.thread);
  now.cpu_ns = (before == NULL ? 0 : before->cpu_ns) + (cpu_ns > 0 ? cpu_ns : 0);
  record_sighting(r, &now, stack_of(meta, r->ti, r->jni, frames, n, /* uses */ 1), cpu_ns);
  return now.thread;
}

static void sample_thread(struct round *r, const jvmtiStackInfo *info) {
  struct meta *meta = &get_recorder(r)->meta;
  struct sighting now = {.thread = object_hash(meta, r->ti, r->jni, info->thread),
                         .state = sighting_state(info->state),
                         .cpu_ns = read_cpu_time(r, info->thread)};
  struct sighting *before = sightings_find(&r->before, now.thread);
  if (now.cpu_ns == THREAD_ENDED) return;
  if (before != NULL && before->state == STATE_TERMINATED)
    before = NULL; /* a new thread can have the hash of an ended one */
  /* JVMTI lists a thread before its ThreadStart, and for a short time after its ThreadEnd. */
  struct context_place place;
  if (before == NULL && !context_announce(r->threads, r->ti, r->jni, info->thread, &place)) return;
  int64_t used = compute_cpu_used(r, before, &now);
  now.is_outdated = used != 0 && is_outdated(r, info);
  jthread mounted = carriers_find_mounted(r->carriers, r->ti, r->jni, info->thread);
  if (mounted != NULL) now.mounted = sample_virtual(r, mounted, used);
  if (now.mounted != 0) ask_if_due(r, mounted, info->thread, now.mounted, now.cpu_ns);
  if (mounted != NULL) (*r->jni)->DeleteLocalRef(r->jni, mounted);
  if (now.mounted != 0) { /* the virtual thread's Sample contains the CPU time */
    if (before != NULL) before->cpu_ns = now.cpu_ns;
    used = used < 0 ? -1 : 0;
  }
  struct stack *stack =
      stack_of(meta, r->ti, r->jni, info->frame_buffer, info->frame_count, /* uses */ 1);
  record_sighting(r, &now, stack, used);
  if (now.mounted == 0) ask_if_due(r, info->thread, info->thread, now.thread, now.cpu_ns);
  if (now.mounted == 0) ask_for_parties(r, info->thread, now.thread);
}

/* Copies the last sighting of an unchanged thread to this tick, and that of its mounted virtual
   thread. */
static void keep_sighting(struct round *r, const struct sighting *before) {
  const struct sighting *mounted =
      before->mounted == 0 ? NULL : sightings_find(&r->before, before->mounted);
  sightings_add(&r->now, before);
  if (mounted != NULL) sightings_add(&r->now, mounted);
}

static const struct sighting *find_before(struct round *r, jthread thread) {
  jint hash = 0;
  (*r->ti)->GetObjectHashCode(r->ti, thread, &hash);
  return sightings_find(&r->before, (uint32_t)hash);
}

/* Samples one thread, which ends_hold holds. It is stopped only while the JVM copies its stack. If
   the JVM refuses, the thread keeps its last sighting, and a later tick records its CPU time. */
static void sample_alone(struct round *r, jthread thread, const struct sighting *before) {
  jint max = meta_frames_wanted(get_recorder(r)->options.depth);
  jvmtiStackInfo info = {
      .thread = thread,
      .frame_buffer = os_thread_buffer(OS_THREAD_FRAMES, (size_t)max * sizeof(jvmtiFrameInfo))};
  bool is_alive = info.frame_buffer != NULL &&
                  (*r->ti)->GetThreadState(r->ti, thread, &info.state) == JVMTI_ERROR_NONE &&
                  (*r->ti)->GetStackTrace(r->ti, thread, 0, max, info.frame_buffer,
                                          &info.frame_count) == JVMTI_ERROR_NONE;
  if (is_alive) {
    sample_thread(r, &info);
  } else if (before != NULL) {
    keep_sighting(r, before);
  }
}

/* Records that a thread has ended, with the CPU time since its last sighting, or of its whole life.
   A thread without a sighting that used no CPU time is left out. */
static void record_end(void *arg, uint32_t thread, int64_t cpu_ns) {
  struct round *r = arg;
  struct sighting *before = sightings_find(&r->before, thread),
                  *now = sightings_find(&r->now, thread);
  const struct sighting *last = now != NULL ? now : before;
  struct sighting base = {.cpu_ns = get_base(r, thread)};
  struct sighting end = {.thread = thread, .state = STATE_TERMINATED, .cpu_ns = cpu_ns};
  int64_t used = sighting_cpu_used(last == NULL ? &base : last, &end);
  if (last != NULL || used > 0) put_thread_sample(r, &end, NULL, used);
  if (before != NULL) before->state = STATE_TERMINATED;
  if (now != NULL) now->state = STATE_TERMINATED;
}

static void begin_tick(struct round *r, uint64_t start_ns) {
  r->last_tick_ns = r->tick_ns;
  r->tick_ns = start_ns;
}

static void end_tick(struct round *r) {
  ended_threads_take(r->ended, record_end, r);
  /* Threads seen at the last tick and not at this one: platform threads that have ended, and
     virtual threads that no carrier runs any more. */
  for (size_t i = 0; i < r->before.num; i++) {
    const struct sighting *before = &r->before.threads[i];
    struct sighting missing = {.thread = before->thread,
                               .state = before->is_virtual ? STATE_UNMOUNTED : STATE_TERMINATED};
    int64_t cpu_ns = before->is_virtual ? 0 : -1; /* the JVM no longer reports it */
    if (before->state == STATE_TERMINATED || sightings_find(&r->now, missing.thread) != NULL)
      continue;
    put_thread_sample(r, &missing, NULL, cpu_ns);
  }
  sightings_free(&r->before);
  r->before = r->now;
  r->now = (struct sightings){0};
}

void round_free(struct round *r) {
  class_waits_close(&r->class_waits, r->jni);
  sightings_free(&r->before);
  hashmap_free(&r->base);
}

void round_take_base(struct round *r) {
  jthread *threads = NULL;
  jint n = 0;
  if ((*r->ti)->GetAllThreads(r->ti, &n, &threads) != JVMTI_ERROR_NONE) return;
  jvm_reserve_references(r->jni, n);
  for (jint i = 0; i < n; i++) {
    jint hash = 0;
    int64_t cpu_ns = read_cpu_time(r, threads[i]);
    (*r->ti)->GetObjectHashCode(r->ti, threads[i], &hash);
    if (cpu_ns > 0) hashmap_put(&r->base, (uint32_t)hash, (uint64_t)cpu_ns);
    (*r->jni)->DeleteLocalRef(r->jni, threads[i]);
  }
  (*r->ti)->Deallocate(r->ti, (unsigned char *)threads);
}

/* --- full ticks ------------------------------------------------------------------------------ */

/* Removes Orca's own threads from the list, and returns the number of remaining threads. */
static jint remove_own_stacks(const struct round *r, jvmtiStackInfo *infos, jint n) {
  jint kept = 0;
  for (jint i = 0; i < n; i++) {
    if (threads_is_own(r->threads, r->jni, infos[i].thread)) {
      (*r->jni)->DeleteLocalRef(r->jni, infos[i].thread);
    } else {
      infos[kept++] = infos[i];
    }
  }
  return kept;
}

/* The frames of each thread for which GetAllStackTraces is asked. HotSpot reserves memory for as
   many, and the process keeps it: 160 MB for 1,024 frames of 10,000 threads. */
static jint get_max_of_all(const struct round *r) {
  jint wanted = meta_frames_wanted(get_recorder(r)->options.depth);
  size_t num_threads = threads_size(r->threads).entries;
  size_t max = MAX_OF_ALL / (num_threads == 0 ? 1 : num_threads);
  if (max < FEW_FRAMES) max = FEW_FRAMES;
  return max < (size_t)wanted ? (jint)max : wanted;
}

/* A stack of the tick that may be cut is taken again, a moment later. */
static void sample_info(struct round *r, const jvmtiStackInfo *info, jint max) {
  bool is_cut =
      info->frame_count >= max && max < meta_frames_wanted(get_recorder(r)->options.depth);
  if (!is_cut) {
    sample_thread(r, info);
  } else if (ends_hold(r->ti, info->thread)) {
    sample_alone(r, info->thread, find_before(r, info->thread));
    ends_release();
  }
}

uint64_t round_make_full_tick(struct round *r) {
  jvmtiStackInfo *infos = NULL;
  jint n = 0, max = get_max_of_all(r);
  uint64_t start_ns = clock_monotonic_ns();
  jvmtiError error = (*r->ti)->GetAllStackTraces(r->ti, max, &infos, &n);
  uint64_t pause_ns = clock_monotonic_ns() - start_ns;
  if (error != JVMTI_ERROR_NONE) return 0;
  begin_tick(r, start_ns);
  jvm_reserve_references(r->jni, n);
  n = remove_own_stacks(r, infos, n);
  put_tick(r, pause_ns, n);
  for (jint i = 0; i < n; i++) {
    sample_info(r, &infos[i], max);
    (*r->jni)->DeleteLocalRef(r->jni, infos[i].thread);
  }
  (*r->ti)->Deallocate(r->ti, (unsigned char *)infos);
  end_tick(r);
  return pause_ns;
}

/* --- light ticks ----------------------------------------------------------------------------- */

static jint remove_own_threads(const struct round *r, jthread *threads, jint n) {
  jint kept = 0;
  for (jint i = 0; i < n; i++) {
    if (threads_is_own(r->threads, r->jni, threads[i])) {
      (*r->jni)->DeleteLocalRef(r->jni, threads[i]);
    } else {
      threads[kept++] = threads[i];
    }
  }
  return kept;
}

/* Samples a thread if it is new, has used CPU time, or has an outdated sighting. If the thread has
   just ended, the next tick records that. */
static void sample_held(struct round *r, jthread thread) {
  const struct sighting *before = find_before(r, thread);
  bool is_known = before != NULL && !before->is_outdated;
  if (is_known && read_cpu_time(r, thread) <= before->cpu_ns) {
    uint32_t hash = before->thread, mounted = before->mounted;
    int64_t cpu_ns = before->cpu_ns;
    keep_sighting(r, before);
    if (mounted == 0) ask_if_due(r, thread, thread, hash, cpu_ns);
    if (mounted == 0) ask_for_parties(r, thread, hash);
  } else {
    sample_alone(r, thread, before);
  }
}

static void sample_if_active(struct round *r, jthread thread) {
  if (!ends_hold(r->ti, thread)) return;
  sample_held(r, thread);
  ends_release();
}

void round_make_light_tick(struct round *r) {
  jthread *threads = NULL;
  jint n = 0;
  uint64_t start_ns = clock_monotonic_ns();
  if ((*r->ti)->GetAllThreads(r->ti, &n, &threads) != JVMTI_ERROR_NONE) return;
  begin_tick(r, start_ns);
  jvm_reserve_references(r->jni, n);
  n = remove_own_threads(r, threads, n);
  put_tick(r, /* pause */ 0, n);
  for (jint i = 0; i < n; i++) {
    sample_if_active(r, threads[i]);
    (*r->jni)->DeleteLocalRef(r->jni, threads[i]);
  }
  (*r->ti)->Deallocate(r->ti, (unsigned char *)threads);
  end_tick(r);
}

bool round_wants_tick(const struct round *r) {
  uint64_t now_ns = clock_monotonic_ns();
  for (size_t i = 0; i < r->before.num; i++) {
    const struct sighting *s = &r->before.threads[i];
    if (s->is_outdated) return true;
    bool is_platform = !s->is_virtual && s->mounted == 0 && s->cpu_ns >= 0;
    bool may_wait = is_platform && s->state == STATE_RUNNABLE && s->pause_ns == 0;
    if ((r->class_waits.is_open && may_wait) || wants_question(r, s, now_ns)) return true;
  }
  return false;
}

void round_make_last_tick(struct round *r) {
  r->is_last = true;
  round_make_light_tick(r);
}
