#include "agent/track/young_calls.h"

#include "agent/base/clock.h"
#include "agent/base/os_thread.h"
#include "agent/record/stack.h"

/* --- the begin ------------------------------------------------------------------------------- */

/* Returns whether a thread that waits in the call of a row parks, with a hook. A wake-up between
   the moment in which it enters the queue of the lock and its park is left out. */
static bool waits_by_parking(const struct recorder *r, const struct tracked *t) {
  enum event_group group = event_infos[t->entry].group;
  return group != GROUP_WAIT && group != GROUP_JOIN && group != GROUP_SLEEP &&
         group != GROUP_LOCK && group != GROUP_PARK && recorder_wants(r, EVENT_THREAD_PARK);
}

void young_call_wait(struct recorder *r, const struct context *c, struct call *call) {
  waiters_add(&r->waiters, c->thread, call->object, call->since_ns);
  call->waits = true;
}

bool young_call_begin(const struct hooks *h, JNIEnv *jni, struct context *c, struct call *call,
                      jobject object, enum hook_place place) {
  struct recorder *r = h->threads->recorder;
  const struct tracked *t = &tracked[call->row];
  jmethodID method = tracked_is_pair(t) ? young_watch_method(h->young, call->row) : NULL;
  if (method == NULL || young_is_open(&c->young)) return false;
  if (c->long_row == call->row + 1) {
    call->early_ns = clock_monotonic_ns();
    return false;
  }
  if (!context_keep_self(h->threads, h->ti, jni, c)) return false;
  uint32_t owner = call_set_object(h, jni, t, object, call);
  call->method = method;
  call->above = call_above(h, jni, c);
  call->recording = c->recording;
  if (c->is_virtual) call->near = call_near_stack(h, jni, place);
  young_prepare(&c->young);
  call->since_ns = young_round(clock_monotonic_ns());
  if (!waits_by_parking(r, t)) young_call_wait(r, c, call);
  struct young_call young = {.recording = c->recording,
                             .object = call->object,
                             .class_id = call->class_id,
                             .owner = owner == c->thread ? 0 : owner,
                             .row = call->row};
  young_begin(&c->young, &young, call->since_ns);
  return true;
}

/* The object of a sum would be the thread that the call names. A program that starts many threads
   would fill the table, so their sums have no object. */
bool young_call_sum(const struct hooks *h, JNIEnv *jni, struct context *c, struct call *call,
                    jobject object, enum hook_place place) {
  const struct tracked *t = &tracked[call->row];
  if (!young_call_has_sum(h, call->row)) return false;
  if (!event_has(t->entry, TRAIT_NAMES_THREAD)) call_set_object(h, jni, t, object, call);
  call->method = young_watch_method(h->young, call->row);
  call->above = call_above(h, jni, c);
  struct short_key key = {.object = call->object,
                          .class_id = call->class_id,
                          .kind = t->entry,
                          .stack = call_near_stack(h, jni, place)};
  short_calls_add(h->threads->recorder->short_calls, c->thread, c->recording, &key, 0);
  return true;
}

/* --- the end --------------------------------------------------------------------------------- */

void young_call_follow(const struct hooks *h, struct context *c, const struct call *call) {
  uint64_t threshold = __atomic_load_n(&h->threads->recorder->options.threshold, __ATOMIC_RELAXED);
  if (clock_monotonic_ns() - call->early_ns < threshold) c->long_row = 0;
}

/* Records both events of a call that took long. */
static void record_call(const struct hooks *h, struct context *c, struct call *call,
                        struct outcome outcome, struct exit_place at) {
  uint64_t begin_ns = call_begin_timed();
  struct record begin = {.kind = RECORD_EVENT,
                         .event = (uint8_t)tracked[call->row].entry,
                         .time_ns = call->since_ns,
                         .thread = c->thread,
                         .object = call->object,
                         .owner = c->young.call.owner};
  call_define_object(h, call);
  if (at.jni != NULL && os_thread_has_room())
    call->stack = call_stack(h, at.jni, c, at.place, /* uses */ 2);
  begin.stack = call->stack;
  bool is_recorded = recorder_put(h->threads->recorder, c->lane, &begin);
  call_end_timed(h, begin_ns);
  if (is_recorded) {
    call_record_end(h, c, call, outcome);
  } else {
    stack_release(call->stack);
  }
}

static void add_short_call(const struct hooks *h, const struct context *c, const struct call *call,
                           uint64_t took_ns, struct exit_place at) {
  struct short_key key = {.object = call->object,
                          .class_id = call->class_id,
                          .kind = tracked[call->row].entry,
                          .stack = call->near};
  bool can_look = !c->is_virtual && at.jni != NULL && os_thread_has_room();
  if (can_look) key.stack = call_near_stack(h, at.jni, at.place);
  short_calls_add(h->threads->recorder->short_calls, c->thread, call->recording, &key, took_ns);
}

void young_call_end(const struct hooks *h, struct context *c, struct call *call,
                    struct outcome outcome, struct exit_place at) {
  struct recorder *r = h->threads->recorder;
  uint64_t took_ns = clock_monotonic_ns() - call->since_ns;
  bool is_long = took_ns >= __atomic_load_n(&r->options.threshold, __ATOMIC_RELAXED);
  bool is_current = call->recording == meta_recording(&r->meta) && recorder_is_on(r);
  switch (young_end(&c->young, call->since_ns, is_long && is_current)) {
    case YOUNG_LEFT_OUT:
      if (is_current) add_short_call(h, c, call, took_ns, at);
      return;
    case YOUNG_ALONE:
      record_call(h, c, call, outcome, at);
      break;
    case YOUNG_RECORDED:
      if (is_long) c->long_row = call->row + 1;
      call->stack = c->young.stack;
      call_record_end(h, c, call, outcome);
      break;
  }
  young_close(&c->young);
}
