#pragma once
/* The begin and the end of young calls (agent/thread/young.h). The hooks of the thread that makes
   the call use them: they may call the JVM through `jni`, and wait for nothing but room in the
   queue. */
#include "agent/base/extern_c.h"
#include "agent/track/call_events.h"

BEGIN_C

/* young_call_begin begins a young call, if the call may be one. It takes no stack and makes no
   record. Else it returns false, also for a call of the row context.long_row. To take the stack of
   another thread, as the watch does, costs more than to record the begin at once. */
bool young_call_begin(const struct hooks *h, JNIEnv *jni, struct context *c, struct call *call,
                      jobject object, enum hook_place place);

/* young_call_follow forgets context.long_row if a call of it was short. The call ends now. */
void young_call_follow(const struct hooks *h, struct context *c, const struct call *call);

/* young_call_has_sum returns whether calls of the row get no line now, only a sum
   (tracked_is_summed). young_call_sum then adds the call to it. Else it returns false. */
static inline bool young_call_has_sum(const struct hooks *h, int row) {
  return tracked_is_summed(&tracked[row]) && young_watch_method(h->young, row) != NULL;
}
bool young_call_sum(const struct hooks *h, JNIEnv *jni, struct context *c, struct call *call,
                    jobject object, enum hook_place place);

/* young_call_wait notes that a call waits: it calls a method that does. Most calls need not wait,
   so their thread becomes a waiter (agent/record/waiters.h) only then. */
void young_call_wait(struct recorder *r, const struct context *c, struct call *call);

/* young_call_end ends it: adds it to the short calls, or records its events. */
void young_call_end(const struct hooks *h, struct context *c, struct call *call,
                    struct outcome outcome, struct exit_place at);

END_C
