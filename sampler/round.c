#include "sampler/round.h"

#include "agent/base/clock.h"
#include "agent/base/os_thread.h"
#include "agent/record/stack.h"
#include "sampler/states.h"

static struct recorder *recorder_of(const struct round *r) { return r->threads->recorder; }

static void put_tick(struct round *r, uint64_t pause_ns, jint num_threads) {
  struct record record = {.kind = RECORD_TICK,
                          .u.tick = {++r->number, (int64_t)pause_ns, num_threads}};
  recorder_put(recorder_of(r), RECORDER_OWN_LANE, &record);
}

static void put_sample(struct round *r, const struct sighting *s, struct stack *stack,
                       int64_t cpu_ns) {
  struct record record = {.kind = RECORD_SAMPLE,
                          .state = (uint8_t)s->state,
                          .thread = s->thread,
                          .stack = stack,
                          .u.cpu_ns = cpu_ns};
  recorder_put(recorder_of(r), RECORDER_OWN_LANE, &record);
}

#define GONE (-2) /* in place of a CPU time */

static int64_t cpu_time(const struct round *r, jthread thread) {
  jlong ns = -1;
  jvmtiError error = (*r->ti)->GetThreadCpuTime(r->ti, thread, &ns);
  if (error == JVMTI_ERROR_THREAD_NOT_ALIVE) return GONE;
  return error == JVMTI_ERROR_NONE ? ns : -1;
}

/* The CPU time of a thread when the recording began; 0: it was not there. */
static int64_t base_of(const struct round *r, uint32_t thread) {
  uint64_t base = 0;
  hashmap_get(&r->base, thread, &base);
  return (int64_t)base;
}

/* What the thread used since its last line, or since the base line. A thread that was at neither
   cannot have used more than the time since the last tick; if its clock shows more, the kernel's
   thread is older than the Java thread (the main thread comes back as DestroyJavaVM), and what it
   used is told already. */
static int64_t cpu_used(const struct round *r, const struct sighting *before,
                        const struct sighting *now) {
  struct sighting base = {.cpu_ns = base_of(r, now->thread)};
  int64_t used = sighting_cpu_used(before == NULL ? &base : before, now);
  if (before != NULL || used < 0 || base.cpu_ns > 0) return used;
  if (r->last_tick_ns == 0) return used;
  int64_t most = (int64_t)(clock_monotonic_ns() - r->last_tick_ns);
  return used > most ? 0 : used;
}

/* A line, if it says something new; `stack` is used up. */
static void sample_seen(struct round *r, struct sighting *now, struct stack *stack,
                        int64_t cpu_ns) {
  now->stack = stack != NULL && stack->uses == 0 ? stack : NULL;
  bool fresh = sightings_add(&r->now, now);
  if (fresh && sighting_changed(sightings_find(&r->before, now->thread), now)) {
    put_sample(r, now, stack, cpu_ns);
  } else {
    stack_release(stack);
  }
}

/* The virtual thread that a carrier runs used the CPU time that the carrier did. Its hash; 0 where
   it has just left, or come. */
static uint32_t sample_mounted(struct round *r, jthread thread, int64_t cpu_ns) {
  struct meta *meta = &recorder_of(r)->meta;
  jint state = 0, n = 0, max = meta_frames_wanted(recorder_of(r)->options.depth);
  jvmtiFrameInfo *frames = os_thread_buffer(OS_THREAD_MORE_FRAMES, (size_t)max * sizeof *frames);
  if (frames == NULL) return 0;
  (*r->ti)->GetThreadState(r->ti, thread, &state);
  if ((*r->ti)->GetStackTrace(r->ti, thread, 0, max, frames, &n) != JVMTI_ERROR_NONE) n = 0;
  if (n == 0 || (state & JVMTI_THREAD_STATE_ALIVE) == 0) return 0;
  struct sighting now = {.thread = object_hash(meta, r->ti, r->jni, thread),
                         .state = state_of(state),
                         .is_virtual = true};
  if (sightings_find(&r->now, now.thread) != NULL)
    return 0; /* another carrier ran it in this tick */
  const struct sighting *before = sightings_find(&r->before, now.thread);
  now.cpu_ns = (before == NULL ? 0 : before->cpu_ns) + (cpu_ns > 0 ? cpu_ns : 0);
  sample_seen(r, &now, stack_of(meta, r->ti, r->jni, frames, n, /* uses */ 1), cpu_ns);
  return now.thread;
}

/* A thread is among the others for a moment more after it said that it ended. */
static bool has_ended(const struct round *r, jthread thread, const struct sighting *before) {
  return (before == NULL || before->state == STATE_TERMINATED) &&
         context_has_ended(r->threads, r->ti, thread);
}

static void sample_thread(struct round *r, const jvmtiStackInfo *info) {
  struct meta *meta = &recorder_of(r)->meta;
  struct sighting now = {.thread = object_hash(meta, r->ti, r->jni, info->thread),
                         .state = state_of(info->state),
                         .cpu_ns = cpu_time(r, info->thread)};
  struct sighting *before = sightings_find(&r->before, now.thread);
  if (now.cpu_ns == GONE || has_ended(r, info->thread, before)) return;
  if (before != NULL && before->state == STATE_TERMINATED) before = NULL; /* another thread */
  int64_t used = cpu_used(r, before, &now);
  jthread mounted = carriers_mounted(r->mounted, r->ti, r->jni, info->thread);
  uint32_t told = mounted == NULL ? 0 : sample_mounted(r, mounted, used);
  if (mounted != NULL) (*r->jni)->DeleteLocalRef(r->jni, mounted);
  if (told != 0) {
    if (before != NULL) before->cpu_ns = now.cpu_ns; /* that is told */
    used = used < 0 ? -1 : 0;
    now.carries = told;
  }
  struct stack *stack =
      stack_of(meta, r->ti, r->jni, info->frame_buffer, info->frame_count, /* uses */ 1);
  sample_seen(r, &now, stack, used);
}

/* A thread that has ended: what it used since its last line, or in all its life. Where it stands is
   told no more. */
static void sample_end(void *arg, uint32_t thread, int64_t cpu_ns) {
  struct round *r = arg;
  struct sighting *before = sightings_find(&r->before, thread),
                  *now = sightings_find(&r->now, thread);
  const struct sighting *last = now != NULL ? now : before;
  struct sighting begun = {.cpu_ns = base_of(r, thread)};
  struct sighting end = {.thread = thread, .state = STATE_TERMINATED, .cpu_ns = cpu_ns};
  int64_t used = sighting_cpu_used(last == NULL ? &begun : last, &end);
  if (last != NULL || used > 0) put_sample(r, &end, NULL, used);
  if (before != NULL) before->state = STATE_TERMINATED;
  if (now != NULL) now->state = STATE_TERMINATED;
}

/* Threads that were there at the last tick and are not now, or virtual ones that no carrier runs.
 */
static void sample_gone(struct round *r) {
  for (size_t i = 0; i < r->before.num; i++) {
    const struct sighting *before = &r->before.threads[i];
    struct sighting gone = {.thread = before->thread,
                            .state = before->is_virtual ? STATE_UNMOUNTED : STATE_TERMINATED};
    int64_t cpu_ns = before->is_virtual ? 0 : -1; /* the JVM no longer tells */
    if (before->state == STATE_TERMINATED || sightings_find(&r->now, gone.thread) != NULL) continue;
    put_sample(r, &gone, NULL, cpu_ns);
  }
}

static void begin_tick(struct round *r, uint64_t asked_ns) {
  r->last_tick_ns = r->tick_ns;
  r->tick_ns = asked_ns;
}

static void end_tick(struct round *r) {
  ended_threads_take(r->ended, sample_end, r);
  sample_gone(r);
  sightings_free(&r->before);
  r->before = r->now;
  r->now = (struct sightings){0};
}

void round_free(struct round *r) {
  sightings_free(&r->before);
  hashmap_free(&r->base);
}

void round_base(struct round *r) {
  jthread *threads = NULL;
  jint n = 0;
  if ((*r->ti)->GetAllThreads(r->ti, &n, &threads) != JVMTI_ERROR_NONE) return;
  if ((*r->jni)->EnsureLocalCapacity(r->jni, n) != JNI_OK) (*r->jni)->ExceptionClear(r->jni);
  for (jint i = 0; i < n; i++) {
    jint hash = 0;
    int64_t cpu_ns = cpu_time(r, threads[i]);
    (*r->ti)->GetObjectHashCode(r->ti, threads[i], &hash);
    if (cpu_ns > 0) hashmap_put(&r->base, (uint32_t)hash, (uint64_t)cpu_ns);
    (*r->jni)->DeleteLocalRef(r->jni, threads[i]);
  }
  (*r->ti)->Deallocate(r->ti, (unsigned char *)threads);
}

/* --- full ticks ------------------------------------------------------------------------------ */

/* Takes Orca's own threads out of the list; returns how many remain. */
static jint hide_own_stacks(const struct round *r, jvmtiStackInfo *infos, jint n) {
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

uint64_t round_full(struct round *r) {
  jvmtiStackInfo *infos = NULL;
  jint n = 0;
  uint64_t start_ns = clock_monotonic_ns();
  jvmtiError error = (*r->ti)->GetAllStackTraces(
      r->ti, meta_frames_wanted(recorder_of(r)->options.depth), &infos, &n);
  uint64_t pause_ns = clock_monotonic_ns() - start_ns;
  if (error != JVMTI_ERROR_NONE) return 0;
  begin_tick(r, start_ns);
  (*r->jni)->EnsureLocalCapacity(r->jni, n); /* the list holds local references */
  n = hide_own_stacks(r, infos, n);
  put_tick(r, pause_ns, n);
  for (jint i = 0; i < n; i++) {
    sample_thread(r, &infos[i]);
    (*r->jni)->DeleteLocalRef(r->jni, infos[i].thread);
  }
  (*r->ti)->Deallocate(r->ti, (unsigned char *)infos);
  end_tick(r);
  return pause_ns;
}

/* --- light ticks ----------------------------------------------------------------------------- */

static jint hide_own(const struct round *r, jthread *threads, jint n) {
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

/* It stands as it stood, and so does what it carries. */
static void keep(struct round *r, const struct sighting *before) {
  const struct sighting *mounted =
      before->carries == 0 ? NULL : sightings_find(&r->before, before->carries);
  sightings_add(&r->now, before);
  if (mounted != NULL) sightings_add(&r->now, mounted);
}

/* Stops this thread alone, for as long as its stack takes. One that cannot be looked at keeps its
   place, and what it used is told later; if it has just ended, it is gone at the next tick. */
static void look_at(struct round *r, jthread thread, const struct sighting *before) {
  jint max = meta_frames_wanted(recorder_of(r)->options.depth);
  jvmtiStackInfo info = {
      .thread = thread,
      .frame_buffer = os_thread_buffer(OS_THREAD_FRAMES, (size_t)max * sizeof(jvmtiFrameInfo))};
  bool lives = info.frame_buffer != NULL &&
               (*r->ti)->GetThreadState(r->ti, thread, &info.state) == JVMTI_ERROR_NONE &&
               (*r->ti)->GetStackTrace(r->ti, thread, 0, max, info.frame_buffer,
                                       &info.frame_count) == JVMTI_ERROR_NONE;
  if (lives) {
    sample_thread(r, &info);
  } else if (before != NULL) {
    keep(r, before);
  }
}

static void glance_at(struct round *r, jthread thread) {
  jint hash = 0;
  (*r->ti)->GetObjectHashCode(r->ti, thread, &hash);
  const struct sighting *before = sightings_find(&r->before, (uint32_t)hash);
  if (before != NULL && cpu_time(r, thread) <= before->cpu_ns) {
    keep(r, before);
  } else {
    look_at(r, thread, before);
  }
}

void round_light(struct round *r) {
  jthread *threads = NULL;
  jint n = 0;
  uint64_t start_ns = clock_monotonic_ns();
  if ((*r->ti)->GetAllThreads(r->ti, &n, &threads) != JVMTI_ERROR_NONE) return;
  begin_tick(r, start_ns);
  (*r->jni)->EnsureLocalCapacity(r->jni, n);
  n = hide_own(r, threads, n);
  put_tick(r, /* pause */ 0, n);
  for (jint i = 0; i < n; i++) {
    glance_at(r, threads[i]);
    (*r->jni)->DeleteLocalRef(r->jni, threads[i]);
  }
  (*r->ti)->Deallocate(r->ti, (unsigned char *)threads);
  end_tick(r);
}
