#pragma once
/* Orca's Java classes (java/): defines them in the boot loader and implements their natives. */
#include <jvmti.h>
#include <stdbool.h>

#include "agent/base/extern_c.h"
#include "agent/track/hooks.h"
#include "agent/track/rebind.h"
#include "agent/tracked/orca_classes.h"

BEGIN_C

/* java_classes_bind defines the classes unless an earlier call did, and binds their natives. It
   also binds the natives that `rebind` has marked: to Orca's functions if `to_orca`, else back to
   those of the JVM. All of this runs below a Java frame of a boot class, because the JVM would
   otherwise print a warning to the program's stdout. Returns false if the JVM refuses. One thread
   at a time, attached, in the live phase. `hooks` and `rebind` must never be freed. */
bool java_classes_bind(const struct hooks *hooks, struct rebind *rebind, JNIEnv *jni, bool to_orca);

/* java_classes_start_counting gives OrcaLocks the table of lock counts, so that it counts from now
   on; with a threshold, without new locks. Returns false if OrcaLocks does not work in this JVM;
   then no woven method may call it. Call it after java_classes_bind, on the same thread. */
bool java_classes_start_counting(const struct hooks *hooks, JNIEnv *jni);

/* java_classes_skip_new_locks makes OrcaLocks leave out the acquisitions of a lock before a thread
   has to wait for it, or count them again. Any thread that is attached, after
   java_classes_start_counting. */
void java_classes_skip_new_locks(JNIEnv *jni, bool skips);

END_C
