#include "agent/track/hooks.h"

#include "agent/base/clock.h"
#include "agent/base/os_thread.h"
#include "agent/event/meaning.h"
#include "agent/jvm/jvm.h"
#include "agent/record/stack.h"
#include "agent/track/call_events.h"
#include "agent/track/thrower.h"
#include "agent/track/young_calls.h"

/* --- the caller of a nested call ------------------------------------------------------------- */

/* The code between a tracked call and the outer tracked call. */
enum caller {
  CALLER_JDK,     /* only code of the JDK: the inner call is part of the outer call */
  CALLER_PROGRAM, /* code of the program, such as a barrier's action or a task that a join runs */
  CALLER_MISSING, /* the outer call is not on the stack any more: its exit was missed */
};

/* Frames to search for the outer call: first a few, which nearly always suffice, then many. */
#define NEAR_FRAMES 6
#define FAR_FRAMES 1024

/* Searches `max` frames, starting at `depth`, for the method of the outer call. `*out_num`: the
   newest physical frames that tell the caller; 0: not known. */
static enum caller search_frames(const struct hooks *h, JNIEnv *jni, jmethodID outer, int depth,
                                 int max, unsigned *out_num) {
  jvmtiFrameInfo *frames =
      os_thread_buffer(OS_THREAD_FRAMES, (size_t)(depth + max) * sizeof *frames);
  *out_num = 0;
  if (frames == NULL) return CALLER_JDK; /* as if the outer method were unknown */
  jint n = walker_walk(h->ti, 0, depth + max, frames), at = depth;
  while (at < n && frames[at].method != outer) at++;
  if (at >= n) return CALLER_MISSING;
  *out_num = walker_count_frames(&h->threads->recorder->meta.walker, jni, frames, n, at);
  for (jint i = depth; i < at; i++) {
    if (jvm_is_program_method(h->ti, jni, frames[i].method)) return CALLER_PROGRAM;
  }
  return CALLER_JDK;
}

static enum caller search_caller(const struct hooks *h, JNIEnv *jni, jmethodID outer,
                                 enum hook_place place, unsigned *out_num) {
  int depth = place == HOOK_CALLED ? 2 : 1; /* skips the frames of the call itself */
  enum caller caller = search_frames(h, jni, outer, depth, NEAR_FRAMES, out_num);
  if (caller != CALLER_MISSING) return caller;
  return search_frames(h, jni, outer, depth, FAR_FRAMES, out_num);
}

/* The word for physical frames whose caller is known. */
static uintptr_t make_word(enum caller caller) { return (uintptr_t)caller + 1; }

/* Looks for the physical frames that tell the caller of a call inside `outer`. The frames of a
   virtual thread have no fixed place on the stack, so the newest ones are taken. Returns the word
   that is known; 0: none. */
static uintptr_t look_up_caller(const struct walker *w, JNIEnv *jni, const struct call *outer,
                                enum hook_place place, bool is_virtual, struct walker_near *out) {
  struct physical_key seed = {(uintptr_t)outer->method, (uint64_t)place};
  if (is_virtual) return walker_find_near(w, jni, &seed, out);
  out->key = seed;
  out->num = walker_key(w, jni, outer->above, &out->key) ? 1 : 0;
  return out->num == 0 ? 0 : shapes_get(w->shapes, &out->key);
}

/* The answer depends on nothing but the outer method and the frames above it, so it is searched
   once for the same physical frames. Most calls of j.u.c. contain others, so this happens as often
   as events. */
static enum caller find_caller(const struct hooks *h, JNIEnv *jni, struct context *c,
                               const struct call *outer, enum hook_place place) {
  struct meta *meta = &h->threads->recorder->meta;
  /* Of the calls of the JDK inside a wake-up only unpark is tracked, which is recorded anywhere. */
  if (outer->row == CALL_OF_USER || outer->is_brief_wake) return CALLER_PROGRAM;
  if (outer->closed_in == c->recording || outer->method == NULL) return CALLER_JDK;
  struct walker_near near;
  unsigned needed = 0;
  uintptr_t known = look_up_caller(&meta->walker, jni, outer, place, c->is_virtual, &near);
  if (known != 0 && !walker_checks(&meta->walker, &c->random)) return (enum caller)(known - 1);
  enum caller caller = search_caller(h, jni, outer->method, place, &needed);
  if (known != 0) meta_note_check(meta, known == make_word(caller));
  if (!c->is_virtual) needed = 1; /* the key is that of all frames which tell it */
  if (known == 0) walker_put_near(&meta->walker, &near, needed, make_word(caller));
  return caller;
}

/* --- the end of a call ----------------------------------------------------------------------- */

static void end_call(const struct hooks *h, struct context *c, struct call *call,
                     struct outcome outcome, struct exit_place at) {
  if (!outcome.failed && call->lock != 0) {
    lock_counts_increment(h->lock_counts, call->lock, tracked[call->row].entry);
  }
  if (call->since_ns != 0) {
    young_call_end(h, c, call, outcome, at);
  } else {
    if (call->early_ns != 0) young_call_follow(h, c, call);
    young_leave_inside(&c->young, call->row);
    if (call->recording != 0) call_record_end(h, c, call, outcome);
  }
  if (call->waits) waiters_remove(&h->threads->recorder->waiters, c->thread, call->object);
}

/* Returns the outer call, and the code between it and the current call. Near the end of the stack
   the call of a hook can overflow the stack, so an exit can be missed. An outer call that is not on
   the stack any more has ended; this function ends it. */
static struct call *find_outer_call(const struct hooks *h, JNIEnv *jni, struct context *c,
                                    enum hook_place place, enum caller *out) {
  struct call *outer;
  while ((outer = calls_top(&c->calls)) != NULL) {
    *out = find_caller(h, jni, c, outer, place);
    if (*out != CALLER_MISSING) break;
    end_call(h, c, calls_pop(&c->calls), missed_exit, missed_place);
  }
  return outer;
}

/* Returns true for a row that is hooked for the calls that it hides, and has no event now. */
static bool has_no_event(const struct recorder *r, const struct tracked *t) {
  return t->exit == ENDS_HIDDEN || (t->exit == ENDS_COVER && !recorder_wants(r, t->entry));
}

/* Sets what find_caller needs. The call has no event, and so no stack. */
static void begin_hidden_call(const struct hooks *h, JNIEnv *jni, const struct context *c,
                              struct call *call, enum hook_place place) {
  jvmtiFrameInfo frame = {.method = young_watch_method(h->young, call->row)};
  jint n = 0;
  if (frame.method == NULL)
    (*h->ti)->GetStackTrace(h->ti, NULL, place == HOOK_CALLED ? 1 : 0, 1, &frame, &n);
  call->method = frame.method;
  call->above = call_above(h, jni, c);
}

/* Returns whether a call only wakes threads, all of which began to wait less than half of the
   threshold ago. Their calls are hardly ever written, so the stack of this one is not worth its
   time: the thread often holds a monitor that the others need. */
static bool wakes_only_new_waiters(const struct hooks *h, const struct call *call) {
  struct recorder *r = h->threads->recorder;
  if (!event_is_wake(tracked[call->row].entry)) return false;
  if (!__atomic_load_n(&r->leaves_out_wakes, __ATOMIC_RELAXED)) return false;
  uint64_t since_ns = waiters_since(&r->waiters, call->object);
  uint64_t half_ns = __atomic_load_n(&r->options.threshold, __ATOMIC_RELAXED) / 2;
  return since_ns == WAITERS_NOBODY || clock_monotonic_ns() < since_ns + half_ns;
}

static void set_stack(const struct hooks *h, JNIEnv *jni, const struct context *c,
                      struct call *call, enum hook_place place) {
  int uses = tracked_is_pair(&tracked[call->row]) ? 2 : 1;
  call->stack = call_stack(h, jni, c, place, uses);
  call->method = stack_method(call->stack);
  call->above = call_above(h, jni, c);
}

static bool is_defined_later(const struct hooks *h, enum event_kind kind) {
  return event_has(kind, TRAIT_OFTEN) &&
         __atomic_load_n(&h->threads->recorder->options.threshold, __ATOMIC_RELAXED) > 0;
}

/* A thread that holds the read side can get it again, but never the write side. */
static void record_reader(const struct hooks *h, const struct context *c, const struct call *call) {
  bool is_own = call->reader == c->thread;
  if (is_own && lock_events[tracked[call->row].entry].sort != LOCK_WRITE_SIDE) return;
  struct record record = {.kind = RECORD_EVENT,
                          .event = EVENT_READ_LOCK_HELD,
                          .thread = call->reader,
                          .object = call->object};
  recorder_put(h->threads->recorder, c->lane, &record);
}

static void begin_call(const struct hooks *h, JNIEnv *jni, struct context *c, struct call *call,
                       jobject object, enum hook_place place) {
  const struct tracked *t = &tracked[call->row];
  if (tracked_is_pair(t)) young_enter_inside(&c->young, call->row);
  if (has_no_event(h->threads->recorder, t)) {
    begin_hidden_call(h, jni, c, call, place);
    return;
  }
  if (young_call_sum(h, jni, c, call, object, place)) return;
  if (young_call_begin(h, jni, c, call, object, place)) return;
  uint64_t begin_ns = call_begin_timed();
  uint32_t owner = call_set_object(h, jni, t, object, call);
  if (owner == c->thread) owner = 0; /* a reentrant acquisition does not wait */
  if (is_defined_later(h, t->entry)) {
    owner = call->class_id;
  } else {
    call_define_object(h, call);
  }
  call->is_brief_wake = wakes_only_new_waiters(h, call);
  if (!call->is_brief_wake) set_stack(h, jni, c, call, place);
  call->waits = tracked_is_pair(t);
  if (call->waits) {
    struct waiters *waiters = &h->threads->recorder->waiters;
    waiters_add(waiters, c->thread, call->object, clock_monotonic_ns());
  }
  bool is_recorded = call_record_event(h, c, call, t->entry, owner);
  if (is_recorded && call->reader != 0) record_reader(h, c, call);
  if (!call->is_brief_wake)
    call_end_timed(h, begin_ns); /* the writer drops nearly all of the others */
  if (!tracked_is_pair(t)) return;
  call->recording = is_recorded ? c->recording : 0;
  if (!is_recorded) stack_release(call->stack);
}

/* --- near the end of the stack --------------------------------------------------------------- */

/* Handles the entry of a call that is not recorded. The call is pushed all the same, so that its
   exit pops no other call. */
static void push_skipped_call(struct context *c, int row) {
  struct call *call = c == NULL ? NULL : calls_push(&c->calls);
  if (call != NULL) {
    call->row = row;
    call->skipped = true;
  } else if (c != NULL) {
    c->missed++;
  }
}

/* Pops the skipped calls when a call with enough room begins. Skipped calls are nearer to the end
   of the stack than that call, so they have ended, and their exits were missed. Exception: a
   virtual thread that parked deep in its stack can have more room afterwards. The exits of its
   skipped calls are then ignored. */
static void drop_skipped_calls(struct context *c) {
  const struct call *top;
  while ((top = calls_top(&c->calls)) != NULL && top->skipped) calls_pop(&c->calls);
}

bool hook_leaves_out(const struct hooks *h, int row, jobject object) {
  struct recorder *r = h->threads->recorder;
  jint hash = 0;
  if (!__atomic_load_n(&r->leaves_out_wakes, __ATOMIC_RELAXED)) return false;
  if (!event_is_wake(tracked[row].entry) || !recorder_is_on(r)) return false;
  if (object == NULL || !os_thread_has_room()) return false;
  (*h->ti)->GetObjectHashCode(h->ti, object, &hash);
  if (hash == 0 || waiters_since(&r->waiters, (uint32_t)hash) != WAITERS_NOBODY) return false;
  left_out_wake(&r->left_out);
  return true;
}

/* --- entry and exit -------------------------------------------------------------------------- */

/* The name of such an event is the place where its object, an exception, was thrown. */
static void record_exception(const struct hooks *h, JNIEnv *jni, int row, jobject thrown) {
  const struct tracked *t = &tracked[row];
  struct context *c = threads_have_room(h->threads) ? context_here(h->threads, h->ti, jni) : NULL;
  struct call call = {.row = row};
  struct builder place = {0};
  if (c == NULL || thrown == NULL || !recorder_wants(h->threads->recorder, t->entry)) return;
  call_set_object(h, jni, t, thrown, &call);
  call_define_object(h, &call);
  thrower_name(jni, thrown, &place);
  if (place.failed) builder_free(&place);
  struct record record = {.kind = RECORD_EVENT,
                          .event = (uint8_t)t->entry,
                          .thread = c->thread,
                          .object = call.object,
                          .u.name = {place.data, place.len}};
  recorder_put(h->threads->recorder, c->lane, &record);
}

/* Records a call that is not pushed: calls inside of it are recorded as if its caller made them. */
static void record_point(const struct hooks *h, JNIEnv *jni, int row, jobject object,
                         enum hook_place place) {
  if (shape_has_name(event_infos[tracked[row].entry].shape)) {
    record_exception(h, jni, row, object);
    return;
  }
  if (hook_leaves_out(h, row, object)) return;
  struct context *c = threads_have_room(h->threads) ? context_here(h->threads, h->ti, jni) : NULL;
  struct call call = {.row = row};
  if (c != NULL) begin_call(h, jni, c, &call, object, place);
}

static void record_size(const struct hooks *h, JNIEnv *jni, const struct context *c,
                        jobject executor, uint32_t hash) {
  struct record record = {
      .kind = RECORD_EVENT, .event = EVENT_POOL_SIZE, .thread = c->thread, .object = hash};
  struct pool_size *size = &record.u.size;
  uint32_t epoch = object_set_epoch(h->threads->recorder->meta.objects);
  if (hash == 0 || !pool_sizes_read(h->pool_sizes, jni, executor, size)) return;
  if (!pool_sizes_add(h->pool_sizes, hash, epoch, size)) return;
  size->capacity = pool_sizes_read_capacity(h->pool_sizes, h->ti, jni, executor);
  recorder_put(h->threads->recorder, c->lane, &record);
}

/* With a threshold, the lines of most tasks are left out. */
static void record_future(const struct hooks *h, JNIEnv *jni, const struct context *c,
                          const struct call *call, jobject task) {
  if (is_defined_later(h, EVENT_TASK_QUEUED)) return;
  jobject future = task_futures_find(h->task_futures, h->ti, jni, task, call->class_id);
  if (future == NULL) return;
  struct record record = {.kind = RECORD_EVENT,
                          .event = EVENT_TASK_COMPLETES,
                          .thread = c->thread,
                          .object = call->object,
                          .u.executor = call_define_executor(h, jni, future)};
  (*jni)->DeleteLocalRef(jni, future);
  recorder_put(h->threads->recorder, c->lane, &record);
}

void hook_queued(const struct hooks *h, JNIEnv *jni, int row, jobject task, jobject executor,
                 enum hook_place place) {
  struct context *c = threads_have_room(h->threads) ? context_here(h->threads, h->ti, jni) : NULL;
  struct call call = {.row = row};
  if (c == NULL || !recorder_wants(h->threads->recorder, tracked[row].entry)) return;
  call.executor = call_define_executor(h, jni, executor);
  record_size(h, jni, c, executor, call.executor);
  begin_call(h, jni, c, &call, task, place);
  record_future(h, jni, c, &call, task);
}

/* A call that is recorded inside of others, too, and has no line, needs no look at the stack. */
static struct call *find_outer(const struct hooks *h, JNIEnv *jni, struct context *c, int row,
                               enum hook_place place, bool is_on, enum caller *out) {
  const struct tracked *t = &tracked[row];
  if (!is_on) return calls_top(&c->calls);
  if (t->exit == ENDS_COVER && young_call_has_sum(h, row)) return NULL;
  return find_outer_call(h, jni, c, place, out);
}

void hook_enter(const struct hooks *h, JNIEnv *jni, int row, jobject object,
                enum hook_place place) {
  if (!tracked_is_call(&tracked[row])) {
    record_point(h, jni, row, object, place);
    return;
  }
  if (!threads_have_room(h->threads)) {
    push_skipped_call(context_known(h->threads, h->ti, jni), row);
    return;
  }
  struct context *c = context_here(h->threads, h->ti, jni);
  bool is_on = c != NULL;
  /* Push the call even if nothing is recorded now: a recording may start before the exit. */
  if (!is_on) c = context_known(h->threads, h->ti, jni);
  if (c == NULL) return;
  drop_skipped_calls(c);
  enum caller caller = CALLER_JDK;
  struct call *outer = find_outer(h, jni, c, row, place, is_on, &caller);
  if (outer != NULL && caller == CALLER_JDK) {
    outer->inside++;
    bool blocks = outer->since_ns != 0 && !outer->waits && tracked_is_pair(&tracked[row]);
    if (blocks) young_call_wait(h->threads->recorder, c, outer);
    if (tracked[row].exit == ENDS_COVER) record_point(h, jni, row, object, place);
    return;
  }
  struct call *call = calls_push(&c->calls);
  if (call == NULL) {
    c->missed++;
    return;
  }
  call->row = row;
  bool is_closed =
      is_on && c->is_virtual && tracked_is_closed(&tracked[row]) && os_thread_has_ample_room();
  if (is_closed) call->closed_in = c->recording;
  call->is_brief_wake = is_on && hook_leaves_out(h, row, object);
  if (is_on && !call->is_brief_wake) begin_call(h, jni, c, call, object, place);
}

void hook_returned(const struct hooks *h, JNIEnv *jni, int row, jobject object,
                   enum hook_place place) {
  if (object != NULL) record_point(h, jni, row, object, place);
}

/* Pops the innermost call of this row, whose exit is handled now. The exits of the calls above it
   were missed, so it ends those. Returns NULL if the call was not pushed at its entry. */
static struct call *pop_call(const struct hooks *h, struct context *c, int row) {
  struct call *top = calls_top(&c->calls);
  if (c->missed > 0) {
    c->missed--;
    return NULL;
  }
  if (row != CALL_OF_USER && top != NULL && top->inside > 0) {
    top->inside--;
    return NULL;
  }
  if (!calls_have(&c->calls, row)) return NULL;
  while ((top = calls_pop(&c->calls))->row != row) {
    end_call(h, c, top, missed_exit, missed_place);
  }
  return top;
}

void hook_exit(const struct hooks *h, JNIEnv *jni, int row, bool failed, enum hook_place place) {
  if (!tracked_is_call(&tracked[row])) return;
  struct context *c = context_known(h->threads, h->ti, jni);
  struct call *call = c == NULL ? NULL : pop_call(h, c, row);
  struct exit_place at = {jni, place};
  if (call != NULL) end_call(h, c, call, (struct outcome){.failed = failed}, at);
}

void hook_thread_end(const struct hooks *h, struct context *c) {
  while (calls_top(&c->calls) != NULL) {
    end_call(h, c, calls_pop(&c->calls), missed_exit, missed_place);
  }
}

/* --- methods of the option track ------------------------------------------------------------- */

/* Ends the outer calls whose exits were missed near the end of the stack. `stack` is the stack of
   the call that begins, and the methods of those calls are not on it. A call whose method is
   unknown is left alone. */
static void end_missed_calls(const struct hooks *h, struct context *c, const struct stack *stack) {
  const struct call *outer;
  while ((outer = calls_top(&c->calls)) != NULL && outer->row == CALL_OF_USER &&
         outer->method != NULL && !stack_may_have(stack, outer->method)) {
    end_call(h, c, calls_pop(&c->calls), missed_exit, missed_place);
  }
}

static void begin_method(const struct hooks *h, JNIEnv *jni, struct context *c) {
  uint64_t begin_ns = call_begin_timed();
  struct stack *stack = stack_here(&h->threads->recorder->meta, h->ti, jni, c->is_virtual,
                                   STACK_AT_START, /* uses */ 2);
  end_missed_calls(h, c, stack);
  struct call *call = calls_push(&c->calls);
  if (call == NULL) {
    c->missed++;
    stack_release(stack);
    stack_release(stack);
    return;
  }
  jlong now = 0;
  bool is_timed = h->threads->recorder->options.cpu == CPU_ON &&
                  (*h->ti)->GetCurrentThreadCpuTime(h->ti, &now) == JVMTI_ERROR_NONE;
  call->row = CALL_OF_USER;
  call->stack = stack;
  call->method = stack_method(stack);
  call->cpu_ns = is_timed ? now : -1;
  if (call_record_event(h, c, call, EVENT_METHOD_ENTRY, 0)) {
    call->recording = c->recording;
  } else {
    stack_release(stack);
  }
  call_end_timed(h, begin_ns);
}

void hook_method_enter(const struct hooks *h, JNIEnv *jni) {
  if (!threads_have_room(h->threads)) {
    push_skipped_call(context_known(h->threads, h->ti, jni), CALL_OF_USER);
    return;
  }
  struct context *c = context_here(h->threads, h->ti, jni);
  if (c != NULL) {
    drop_skipped_calls(c);
    begin_method(h, jni, c);
    return;
  }
  /* Nothing is recorded now, but a recording may start before the exit. */
  c = context_known(h->threads, h->ti, jni);
  struct call *call = c == NULL ? NULL : calls_push(&c->calls);
  if (call != NULL) call->row = CALL_OF_USER;
  if (c != NULL && call == NULL) c->missed++;
}

void hook_method_exit(const struct hooks *h, JNIEnv *jni, jobject thrown) {
  struct context *c = context_known(h->threads, h->ti, jni);
  struct call *call = c == NULL ? NULL : pop_call(h, c, CALL_OF_USER);
  if (call == NULL) return;
  struct outcome outcome = {0};
  struct recorder *r = h->threads->recorder;
  if (thrown != NULL && recorder_is_on(r))
    outcome.thrown = object_class(&r->meta, h->ti, jni, thrown);
  end_call(h, c, call, outcome, missed_place);
}

/* --- the option monitors --------------------------------------------------------------------- */

/* A method that has been running since an earlier recording still calls its hooks. So the options
   of the current recording are checked here. */
void hook_monitor(const struct hooks *h, JNIEnv *jni, jobject monitor, enum event_kind kind) {
  if (!threads_have_room(h->threads)) return;
  struct context *c = context_here(h->threads, h->ti, jni);
  struct recorder *r = h->threads->recorder;
  bool is_all = __atomic_load_n(&r->options.monitors, __ATOMIC_RELAXED) == MONITORS_ALL;
  bool is_wanted = is_all && recorder_wants(r, kind);
  if (c == NULL || monitor == NULL || !is_wanted) return;
  uint64_t begin_ns = call_begin_timed();
  struct record record = {
      .kind = RECORD_EVENT,
      .event = (uint8_t)kind,
      .thread = c->thread,
      .object = object_hash(&r->meta, h->ti, jni, monitor),
      .stack = stack_here(&r->meta, h->ti, jni, c->is_virtual, STACK_AT_CALL, /* uses */ 1)};
  recorder_put(r, c->lane, &record);
  call_end_timed(h, begin_ns);
}
