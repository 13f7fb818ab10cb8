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

/* --- records --------------------------------------------------------------------------------- */

bool call_record_event(const struct hooks *h, const struct context *c, const struct call *call,
                       enum event_kind kind, uint32_t owner) {
  struct record record = {.kind = RECORD_EVENT,
                          .event = (uint8_t)kind,
                          .thread = c->thread,
                          .object = call->object,
                          .owner = owner,
                          .stack = call->stack};
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
