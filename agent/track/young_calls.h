#pragma once
/* The begin and the end of young calls (agent/thread/young.h). The thread that makes the call. */
#include "agent/track/call_events.h"

#ifdef __cplusplus
extern "C" {
#endif

/* young_call_begin begins a young call, if the call may be one. It takes no stack and makes no
   record. Else it returns false. */
bool young_call_begin(const struct hooks *h, JNIEnv *jni, struct context *c, struct call *call,
                      jobject object);

/* young_call_wait notes that a call waits: it calls a method that does. Most calls need not wait,
   so their thread becomes a waiter (agent/record/waiters.h) only then. */
void young_call_wait(struct recorder *r, const struct context *c, struct call *call);

/* young_call_end ends it: adds it to the short calls, or records its events. */
void young_call_end(const struct hooks *h, struct context *c, struct call *call,
                    struct outcome outcome, struct exit_place at);

#ifdef __cplusplus
}
#endif
