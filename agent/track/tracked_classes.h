#pragma once
/* Finds the classes and methods of tracked.def in this JVM. Any attached thread in the live phase
   may call these functions. */
#include <jvmti.h>

#include "agent/base/extern_c.h"
#include "agent/tracked/tracked.h"

BEGIN_C

/* visit_tracked_classes visits the loaded classes that rows of tracked.def name, prepared or not.
   It skips classes of other loaders that have the same name. `klass` is valid during the visit. */
void visit_tracked_classes(jvmtiEnv *ti, JNIEnv *jni, void (*visit)(void *arg, jclass klass),
                           void *arg);

/* visit_tracked_methods visits the methods of `klass` that are rows of tracked.def. It visits none
   if the class is not tracked, or is loaded but not prepared yet. */
void visit_tracked_methods(jvmtiEnv *ti, JNIEnv *jni, jclass klass,
                           void (*visit)(void *arg, jmethodID method, int row), void *arg);

/* visit_loaded_classes visits the loaded classes that are modifiable and for which `wants` returns
   true. `signature` is for example "Ljava/lang/Object;"; `is_boot` tells whether the boot loader
   loaded the class. `klass` is valid during the visit. */
void visit_loaded_classes(jvmtiEnv *ti, JNIEnv *jni,
                          bool (*wants)(void *arg, const char *signature, bool is_boot),
                          void (*visit)(void *arg, jclass klass), void *arg);

END_C
