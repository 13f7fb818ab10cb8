#pragma once
/* Where a thread acquired a monitor that it holds: its stack from the frame that acquired it on. */
#include <jvmti.h>

#include "agent/base/extern_c.h"
#include "agent/inventory/thread_facts.h"
#include "agent/recorder/recorder.h"

BEGIN_C

/* All zero before its first use. */
struct acquisitions {
  struct recorder *recorder;
  bool has_capability; /* can_get_owned_monitor_stack_depth_info: only from the start of the JVM */
  bool is_refused;     /* the JVM refused to open `facts` when that was last tried */
  struct facts facts;  /* without the capability; see acquisitions_open */
};

/* acquisitions_open opens `facts` if it is not open yet. False if the JVM refuses. */
bool acquisitions_open(struct acquisitions *a, JNIEnv *jni);

/* acquisition_find asks the JVM for the stack of `owner` from the frame on that acquired `monitor`,
   whose hash is `hash`. NULL if the thread does not hold it any more, moves on too fast, or cannot
   be asked. One use of the stack. The other thread stops for some microseconds; in a JVM before 25
   to which Orca attached, all threads do. The thread of the owner watch. */
struct stack *acquisition_find(struct acquisitions *a, jvmtiEnv *ti, JNIEnv *jni, jthread owner,
                               jobject monitor, uint32_t hash);

END_C
