#pragma once
/* The two events of a tracked call: their records, their object, their stack, and what it costs to
   make them. The thread that makes the call. */
#include "agent/base/extern_c.h"
#include "agent/track/hooks.h"

BEGIN_C

/* How a call ended. */
struct outcome {
  bool failed;
  uint32_t thrown; /* for the option `track`: ClassID of the exception that left it; 0: none */
};

/* The outcome if the exit was missed. Only an exception can leave without a call of the hook. */
static const struct outcome missed_exit = {.failed = true, .thrown = 0};

/* Where an exit is handled, for the stack of a call that was young until then. */
struct exit_place {
  JNIEnv *jni; /* NULL: the exit was missed, so the frames of the call are not on the stack */
  enum hook_place place;
};

static const struct exit_place missed_place = {NULL, HOOK_ON_TOP};

/* call_begin_timed begins to handle an event. Returns the time if it is one of those that are
   timed, else 0. call_end_timed adds the time since then to the figures, unless it is 0. */
uint64_t call_begin_timed(void);
void call_end_timed(const struct hooks *h, uint64_t begin_ns);

/* call_stack returns the stack of the call whose hook runs, for `uses` records. call_near_stack
   returns the near part of it (stack_near). */
struct stack *call_stack(const struct hooks *h, JNIEnv *jni, const struct context *c,
                         enum hook_place place, int uses);
struct stack *call_near_stack(const struct hooks *h, JNIEnv *jni, enum hook_place place);

/* call_above returns the address `above` for the call whose hook runs (struct call). */
uintptr_t call_above(const struct hooks *h, JNIEnv *jni, const struct context *c);

/* call_set_object sets the object of a call. If the files may lack the definition of the object, it
   also sets its class; if its acquisitions are counted, its key in the lock counts. Returns the
   identity hash of the owner of the lock, or 0. */
uint32_t call_set_object(const struct hooks *h, JNIEnv *jni, const struct tracked *t,
                         jobject object, struct call *call);

/* call_define_object defines the object of a call in the files, before a record names it. */
void call_define_object(const struct hooks *h, const struct call *call);

/* call_define_executor defines an executor, or a future, in the files. Returns its identity hash,
 * or 0. */
uint32_t call_define_executor(const struct hooks *h, JNIEnv *jni, jobject executor);

/* call_record_event records an event of the call, now. Returns false if it was dropped. */
bool call_record_event(const struct hooks *h, const struct context *c, const struct call *call,
                       enum event_kind kind, uint32_t owner);

/* call_record_end records the end of a call whose begin was recorded. If that is in an earlier
   recording, it only releases the stack. */
void call_record_end(const struct hooks *h, const struct context *c, const struct call *call,
                     struct outcome outcome);

END_C
