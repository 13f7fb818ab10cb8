#include "agent/track/young_watch.h"

#include <ck_pr.h>
#include <sched.h>

#include "agent/base/bounded_lock.h"
#include "agent/base/clock.h"
#include "agent/base/log.h"
#include "agent/base/memory.h"
#include "agent/base/os_thread.h"
#include "agent/jvm/jvm.h"
#include "agent/record/stack.h"
#include "agent/thread/ends.h"
#include "agent/tracked/tracked.h"

#define PAUSE_NS (100 * NS_PER_MS)
#define MAX_PAUSE_NS NS_PER_S
#define PAUSE_LOOKS 20 /* a pause is at least as long as so many looks */
#define MAX_ROUNDS 1000
#define MAX_OVERDUE 64 /* of one round in a slice */
#define MAX_YIELDS 100 /* until a thread is out of the moment in which nobody knows its call */
#define NEAR_FRAMES 64 /* of the JDK, above the method of the call */
#define FAR_FRAMES 1024
#define MAX_MISSES 10 /* looks that do not find the stack of a call */

struct look {
  struct young_watch *watch;
  jvmtiEnv *ti;
  JNIEnv *jni;
  uint32_t recording;
  uint64_t before_ns; /* calls that began later are left alone */
  bool is_last;       /* no other look follows */
  bool is_complete;   /* nothing is missing so far */
  struct context *overdue[MAX_OVERDUE];
  size_t num;
};

/* --- the stack of a call --------------------------------------------------------------------- */

/* Returns the depth of the frame of the call's method, -1 without one. `inside`: calls of the
   method by code of the program inside of the call, whose frames are above. The JDK may call the
   method again inside of it, too; then the outer frame is that of the call. */
static jint find_depth(const struct look *l, jmethodID method, uint32_t inside,
                       const jvmtiFrameInfo *frames, jint num) {
  jint found = -1;
  for (jint i = 0; i < num; i++) {
    if (frames[i].method == method) {
      found = i;
    } else if (found >= 0 && jvm_is_program_method(l->ti, l->jni, frames[i].method)) {
      if (inside-- == 0) return found;
      found = -1;
    }
  }
  return inside == 0 ? found : -1;
}

static jint search_depth(const struct look *l, jthread thread, jmethodID method, uint32_t inside,
                         jint max) {
  jint n = 0;
  jvmtiFrameInfo *frames = os_thread_buffer(OS_THREAD_FRAMES, (size_t)max * sizeof *frames);
  if (frames == NULL) return -1;
  (*l->ti)->GetStackTrace(l->ti, thread, 0, max, frames, &n);
  return find_depth(l, method, inside, frames, n);
}

/* Returns the stack that the hook would have taken at the entry of the call, for two records. */
static struct stack *take_stack(const struct look *l, jthread thread, jmethodID method,
                                uint32_t inside) {
  struct meta *meta = &l->watch->threads->recorder->meta;
  jint n = 0, max = meta_frames_wanted(l->watch->threads->recorder->options.depth);
  jint depth = search_depth(l, thread, method, inside, NEAR_FRAMES);
  if (depth < 0) depth = search_depth(l, thread, method, inside, FAR_FRAMES);
  jvmtiFrameInfo *frames = os_thread_buffer(OS_THREAD_FRAMES, (size_t)max * sizeof *frames);
  if (depth < 0 || frames == NULL) return NULL;
  (*l->ti)->GetStackTrace(l->ti, thread, depth, max, frames, &n);
  if (n == 0 || frames[0].method != method) return NULL;
  if (frames[0].location != -1) frames[0].location = 0;
  return stack_of(meta, l->ti, l->jni, frames, n, /* uses */ 2);
}

/* --- one thread ------------------------------------------------------------------------------ */

/* Reads the call of a thread until it is known. */
static uint64_t read_call(const struct context *c, struct young_call *out) {
  uint64_t since = young_read(&c->young, out);
  for (int i = 0; since == YOUNG_UNKNOWN && i < MAX_YIELDS; i++) {
    sched_yield();
    since = young_read(&c->young, out);
  }
  return since;
}

static bool is_overdue(const struct look *l, uint64_t since_ns, const struct young_call *call) {
  return since_ns != YOUNG_NONE && since_ns <= l->before_ns && call->recording == l->recording;
}

/* A thread can be on the way in or out, so that its stack lacks the method, or is not to be had.
   The next look may find it. Returns whether the call can wait for that. */
static bool may_miss(struct young *y, uint64_t since_ns) {
  if (y->missed_ns != since_ns) y->misses = 0;
  y->missed_ns = since_ns;
  return ++y->misses <= MAX_MISSES;
}

/* Takes the stack of the call, and claims it. False if the thread has gone on meanwhile, or the
   next look shall claim it. The caller holds threads.making, so no context is recycled. */
static bool claim(const struct look *l, struct context *c, uint64_t since_ns,
                  const struct young_call *call, struct stack **out_stack) {
  jobject thread = c->self == NULL ? NULL : (*l->jni)->NewLocalRef(l->jni, c->self);
  bool may_ask = thread != NULL && ends_hold(l->ti, thread);
  uint32_t inside = young_inside(&c->young);
  *out_stack = may_ask ? take_stack(l, thread, l->watch->methods[call->row], inside) : NULL;
  if (may_ask) ends_release();
  if (thread != NULL) (*l->jni)->DeleteLocalRef(l->jni, thread);
  /* The thread may record the end directly after the claim. */
  object_define(&l->watch->threads->recorder->meta, call->object, call->class_id);
  bool is_same = young_inside(&c->young) == inside;
  bool is_left = *out_stack == NULL && !l->is_last && may_miss(&c->young, since_ns);
  if (is_same && !is_left && young_claim(&c->young, since_ns, *out_stack)) return true;
  stack_release(*out_stack);
  stack_release(*out_stack);
  return false;
}

/* Records the begin of the thread's call if that is overdue. */
static void check_thread(struct look *l, struct context *c) {
  struct young_call call;
  struct threads *threads = l->watch->threads;
  uint64_t since = read_call(c, &call);
  struct record record = {.kind = RECORD_EVENT};
  if (since == YOUNG_UNKNOWN) l->is_complete = false;
  if (since == YOUNG_UNKNOWN || !is_overdue(l, since, &call)) return;
  if (!bounded_lock(&threads->making)) {
    l->is_complete = false;
    return;
  }
  struct young_call again;
  bool is_same = young_read(&c->young, &again) == since; /* else the thread may have ended */
  if (!is_same) bounded_unlock(&threads->making, true);
  if (!is_same) return;
  unsigned lane = c->lane;
  record.thread = c->thread;
  bool is_claimed = claim(l, c, since, &call, &record.stack);
  bounded_unlock(&threads->making, true);
  if (!is_claimed && read_call(c, &call) == since) l->is_complete = false;
  if (!is_claimed) return;
  record.event = (uint8_t)tracked[call.row].entry;
  record.object = call.object;
  record.owner = call.owner;
  record.time_ns = since;
  recorder_put(threads->recorder, lane, &record);
}

/* --- all threads ----------------------------------------------------------------------------- */

/* Under the lock of the registry, so it does not wait until a call is known: check_thread does. */
static bool collect(struct context *c, void *arg) {
  struct look *l = arg;
  struct young_call call;
  uint64_t since = young_read(&c->young, &call);
  if (since == YOUNG_UNKNOWN || is_overdue(l, since, &call)) l->overdue[l->num++] = c;
  return l->num < MAX_OVERDUE;
}

/* Looks until no thread of the slice is left whose call is overdue. Some may go on all the time, so
   the rounds are limited; then the next look comes to the rest. */
static void look_at_slice(struct look *l, int slice) {
  for (int round = 0; round < MAX_ROUNDS; round++) {
    l->num = 0;
    registry_visit(&l->watch->threads->registry, slice, collect, l);
    for (size_t i = 0; i < l->num; i++) check_thread(l, l->overdue[i]);
    if (l->num < MAX_OVERDUE) return;
  }
  l->is_complete = false;
}

static void look(struct young_watch *w, jvmtiEnv *ti, JNIEnv *jni, uint64_t least_ns) {
  struct recorder *r = w->threads->recorder;
  struct look l = {
      .watch = w, .ti = ti, .jni = jni, .recording = meta_recording(&r->meta), .is_complete = true};
  if (!bounded_lock(&w->looking)) return;
  uint64_t now_ns = clock_monotonic_ns();
  l.before_ns = now_ns > least_ns ? now_ns - least_ns : 0;
  l.is_last = least_ns == 0;
  ck_pr_fence_memory(); /* see young_prepare */
  for (int slice = 0; slice < REGISTRY_SLICES; slice++) look_at_slice(&l, slice);
  uint64_t decided = __atomic_load_n(&r->decided_ns, __ATOMIC_RELAXED);
  if (l.is_complete && l.before_ns > decided)
    __atomic_store_n(&r->decided_ns, l.before_ns, __ATOMIC_RELEASE);
  bounded_unlock(&w->looking, true);
}

void young_watch_record_all(struct young_watch *w, jvmtiEnv *ti, JNIEnv *jni) {
  if (w->thread.ready && agent_thread_is_running(&w->thread)) look(w, ti, jni, 0);
}

/* --- the thread ------------------------------------------------------------------------------ */

static uint64_t get_threshold(const struct young_watch *w) {
  return __atomic_load_n(&w->threads->recorder->options.threshold, __ATOMIC_RELAXED);
}

static void run_watch(struct agent_thread *self, jvmtiEnv *ti, JNIEnv *jni, void *arg) {
  struct young_watch *w = arg;
  uint64_t pause_ns = PAUSE_NS;
  while (agent_thread_sleep(self, pause_ns)) {
    /* When no call is young any more, the last ones are recorded, and the writer need not wait. */
    bool defers = __atomic_load_n(&w->defers, __ATOMIC_RELAXED);
    uint64_t begin_ns = clock_monotonic_ns();
    look(w, ti, jni, defers ? get_threshold(w) : 0);
    uint64_t least_ns = PAUSE_LOOKS * (clock_monotonic_ns() - begin_ns);
    pause_ns = least_ns < PAUSE_NS ? PAUSE_NS : least_ns < MAX_PAUSE_NS ? least_ns : MAX_PAUSE_NS;
  }
}

bool young_watch_init(struct young_watch *w, struct threads *threads) {
  *w = (struct young_watch){.threads = threads};
  w->methods = memory_new_zeroed((size_t)num_tracked, sizeof *w->methods);
  bounded_lock_init(&w->looking);
  return w->methods != NULL;
}

void young_watch_add_method(struct young_watch *w, int row, jmethodID method) {
  __atomic_store_n(&w->methods[row], method, __ATOMIC_RELAXED);
}

static bool start_thread(struct young_watch *w, jvmtiEnv *ti, JNIEnv *jni) {
  struct recorder *r = w->threads->recorder;
  __atomic_store_n(&r->decided_ns, clock_monotonic_ns(), __ATOMIC_SEQ_CST);
  if (agent_thread_start(&w->thread, "Orca young calls", w->threads, ti, jni, run_watch, w))
    return true;
  __atomic_store_n(&r->decided_ns, UINT64_MAX, __ATOMIC_RELAXED);
  log_line("there is no thread to watch calls; those below the threshold cost more time");
  return false;
}

void young_watch_follow(struct young_watch *w, jvmtiEnv *ti, JNIEnv *jni) {
  uint64_t threshold = get_threshold(w);
  bool is_woven = w->threads->recorder->options.engine == ENGINE_WEAVE; /* which adds methods */
  bool defers = is_woven && threshold > 0 && threshold <= YOUNG_LONGEST_NS;
  bool runs = w->thread.ready && agent_thread_is_running(&w->thread);
  if (defers && !runs) runs = start_thread(w, ti, jni);
  __atomic_store_n(&w->defers, defers && runs, __ATOMIC_SEQ_CST);
}

void young_watch_stop(struct young_watch *w, jvmtiEnv *ti, JNIEnv *jni) {
  if (!w->thread.ready || !agent_thread_is_running(&w->thread)) return;
  __atomic_store_n(&w->defers, false, __ATOMIC_SEQ_CST);
  agent_thread_stop(&w->thread, NS_PER_S);
  look(w, ti, jni, 0);
  __atomic_store_n(&w->threads->recorder->decided_ns, UINT64_MAX, __ATOMIC_RELEASE);
}
