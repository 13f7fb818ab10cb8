#pragma once
/* How many calls of other threads a thread that is parked waits for: of a CountDownLatch and of a
   Phaser. The fields of the object tell so, also if other events are missing. */
#include <jvmti.h>

#include "agent/base/extern_c.h"
#include "agent/event/event.h"

BEGIN_C

/* missing_parties_find_field returns the field that parked threads have for the object on which
   they are parked; NULL: not known. */
jfieldID missing_parties_find_field(JNIEnv *jni);

/* missing_parties_read reads what a thread waits for. `blocker` is the field. Returns the event
   that tells so; NUM_EVENTS: the thread does not wait for a latch or a phaser. Any thread that is
   attached to the JVM. */
enum event_kind missing_parties_read(jvmtiEnv *ti, JNIEnv *jni, jthread thread, jfieldID blocker,
                                     struct missing_parties *out);

END_C
