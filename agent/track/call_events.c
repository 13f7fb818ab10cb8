#include "agent/track/call_events.h"

#include "agent/base/clock.h"
#include "agent/base/os_thread.h"
#include "agent/record/stack.h"

/* --- the time of an event -------------------------------------------------------------------- */

/* Odd, so that begin and end events of a thread with only pairs are timed equally often. */
#define EVENTS_PER_TIMED 251
/* Limits what an event counts for: the clock also runs while the thread has no CPU, waits for a
   safepoint or waits for room in its lane. A walk of 1,024 frames takes 120 us. */
#define LONGEST_EVENT_NS 250000

uint64_t call_begin_timed(void) {
  static __thread unsigned count;
  if (++count < EVENTS_PER_TIMED) return 0;
  count = 0;
  return clock_monotonic_ns();
}

void call_end_timed(const struct hooks *h, uint64_t begin_ns) {
  if (begin_ns == 0) return;
  struct recording_figures *figures = &h->threads->recorder->figures;
  uint64_t ns = clock_monotonic_ns() - begin_ns;
  figure_add(&figures->hooks_time, ns < LONGEST_EVENT_NS ? ns : LONGEST_EVENT_NS);
  figure_add(&figures->hooks_timed, 1);
}

/* --- stacks ---------------------------------------------------------------------------------- */

static enum stack_place get_stack_place(enum hook_place place) {
  return place == HOOK_CALLED ? STACK_AT_START : STACK_HERE;
}

struct stack *call_stack(const struct hooks *h, JNIEnv *jni, const struct context *c,
                         enum hook_place place, int uses) {
  return stack_here(&h->threads->recorder->meta, h->ti, jni, c->is_virtual, get_stack_place(place),
                    uses);
}

struct stack *call_near_stack(const struct hooks *h, JNIEnv *jni, enum hook_place place) {
  struct near_memory *memory = os_thread_buffer(OS_THREAD_NEAR, sizeof *memory);
  if (memory == NULL) return NULL;
  return stack_near(&h->threads->recorder->meta, memory, h->ti, jni, get_stack_place(place));
}

/* The frames of a virtual thread move when it is mounted again. */
uintptr_t call_above(const struct hooks *h, JNIEnv *jni, const struct context *c) {
  return c->is_virtual ? PHYSICAL_ALL : walker_above(&h->threads->recorder->meta.walker, jni);
}

/* --- the object ------------------------------------------------------------------------------- */

#define MAX_KNOWN 16 /* a power of two */

/* The objects of the last calls of a thread of the operating system. Virtual threads are often too
   short to use an object twice. */
struct known_objects {
  struct known_object {
    uint32_t hash; /* 0: none */
    uint32_t class_id;
    bool is_defined; /* in the files */
  } at[MAX_KNOWN];
  uint32_t epoch; /* object_set_epoch, in which those that are defined are so */
};

/* Returns the place of the object. NULL without memory. */
static struct known_object *find_known(const struct meta *meta, uint32_t hash) {
  struct known_objects *known = os_thread_buffer(OS_THREAD_OBJECTS, sizeof *known);
  uint32_t epoch = object_set_epoch(meta->objects);
  if (known == NULL) return NULL;
  if (known->epoch != epoch) *known = (struct known_objects){.epoch = epoch};
  return &known->at[hash % MAX_KNOWN];
}

/* Asks for the class of an object only if the thread has not used the object lately. */
static void look_up_object(const struct hooks *h, JNIEnv *jni, jobject object, struct call *call) {
  jint hash = 0;
  if (object == NULL || (*h->ti)->GetObjectHashCode(h->ti, object, &hash) != JVMTI_ERROR_NONE)
    return;
  struct meta *meta = &h->threads->recorder->meta;
  struct known_object *known = find_known(meta, (uint32_t)hash);
  bool is_known = known != NULL && known->hash == (uint32_t)hash && known->class_id != 0;
  call->object = (uint32_t)hash;
  call->class_id = is_known ? known->class_id : object_class(meta, h->ti, jni, object);
  if (!is_known && known != NULL)
    *known = (struct known_object){call->object, call->class_id, false};
}

uint32_t call_set_object(const struct hooks *h, JNIEnv *jni, const struct tracked *t,
                         jobject object, struct call *call) {
  if (t->brief == BRIEF_NOT) {
    look_up_object(h, jni, object, call);
    return 0;
  }
  struct recorder *r = h->threads->recorder;
  struct lock_look look = lock_look(h->lock_fields, &r->meta, h->ti, jni, object);
  bool is_acquisition = t->brief == BRIEF_TRY || t->brief == BRIEF_COUNT;
  bool is_counted = is_acquisition && __atomic_load_n(&r->counts_locks, __ATOMIC_RELAXED);
  call->object = look.object;
  call->reader = is_counted && t->brief == BRIEF_TRY ? look.reader : 0; /* else it may not wait */
  call->lock =
      is_counted ? counted_locks_add(h->lock_counts, h->lock_fields, jni, object, &look) : 0;
  return look.owner;
}

void call_define_object(const struct hooks *h, const struct call *call) {
  struct meta *meta = &h->threads->recorder->meta;
  if (call->class_id == 0) return;
  struct known_object *known = find_known(meta, call->object);
  bool is_known = known != NULL && known->hash == call->object && known->class_id == call->class_id;
  if (is_known && known->is_defined) return;
  object_define(meta, call->object, call->class_id);
  if (is_known) known->is_defined = true;
}

uint32_t call_define_executor(const struct hooks *h, JNIEnv *jni, jobject executor) {
  struct call call = {0};
  look_up_object(h, jni, executor, &call);
  call_define_object(h, &call);
  return call.object;
}

/* --- records --------------------------------------------------------------------------------- */

bool call_record_event(const struct hooks *h, const struct context *c, const struct call *call,
                       enum event_kind kind, uint32_t owner) {
  struct record record = {.kind = RECORD_EVENT,
                          .event = (uint8_t)kind,
                          .thread = c->thread,
                          .object = call->object,
                          .owner = owner,
                          .stack = call->stack};
  if (shape_has_executor(event_infos[kind].shape)) record.u.executor = call->executor;
  return recorder_put(h->threads->recorder, c->lane, &record);
}

static void record_method_exit(const struct hooks *h, const struct context *c,
                               const struct call *call, uint32_t thrown) {
  jlong now = 0;
  bool is_timed =
      call->cpu_ns >= 0 && (*h->ti)->GetCurrentThreadCpuTime(h->ti, &now) == JVMTI_ERROR_NONE;
  struct record record = {.kind = RECORD_EVENT,
                          .event = EVENT_METHOD_EXIT,
                          .thread = c->thread,
                          .object = thrown,
                          .stack = call->stack,
                          .u.cpu_ns = is_timed ? now - call->cpu_ns : -1};
  recorder_put(h->threads->recorder, c->lane, &record);
}

void call_record_end(const struct hooks *h, const struct context *c, const struct call *call,
                     struct outcome outcome) {
  if (call->recording != meta_recording(&h->threads->recorder->meta)) {
    stack_release(call->stack);
    return;
  }
  uint64_t begin_ns = call_begin_timed();
  if (call->row == CALL_OF_USER) {
    record_method_exit(h, c, call, outcome.thrown);
  } else {
    call_record_event(h, c, call, event_end(tracked[call->row].entry, outcome.failed), 0);
  }
  call_end_timed(h, begin_ns);
}
