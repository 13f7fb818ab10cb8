#pragma once
/* engine=weave: only the tracked methods themselves are touched. Those that are Java call a hook of
   ours, put in by the rewriter; those that are native are bound to a function of ours. All else
   runs as it would without Orca. */
#include <jvmti.h>
#include <stdbool.h>

#include "agent/base/bytes.h"
#include "agent/track/hooks.h"

#ifdef __cplusplus
extern "C" {
#endif

struct weave_engine;

/* weave_engine_new: NULL without memory. One for the process; `hooks` must be for good. */
struct weave_engine *weave_engine_new(const struct hooks *hooks);

/* weave_engine_start hooks the tracked methods of the classes that are loaded, all in one batch,
   and lets classes that come later be hooked as they are loaded. What could not be hooked is said
   once. False when the JVM refuses altogether. Live phase. */
bool weave_engine_start(struct weave_engine *e, JNIEnv *jni);

/* weave_engine_stop puts bytecode and natives back as they were. A thread that is inside a woven
   method leaves it through the hook still. */
void weave_engine_stop(struct weave_engine *e, JNIEnv *jni);

/* weave_engine_info says for .info what could not be hooked, and why. */
void weave_engine_info(const struct weave_engine *e, struct builder *info);

/* The JVMTI events ClassFileLoadHook and ClassPrepare, handed on. */
void weave_engine_load(struct weave_engine *e, jobject loader, const char *name,
                       const unsigned char *data, jint len, unsigned char **out_data,
                       jint *out_len);
void weave_engine_class(struct weave_engine *e, JNIEnv *jni, jclass klass);

#ifdef __cplusplus
}
#endif
