#pragma once
/* engine=callbacks: uses JVMTI's MethodEntry and MethodExit events. The JVM sends them for every
   method, and a table of method ids selects the tracked ones. It is slow, since the JVM does not
   compile code while these events are on. It is also simple, so the tests compare the other engine
   with it. Only at start-up: the JVM does not send these events to an agent that attaches later. */
#include <jvmti.h>
#include <stdbool.h>

#include "agent/base/extern_c.h"
#include "agent/track/hooks.h"

BEGIN_C

struct callbacks_engine;

/* callbacks_engine_new returns NULL if memory runs out. `hooks` must never be freed. */
struct callbacks_engine *callbacks_engine_new(const struct hooks *hooks);

/* callbacks_engine_start enables the events and finds the tracked methods of the loaded classes.
   Returns false if the JVM refuses an event. Call it in VMInit. */
bool callbacks_engine_start(struct callbacks_engine *e, JNIEnv *jni);

/* callbacks_engine_stop disables the events. The engine stays allocated, since a thread may still
   run a callback. */
void callbacks_engine_stop(struct callbacks_engine *e);

/* Handlers of the JVMTI events ClassPrepare, MethodEntry and MethodExit. */
void callbacks_engine_add_class(struct callbacks_engine *e, JNIEnv *jni, jclass klass);
void callbacks_engine_entry(struct callbacks_engine *e, JNIEnv *jni, jmethodID method);
void callbacks_engine_exit(struct callbacks_engine *e, JNIEnv *jni, jmethodID method, bool thrown,
                           jvalue value);

END_C
