#include "agent/track/hooks.h"

#include "agent/base/os_thread.h"
#include "agent/record/stack.h"

/* --- who calls ------------------------------------------------------------------------------- */

/* Between a call and the tracked one around it. */
enum caller {
  CALLER_JDK,     /* only code of the JDK stands there: it is part of the outer call */
  CALLER_PROGRAM, /* code of the program's does: a barrier's action, a task that a join runs */
  CALLER_GONE     /* the outer call is not on the stack: it left unseen */
};

#define NEAR 6 /* frames to the outer call, mostly */
#define FAR 1024

/* Everything that the boot loader loads is the JDK's. */
static bool is_of_program(jvmtiEnv *ti, JNIEnv *jni, jmethodID method) {
  jclass klass = NULL;
  jobject loader = NULL;
  if ((*ti)->GetMethodDeclaringClass(ti, method, &klass) != JVMTI_ERROR_NONE) return false;
  (*ti)->GetClassLoader(ti, klass, &loader);
  (*jni)->DeleteLocalRef(jni, klass);
  if (loader != NULL) (*jni)->DeleteLocalRef(jni, loader);
  return loader != NULL;
}

/* Looks at frames from `depth` on. Not GONE: that is the answer. */
static enum caller look(jvmtiEnv *ti, JNIEnv *jni, jmethodID outer, int depth, int max) {
  jvmtiFrameInfo *frames = os_thread_buffer(OS_THREAD_FRAMES, (size_t)max * sizeof *frames);
  jint n = 0;
  if (frames == NULL) return CALLER_JDK; /* as where nothing is known */
  (*ti)->GetStackTrace(ti, NULL, depth, max, frames, &n);
  jint at = 0;
  while (at < n && frames[at].method != outer) at++;
  if (at == n) return CALLER_GONE;
  for (jint i = 0; i < at; i++) {
    if (is_of_program(ti, jni, frames[i].method)) return CALLER_PROGRAM;
  }
  return CALLER_JDK;
}

static enum caller caller_of(jvmtiEnv *ti, JNIEnv *jni, const struct call *outer,
                             enum hook_place place) {
  if (outer->row == CALL_OF_USER) return CALLER_PROGRAM;
  int own = place == HOOK_CALLED ? 2 : 1; /* frames of the call itself */
  if (outer->method == NULL) return CALLER_JDK;
  enum caller caller = look(ti, jni, outer->method, own, NEAR);
  return caller != CALLER_GONE ? caller : look(ti, jni, outer->method, own, FAR);
}

/* --- records --------------------------------------------------------------------------------- */

static bool put(const struct hooks *h, const struct context *c, const struct call *call,
                enum event_kind kind, uint32_t owner) {
  struct record record = {.kind = RECORD_EVENT,
                          .event = (uint8_t)kind,
                          .thread = c->thread,
                          .object = call->object,
                          .owner = owner,
                          .stack = call->stack};
  return recorder_put(h->threads->recorder, c->lane, &record);
}

static bool is_in_recording(const struct hooks *h, const struct call *call) {
  return call->recording != 0 && call->recording == meta_recording(&h->threads->recorder->meta);
}

/* How a call left. */
struct outcome {
  bool failed;
  uint32_t thrown; /* ClassID of what left a method of the option `track`; 0: nothing */
};

/* Only an exception gets past a hook. */
static const struct outcome left_unseen = {.failed = true};

static int64_t cpu_since(const struct hooks *h, const struct call *call) {
  jlong now = 0;
  if (call->cpu_ns < 0) return -1;
  return (*h->ti)->GetCurrentThreadCpuTime(h->ti, &now) == JVMTI_ERROR_NONE ? now - call->cpu_ns
                                                                            : -1;
}

static void put_method_exit(const struct hooks *h, const struct context *c, const struct call *call,
                            uint32_t thrown) {
  struct record record = {.kind = RECORD_EVENT,
                          .event = EVENT_METHOD_EXIT,
                          .thread = c->thread,
                          .object = thrown,
                          .stack = call->stack,
                          .u.cpu_ns = cpu_since(h, call)};
  recorder_put(h->threads->recorder, c->lane, &record);
}

/* The exit of a call, if the recording at hand has its entry. */
static void put_exit(const struct hooks *h, const struct context *c, const struct call *call,
                     struct outcome how) {
  if (!is_in_recording(h, call)) {
    stack_release(call->stack);
  } else if (call->row == CALL_OF_USER) {
    put_method_exit(h, c, call, how.thrown);
  } else {
    put(h, c, call, event_end(tracked[call->row].entry, how.failed), 0);
  }
}

static void end(const struct hooks *h, const struct context *c, const struct call *call,
                struct outcome how) {
  if (!how.failed && call->lock != 0) {
    lock_counts_add(h->lock_counts, call->lock, tracked[call->row].entry);
  }
  if (call->recording != 0) put_exit(h, c, call, how);
}

/* Near the end of the stack even the call of a hook can overflow it, and then an exit is missed:
   the outer call has left when it is not on the stack any more. */
static struct call *outer_call(const struct hooks *h, JNIEnv *jni, struct context *c,
                               enum hook_place place, enum caller *out) {
  struct call *outer;
  while ((outer = calls_top(&c->calls)) != NULL) {
    *out = caller_of(h->ti, jni, outer, place);
    if (*out != CALLER_GONE) break;
    struct call gone = calls_pop(&c->calls);
    end(h, c, &gone, left_unseen);
  }
  return outer;
}

/* What a call is about: its object, and of a lock what it is counted by. Returns who owns it. */
static uint32_t find_object(const struct hooks *h, JNIEnv *jni, const struct tracked *t,
                            jobject object, struct call *call) {
  struct meta *meta = &h->threads->recorder->meta;
  if (t->brief == BRIEF_NOT) {
    call->object = object_hash(meta, h->ti, jni, object);
    return 0;
  }
  struct lock_look look = lock_look(h->lock_fields, meta, h->ti, jni, object);
  bool counted = t->brief == BRIEF_TRY && h->threads->recorder->options.locks == LOCKS_WAITS;
  call->object = look.object;
  call->lock = counted ? lock_counts_at(h->lock_counts, &look) : 0;
  return look.owner;
}

static void begin(const struct hooks *h, JNIEnv *jni, struct context *c, struct call *call,
                  jobject object, enum hook_place place) {
  const struct tracked *t = &tracked[call->row];
  struct meta *meta = &h->threads->recorder->meta;
  int uses = tracked_is_pair(t) ? 2 : 1;
  uint32_t owner = find_object(h, jni, t, object, call);
  if (owner == c->thread) owner = 0; /* it need not wait for itself */
  call->stack = stack_here(meta, h->ti, jni, c->is_virtual,
                           place == HOOK_CALLED ? STACK_AT_START : STACK_HERE, uses);
  call->method = stack_method(call->stack);
  bool recorded = put(h, c, call, t->entry, owner);
  if (!tracked_is_pair(t)) return;
  call->recording = recorded ? c->recording : 0;
  if (!recorded) stack_release(call->stack);
}

/* --- near the end of the stack --------------------------------------------------------------- */

/* The entry of a call that is not recorded. Its place is kept, so that its exit takes off nothing
   else. */
static void skip(struct context *c, int row) {
  struct call *call = c == NULL ? NULL : calls_push(&c->calls);
  if (call != NULL) {
    call->row = row;
    call->skipped = true;
  } else if (c != NULL) {
    c->missed++;
  }
}

/* Skipped calls lie nearer to the end of the stack than a call that has room: where one begins,
   they have left, and the exit was missed. (A virtual thread that parked deep in its stack has more
   room after it; then the exits of its skipped calls are ignored.) */
static void drop_skipped(struct context *c) {
  const struct call *top;
  while ((top = calls_top(&c->calls)) != NULL && top->skipped) calls_pop(&c->calls);
}

/* --- entry and exit -------------------------------------------------------------------------- */

void hook_enter(const struct hooks *h, JNIEnv *jni, int row, jobject object,
                enum hook_place place) {
  if (!threads_have_room(h->threads)) {
    skip(context_known(h->ti), row);
    return;
  }
  struct context *c = context_here(h->threads, h->ti, jni);
  bool on = c != NULL;
  if (!on) c = context_known(h->ti); /* counted all the same: it may be on at the exit */
  if (c == NULL) return;
  drop_skipped(c);
  enum caller caller = CALLER_JDK;
  struct call *outer = on ? outer_call(h, jni, c, place, &caller) : calls_top(&c->calls);
  if (outer != NULL && caller == CALLER_JDK && tracked[row].exit != ENDS_DEEP) {
    outer->inside++;
    return;
  }
  struct call *call = calls_push(&c->calls);
  if (call == NULL) {
    c->missed++;
    return;
  }
  call->row = row;
  if (on) begin(h, jni, c, call, object, place);
}

/* Takes the call of this row off that leaves now; calls above it have left unseen. False: it is not
   recorded, or was under way when the recording began. */
static bool leave(const struct hooks *h, struct context *c, int row, struct call *out) {
  struct call *top = calls_top(&c->calls);
  if (c->missed > 0) {
    c->missed--;
    return false;
  }
  if (row != CALL_OF_USER && top != NULL && top->inside > 0) {
    top->inside--;
    return false;
  }
  if (!calls_have(&c->calls, row)) return false;
  while ((*out = calls_pop(&c->calls)).row != row) end(h, c, out, left_unseen);
  return true;
}

void hook_exit(const struct hooks *h, int row, bool failed) {
  struct context *c = context_known(h->ti);
  struct call call;
  if (c != NULL && leave(h, c, row, &call)) end(h, c, &call, (struct outcome){.failed = failed});
}

void hook_thread_end(const struct hooks *h, struct context *c) {
  while (calls_top(&c->calls) != NULL) {
    struct call call = calls_pop(&c->calls);
    end(h, c, &call, left_unseen);
  }
}

/* --- methods of the option track ------------------------------------------------------------- */

static int64_t cpu_now(const struct hooks *h) {
  jlong now = 0;
  bool wanted = h->threads->recorder->options.cpu == CPU_ON;
  return wanted && (*h->ti)->GetCurrentThreadCpuTime(h->ti, &now) == JVMTI_ERROR_NONE ? now : -1;
}

/* Near the end of the stack an exit may be missed. What calls this method now is on its stack; of a
   call whose method is not known that cannot be told. */
static void drop_gone(const struct hooks *h, struct context *c, const struct stack *stack) {
  const struct call *outer;
  while ((outer = calls_top(&c->calls)) != NULL && outer->row == CALL_OF_USER &&
         outer->method != NULL && !stack_may_have(stack, outer->method)) {
    struct call gone = calls_pop(&c->calls);
    end(h, c, &gone, left_unseen);
  }
}

static void begin_method(const struct hooks *h, JNIEnv *jni, struct context *c) {
  struct stack *stack = stack_here(&h->threads->recorder->meta, h->ti, jni, c->is_virtual,
                                   STACK_AT_START, /* uses */ 2);
  drop_gone(h, c, stack);
  struct call *call = calls_push(&c->calls);
  if (call == NULL) {
    c->missed++;
    stack_release(stack);
    stack_release(stack);
    return;
  }
  call->row = CALL_OF_USER;
  call->stack = stack;
  call->method = stack_method(stack);
  call->cpu_ns = cpu_now(h);
  if (put(h, c, call, EVENT_METHOD_ENTRY, 0)) {
    call->recording = c->recording;
  } else {
    stack_release(stack);
  }
}

void hook_method_enter(const struct hooks *h, JNIEnv *jni) {
  if (!threads_have_room(h->threads)) {
    skip(context_known(h->ti), CALL_OF_USER);
    return;
  }
  struct context *c = context_here(h->threads, h->ti, jni);
  if (c != NULL) {
    drop_skipped(c);
    begin_method(h, jni, c);
    return;
  }
  c = context_known(h->ti); /* nothing is recorded now, but it may be at the exit */
  struct call *call = c == NULL ? NULL : calls_push(&c->calls);
  if (call != NULL) call->row = CALL_OF_USER;
  if (c != NULL && call == NULL) c->missed++;
}

static uint32_t class_of(const struct hooks *h, JNIEnv *jni, jobject thrown) {
  if (thrown == NULL || !recorder_is_on(h->threads->recorder)) return 0;
  jclass klass = (*jni)->GetObjectClass(jni, thrown);
  uint32_t id = class_id(&h->threads->recorder->meta, h->ti, klass);
  (*jni)->DeleteLocalRef(jni, klass);
  return id;
}

void hook_method_exit(const struct hooks *h, JNIEnv *jni, jobject thrown) {
  struct context *c = context_known(h->ti);
  struct call call;
  if (c == NULL || !leave(h, c, CALL_OF_USER, &call)) return;
  end(h, c, &call, (struct outcome){.thrown = class_of(h, jni, thrown)});
}

/* --- monitors in full ------------------------------------------------------------------------ */

/* A method that runs on since an earlier recording calls its hooks on, whatever is wanted now. */
void hook_monitor(const struct hooks *h, JNIEnv *jni, jobject monitor, enum event_kind kind) {
  if (!threads_have_room(h->threads)) return;
  struct context *c = context_here(h->threads, h->ti, jni);
  struct recorder *r = h->threads->recorder;
  bool wanted = r->options.monitors == MONITORS_ALL && recorder_wants(r, kind);
  if (c == NULL || monitor == NULL || !wanted) return;
  struct record record = {
      .kind = RECORD_EVENT,
      .event = (uint8_t)kind,
      .thread = c->thread,
      .object = object_hash(&r->meta, h->ti, jni, monitor),
      .stack = stack_here(&r->meta, h->ti, jni, c->is_virtual, STACK_AT_CALL, /* uses */ 1)};
  recorder_put(r, c->lane, &record);
}
