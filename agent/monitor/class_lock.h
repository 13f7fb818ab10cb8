#pragma once
/* The lock that HotSpot uses to initialize or link a class: an empty int[] that only the JVM knows.
   From JDK 26 on, a virtual thread that blocks on it unmounts. The JVM then sends
   MonitorContendedEnter and no MonitorContendedEntered. */
#include <jvmti.h>
#include <stdbool.h>

#include "agent/base/extern_c.h"

BEGIN_C

/* class_lock_may_hide_end returns whether the current thread blocks on the lock of a class in a JVM
   that may leave out the end. The thread is a virtual thread and about to block on `monitor`. The
   function also returns true for an empty int[] of the program if the interpreter enters it, and
   the first instruction of the synchronized block can initialize a class. HotSpot shows the thread
   at that instruction, not at the monitorenter before it. */
bool class_lock_may_hide_end(jvmtiEnv *ti, JNIEnv *jni, jobject monitor);

END_C
