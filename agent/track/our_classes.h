#pragma once
/* Orca's classes in the JVM (java/): defined in the boot loader, and what their natives do. */
#include <jvmti.h>
#include <stdbool.h>

#include "agent/track/hooks.h"
#include "agent/track/our_names.h"
#include "agent/track/rebind.h"

#ifdef __cplusplus
extern "C" {
#endif

/* our_classes_bind defines the classes, unless an earlier call did, binds their natives to `hooks`,
   and what `rebind` has marked: to our functions, or back. All of it from a Java frame of a boot
   class: else the JVM warns on the program's stdout. False where the JVM does not let us. One
   thread at a time, attached, in the live phase; `hooks` and `rebind` must be for good. */
bool our_classes_bind(const struct hooks *hooks, struct rebind *rebind, JNIEnv *jni, bool to_ours);

/* our_classes_count lets OrcaLocks count from now on. False where it does not work in this JVM:
   then nothing may be woven that calls it. Behind our_classes_bind. */
bool our_classes_count(const struct hooks *hooks, JNIEnv *jni);

#ifdef __cplusplus
}
#endif
