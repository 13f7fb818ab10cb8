#pragma once
/* Where the rows of tracked.def are in this JVM. */
#include <jvmti.h>

#include "agent/tracked/tracked.h"

#ifdef __cplusplus
extern "C" {
#endif

/* tracked_classes visits the loaded classes that rows name, prepared or not; a class of the
   program's own that has the same name is none of them. Any thread in the live phase. */
void tracked_classes(jvmtiEnv *ti, JNIEnv *jni, void (*visit)(void *arg, jclass klass), void *arg);

/* tracked_methods visits the methods of a class that have a row: none if it is not such a class, or
   is loaded but not yet prepared. */
void tracked_methods(jvmtiEnv *ti, JNIEnv *jni, jclass klass,
                     void (*visit)(void *arg, jmethodID method, int row), void *arg);

/* loaded_classes visits the loaded classes that may be changed and that `wants` wants: by the
   signature, "Ljava/lang/Object;", and whether the boot loader loaded it. */
void loaded_classes(jvmtiEnv *ti, JNIEnv *jni,
                    bool (*wants)(void *arg, const char *signature, bool is_boot),
                    void (*visit)(void *arg, jclass klass), void *arg);

#ifdef __cplusplus
}
#endif
