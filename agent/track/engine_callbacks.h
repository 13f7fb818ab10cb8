#pragma once
/* engine=callbacks: JVMTI's MethodEntry and MethodExit, of every method there is, sifted by a table
   of method ids. Slow, since the JVM then compiles nothing, and simple: the yardstick of the
   others. Only at start-up: the JVM does not give these events to an agent that comes later. */
#include <jvmti.h>
#include <stdbool.h>

#include "agent/track/hooks.h"

#ifdef __cplusplus
extern "C" {
#endif

struct callbacks_engine;

/* callbacks_engine_new: NULL without memory. `hooks` must be for good. */
struct callbacks_engine *callbacks_engine_new(const struct hooks *hooks);

/* callbacks_engine_start switches the events on and finds the tracked methods of the classes that
   are loaded already. False when the JVM refuses. VMInit. */
bool callbacks_engine_start(struct callbacks_engine *e, JNIEnv *jni);

/* callbacks_engine_stop switches the events off; the engine itself stays, as a thread may be in it.
 */
void callbacks_engine_stop(struct callbacks_engine *e);

/* The JVMTI events ClassPrepare, MethodEntry and MethodExit, handed on. */
void callbacks_engine_class(struct callbacks_engine *e, JNIEnv *jni, jclass klass);
void callbacks_engine_entry(struct callbacks_engine *e, JNIEnv *jni, jmethodID method);
void callbacks_engine_exit(struct callbacks_engine *e, JNIEnv *jni, jmethodID method, bool thrown,
                           jvalue value);

#ifdef __cplusplus
}
#endif
