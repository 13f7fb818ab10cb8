#include "agent/inventory/inventory.h"

#include <stdlib.h>
#include <string.h>

#include "agent/base/clock.h"
#include "agent/base/jvmti_compat.h"
#include "agent/base/limit.h"
#include "agent/base/log.h"
#include "agent/base/memory.h"
#include "agent/base/os_thread.h"
#include "agent/inventory/open_call.h"
#include "agent/jvm/jvm.h"
#include "agent/record/stack.h"
#include "agent/thread/ends.h"

#define MAX_VIRTUAL 20000
#define TIME_LIMIT_NS NS_PER_S
#define PATIENCE 3 /* times the limit: how long a recording waits for the search */
#define STATE_WAITS (JVMTI_THREAD_STATE_BLOCKED_ON_MONITOR_ENTER | JVMTI_THREAD_STATE_WAITING)

/* An event that will be recorded. It owns its stack. */
struct finding {
  struct context_place place;
  enum event_kind kind;
  uint32_t object, owner;
  struct stack *stack; /* of a contended monitor: two uses */
};

struct search {
  struct inventory *inventory;
  struct recorder *recorder;
  jvmtiEnv *ti;
  JNIEnv *jni;
  struct open_calls open_calls;
  struct finding *findings;
  size_t num, capacity;
  struct hashmap owners; /* monitor that a thread is blocked on -> its owner; 0: not known */
  uint64_t end_ns;       /* no thread is asked after this time */
  jthread current;       /* the thread that searches */
  jobjectArray virtual;  /* virtual threads; NULL: none */
  jint num_virtual;
  uint64_t num_skipped; /* threads that the last visit_all did not ask */
  uint64_t
      num_unnamed; /* virtual threads that are blocked on a monitor that the JVM does not name */
};

/* --- findings -------------------------------------------------------------------------------- */

static void release_finding(const struct finding *f) {
  if (f->kind == EVENT_MONITOR_CONTENDED_ENTER) stack_release(f->stack);
  stack_release(f->stack);
}

static void add_finding(struct search *s, struct finding f) {
  if (s->num == s->capacity) {
    size_t capacity = s->capacity == 0 ? 64 : 2 * s->capacity;
    struct finding *grown = memory_resize(s->findings, capacity * sizeof *grown);
    if (grown == NULL) {
      release_finding(&f);
      return;
    }
    s->findings = grown;
    s->capacity = capacity;
  }
  s->findings[s->num++] = f;
}

/* The whole stack of the thread that is asked, as it was at one moment. */
struct whole_stack {
  const jvmtiFrameInfo *frames;
  jint num;
};

/* Returns the stack without its first `depth` frames. It is not asked for again: the thread may
   have gone on, and be back in the same state later. */
static struct stack *take_stack(const struct search *s, struct whole_stack whole, int depth,
                                int uses) {
  jint n = whole.num - depth, max = meta_frames_wanted(s->recorder->options.depth);
  jvmtiFrameInfo *frames = os_thread_buffer(OS_THREAD_MORE_FRAMES, (size_t)max * sizeof *frames);
  if (frames == NULL || n <= 0) return NULL;
  if (n > max) n = max;
  memcpy(frames, &whole.frames[depth], (size_t)n * sizeof *frames);
  return stack_of(&s->recorder->meta, s->ti, s->jni, frames, n, uses);
}

/* --- one thread ------------------------------------------------------------------------------ */

/* The object of the call in which a thread waits. To join a virtual thread is to wait for a latch,
   which does not say for which thread. */
static uint32_t choose_object(enum event_kind kind, const struct thread_facts *facts) {
  if (kind == EVENT_OBJECT_WAIT || kind == EVENT_THREAD_JOIN) return facts->monitor;
  return kind == EVENT_THREAD_SLEEP ? 0 : facts->blocker;
}

static void add_calls(struct search *s, struct whole_stack whole, struct context_place place,
                      const struct open_call *calls, int num_calls,
                      const struct thread_facts *facts) {
  for (int i = 0; i < num_calls; i++) {
    struct finding f = {.place = place, .kind = calls[i].kind};
    if (i == num_calls - 1) { /* of the calls around it nothing is known */
      f.object = choose_object(f.kind, facts);
      f.owner = facts->owner;
    }
    f.stack = take_stack(s, whole, calls[i].depth, 1);
    add_finding(s, f);
  }
}

static void add_contention(struct search *s, struct whole_stack whole, struct context_place place,
                           uint32_t monitor) {
  struct finding f = {place, EVENT_MONITOR_CONTENDED_ENTER, monitor, 0, take_stack(s, whole, 0, 2)};
  hashmap_at(&s->owners, monitor);
  add_finding(s, f);
}

static void add_held(struct search *s, struct whole_stack whole, struct context_place place,
                     const struct thread_facts *facts) {
  for (int i = 0; i < facts->num_held; i++) {
    const struct held_monitor *held = &facts->held[i];
    struct finding f = {.place = place, .kind = EVENT_MONITOR_HELD, .object = held->object};
    if (held->depth >= 0) f.stack = take_stack(s, whole, held->depth, 1);
    add_finding(s, f);
  }
}

/* Forgets the findings from `num` on. */
static void drop_findings(struct search *s, size_t num) {
  while (s->num > num) release_finding(&s->findings[--s->num]);
}

struct look {
  jint state, num_frames;
};

static struct look look_at_thread(const struct search *s, jthread thread) {
  struct look look = {0, 0};
  (*s->ti)->GetThreadState(s->ti, thread, &look.state);
  (*s->ti)->GetFrameCount(s->ti, thread, &look.num_frames);
  return look;
}

/* Is the thread blocked on a monitor, or does it wait on one? */
static bool is_by_monitor(struct look look) {
  return (look.state &
          (JVMTI_THREAD_STATE_BLOCKED_ON_MONITOR_ENTER | JVMTI_THREAD_STATE_IN_OBJECT_WAIT)) != 0;
}

/* Returns whether the thread is where it was, as far as can be seen. */
static bool is_unchanged(const struct search *s, jthread thread, struct look before,
                         struct whole_stack whole) {
  struct look now = look_at_thread(s, thread);
  jint n = 0;
  if (now.state != before.state || now.num_frames != before.num_frames) return false;
  size_t size = (size_t)whole.num * sizeof *whole.frames;
  jvmtiFrameInfo *frames = os_thread_buffer(OS_THREAD_MORE_FRAMES, size);
  if (frames == NULL) return false;
  (*s->ti)->GetStackTrace(s->ti, thread, 0, whole.num, frames, &n);
  return n == whole.num && memcmp(frames, whole.frames, size) == 0;
}

/* Adds what a thread waits in and for. Adds nothing if the thread goes on meanwhile: then the
   answers of the JVM may be from different moments. */
static void search_waiting_thread(struct search *s, jthread thread, struct look look) {
  struct open_call calls[OPEN_CALLS_MAX];
  struct thread_facts facts;
  struct context_place place;
  size_t before = s->num;
  jint n = 0;
  jvmtiFrameInfo *frames =
      os_thread_buffer(OS_THREAD_FRAMES, (size_t)look.num_frames * sizeof *frames);
  if (frames == NULL || (look.state & STATE_WAITS) == 0) return;
  (*s->ti)->GetStackTrace(s->ti, thread, 0, look.num_frames, frames, &n);
  int num_calls = open_calls_find(&s->open_calls, s->ti, s->jni, frames, n, calls);
  bool blocked = (look.state & JVMTI_THREAD_STATE_BLOCKED_ON_MONITOR_ENTER) != 0 &&
                 recorder_wants(s->recorder, EVENT_MONITOR_CONTENDED_ENTER);
  if (num_calls == 0 && !blocked) return;
  struct whole_stack whole = {frames, n};
  bool is_told = facts_read(&s->inventory->facts, s->ti, s->jni, thread, frames, n,
                            is_by_monitor(look), &facts);
  bool is_hidden = blocked && compat_is_virtual(s->jni, thread) && !facts_know_virtual(s->ti);
  if (is_hidden && is_unchanged(s, thread, look, whole)) s->num_unnamed++;
  if (!is_told || !context_announce(s->inventory->threads, s->ti, s->jni, thread, &place)) {
    return;
  }
  add_calls(s, whole, place, calls, num_calls, &facts);
  bool gets_back = num_calls > 0 && calls[num_calls - 1].kind == EVENT_OBJECT_WAIT;
  if (blocked && !gets_back && facts.monitor != 0) add_contention(s, whole, place, facts.monitor);
  add_held(s, whole, place, &facts);
  if (!is_unchanged(s, thread, look, whole)) drop_findings(s, before);
}

/* Adds the monitors that a thread holds, if the first search has not asked for them: the thread
   runs, or waits for something else than a monitor. */
static void search_owner(struct search *s, jthread thread, struct look look) {
  struct thread_facts facts;
  struct context_place place;
  size_t before = s->num;
  jint n = 0;
  jvmtiFrameInfo *frames =
      os_thread_buffer(OS_THREAD_FRAMES, (size_t)(look.num_frames + 1) * sizeof *frames);
  if (frames == NULL || is_by_monitor(look)) return;
  (*s->ti)->GetStackTrace(s->ti, thread, 0, look.num_frames, frames, &n);
  if (!facts_read(&s->inventory->facts, s->ti, s->jni, thread, frames, n, true, &facts) ||
      facts.num_held == 0 ||
      !context_announce(s->inventory->threads, s->ti, s->jni, thread, &place)) {
    return;
  }
  add_held(s, (struct whole_stack){frames, n}, place, &facts);
  struct look now = look_at_thread(s, thread);
  if (now.num_frames == look.num_frames) return;
  for (; before < s->num; before++) { /* it still holds them, but perhaps not in these frames */
    stack_release(s->findings[before].stack);
    s->findings[before].stack = NULL;
  }
}

/* --- all threads ----------------------------------------------------------------------------- */

typedef void visit_thread(struct search *s, jthread thread, struct look look);

static bool is_current(const struct search *s, jthread thread) {
  return (*s->jni)->IsSameObject(s->jni, thread, s->current) != JNI_FALSE;
}

static void visit(struct search *s, jthread thread, visit_thread *to_visit) {
  struct threads *threads = s->inventory->threads;
  if (threads_is_own(threads, s->jni, thread) || is_current(s, thread)) return;
  if (clock_monotonic_ns() > s->end_ns) {
    s->num_skipped++;
    return;
  }
  if (!ends_hold(s->ti, thread)) return;
  struct look look = look_at_thread(s, thread);
  if ((look.state & JVMTI_THREAD_STATE_ALIVE) != 0 && look.num_frames > 0)
    to_visit(s, thread, look);
  ends_release();
}

static void visit_all(struct search *s, visit_thread *to_visit) {
  jint n = 0;
  jthread *threads = NULL;
  s->num_skipped = 0;
  (*s->ti)->GetAllThreads(s->ti, &n, &threads);
  jvm_reserve_references(s->jni, n);
  for (jint i = 0; i < n; i++) {
    visit(s, threads[i], to_visit);
    (*s->jni)->DeleteLocalRef(s->jni, threads[i]);
  }
  (*s->ti)->Deallocate(s->ti, (unsigned char *)threads);
  for (jint i = 0; i < s->num_virtual; i++) {
    jthread thread = (*s->jni)->GetObjectArrayElement(s->jni, s->virtual, i);
    visit(s, thread, to_visit);
    (*s->jni)->DeleteLocalRef(s->jni, thread);
  }
}

/* --- records --------------------------------------------------------------------------------- */

static void put_finding(const struct search *s, const struct finding *f) {
  struct record record = {
      .kind = RECORD_EVENT, .event = EVENT_OPEN_CALL, .thread = f->place.thread};
  if (f->kind != EVENT_MONITOR_HELD && !recorder_put(s->recorder, f->place.lane, &record)) {
    release_finding(f);
    return;
  }
  record.event = (uint8_t)f->kind;
  record.state = RECORD_OLDER;
  record.object = f->object;
  record.owner = f->owner;
  record.stack = f->stack;
  if (event_infos[f->kind].group != GROUP_MONITOR)
    waiters_add_found(&s->recorder->waiters, f->place.thread, f->object);
  bool put = recorder_put(s->recorder, f->place.lane, &record);
  if (f->kind != EVENT_MONITOR_CONTENDED_ENTER) return;
  /* The second use of the stack is for the end event. */
  if (!put || !context_begin_blocking(s->inventory->threads, f->place.thread, f->object, f->stack))
    stack_release(f->stack);
}

/* A thread may have ended since it was asked. */
static bool has_ended(const struct search *s, const struct finding *f) {
  return registry_find(&s->inventory->threads->registry, f->place.thread) == NULL;
}

/* Sets the owners of contended monitors. Forgets what was found of threads that have ended, and
   holds of monitors that nobody waits for. */
static void match_owners(struct search *s) {
  size_t kept = 0;
  for (size_t i = 0; i < s->num; i++) {
    struct finding *f = &s->findings[i];
    uint64_t owner;
    bool is_held = f->kind == EVENT_MONITOR_HELD;
    if (has_ended(s, f) || (is_held && !hashmap_get(&s->owners, f->object, &owner))) {
      release_finding(f);
      continue;
    }
    if (is_held) hashmap_put(&s->owners, f->object, f->place.thread);
    s->findings[kept++] = *f;
  }
  s->num = kept;
  for (size_t i = 0; i < s->num; i++) {
    struct finding *f = &s->findings[i];
    uint64_t owner = 0;
    if (f->kind != EVENT_MONITOR_CONTENDED_ENTER) continue;
    hashmap_get(&s->owners, f->object, &owner);
    f->owner = (uint32_t)owner;
  }
}

/* The holds come first, so that a reader knows the holder when it reads who waits. */
static void put_findings(struct search *s) {
  for (int held = 1; held >= 0; held--) {
    for (size_t i = 0; i < s->num; i++) {
      if ((s->findings[i].kind == EVENT_MONITOR_HELD) == held) put_finding(s, &s->findings[i]);
    }
  }
}

bool inventory_record(struct inventory *v, jvmtiEnv *ti, JNIEnv *jni) {
  struct recorder *r = v->threads->recorder;
  struct search s = {
      .inventory = v, .recorder = r, .ti = ti, .jni = jni, .open_calls = {.options = &r->options}};
  if (!facts_open(&v->facts, &r->meta, jni)) return false;
  if (!facts_check_threads(&v->facts, ti, jni)) {
    log_line(
        "a thread of the program overrides Thread.getId, which the JVM would call; so it is not "
        "known "
        "for which monitors threads waited when the recording began");
  }
  s.virtual = facts_find_virtual_threads(&v->facts, jni, MAX_VIRTUAL);
  s.num_virtual = s.virtual == NULL ? 0 : (*jni)->GetArrayLength(jni, s.virtual);
  if (s.num_virtual > 0) threads_note_virtual(v->threads);
  (*ti)->GetCurrentThread(ti, &s.current);
  /* Only now: before JDK 25 the JVM loads many classes first, which can take as long. */
  s.end_ns = clock_monotonic_ns() + limit_ns(TIME_LIMIT_NS);
  visit_all(&s, search_waiting_thread);
  figure_add(&r->figures.inventory_skipped, s.num_skipped);
  figure_add(&r->figures.inventory_unnamed, s.num_unnamed);
  if (hashmap_size(&s.owners) > 0) visit_all(&s, search_owner);
  if (__atomic_exchange_n(&v->state, INVENTORY_WRITES, __ATOMIC_SEQ_CST) == INVENTORY_GIVEN_UP) {
    drop_findings(&s, 0);
  }
  match_owners(&s);
  put_findings(&s);
  if (s.virtual != NULL) (*jni)->DeleteLocalRef(jni, s.virtual);
  if (s.current != NULL) (*jni)->DeleteLocalRef(jni, s.current);
  facts_close(&v->facts, jni);
  open_calls_free(&s.open_calls);
  hashmap_free(&s.owners);
  free(s.findings);
  return true;
}

static void run_inventory(struct agent_thread *self, jvmtiEnv *ti, JNIEnv *jni, void *arg) {
  struct inventory *v = arg;
  (void)self;
  v->is_refused = !inventory_record(v, ti, jni);
}

bool inventory_run(struct inventory *v, jvmtiEnv *ti, JNIEnv *jni) {
  enum inventory_state searches = INVENTORY_SEARCHES;
  /* A search that hangs since an earlier recording must not write into this one. */
  if (v->thread.ready && agent_thread_is_running(&v->thread)) return false;
  __atomic_store_n(&v->state, INVENTORY_SEARCHES, __ATOMIC_SEQ_CST);
  if (!agent_thread_start(&v->thread, "Orca inventory", v->threads, ti, jni, run_inventory, v)) {
    return false;
  }
  uint64_t patience_ns = PATIENCE * limit_ns(TIME_LIMIT_NS);
  agent_thread_stop(&v->thread, patience_ns);
  if (!agent_thread_is_running(&v->thread)) return !v->is_refused;
  if (__atomic_compare_exchange_n(&v->state, &searches, INVENTORY_GIVEN_UP, false, __ATOMIC_SEQ_CST,
                                  __ATOMIC_SEQ_CST)) {
    threads_note_virtual(v->threads); /* perhaps */
    log_line(
        "the JVM did not tell within %.0f s what its threads wait for; calls that began before the "
        "recording are missing",
        (double)patience_ns / NS_PER_S);
  } else {
    agent_thread_stop(&v->thread, NS_PER_S); /* it writes */
  }
  return true;
}
