#pragma once
/* The threads in which HotSpot handles the signals that end a JVM. */
#include <jvmti.h>

#include "agent/base/extern_c.h"

BEGIN_C

/* signal_thread_reason returns why the JVM ends if the calling thread is the one in which it
   handles SIGTERM, SIGINT or SIGHUP: "signal TERM", …; otherwise `other`. For VMDeath: its callback
   runs in the thread that ends the JVM. The result is never freed. */
const char *signal_thread_reason(jvmtiEnv *ti, JNIEnv *jni, const char *other);

END_C
