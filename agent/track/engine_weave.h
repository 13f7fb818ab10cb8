#pragma once
/* engine=weave: changes only the tracked methods. Those written in Java are woven: the rewriter
   inserts calls of Orca's hooks. Native ones are bound to functions of Orca. All other code runs
   as without Orca. */
#include <jvmti.h>
#include <stdbool.h>

#include "agent/base/extern_c.h"
#include "agent/track/hooks.h"

BEGIN_C

struct weave_engine;

/* weave_engine_new returns NULL if memory runs out. Call it once in the process. `hooks` must never
   be freed. */
struct weave_engine *weave_engine_new(const struct hooks *hooks);

/* weave_engine_start hooks the tracked methods of all loaded classes in one batch. Classes that are
   loaded later are hooked while they are loaded. It logs once which methods could not be hooked.
   Returns false if the JVM refuses to bind the natives or to retransform the classes. Live
   phase. */
bool weave_engine_start(struct weave_engine *e, JNIEnv *jni);

/* weave_engine_change hooks the methods that these options of the recording ask for, and only them.
   All loaded classes change at the same moment, during the call. Returns false if the JVM refuses;
   then the hooks are those of before. Between start and stop, in the live phase. */
bool weave_engine_change(struct weave_engine *e, JNIEnv *jni, const struct options *options);

/* weave_engine_stop restores the bytecode and the natives. A thread inside a woven method still
   calls the hook at its exit. */
void weave_engine_stop(struct weave_engine *e, JNIEnv *jni);

/* Handlers of the JVMTI events ClassFileLoadHook and ClassPrepare. */
void weave_engine_transform_class(struct weave_engine *e, jobject loader, const char *name,
                                  const unsigned char *data, jint len, unsigned char **out_data,
                                  jint *out_len);
void weave_engine_define_methods(struct weave_engine *e, JNIEnv *jni, jclass klass);

END_C
