#pragma once
/* Finds the tracked calls that a thread is in by its stack, with the same rules as the hooks.
   Inside of a tracked call, calls by code of the JDK are not recorded, but calls by code of the
   program are. */
#include <jvmti.h>

#include "agent/base/extern_c.h"
#include "agent/base/hashmap.h"
#include "agent/options/options.h"
#include "agent/tracked/tracked.h"

BEGIN_C

#define OPEN_CALLS_MAX 8 /* of one thread; calls inside of these are left out */

struct open_call {
  enum event_kind kind; /* of the begin event */
  int depth;            /* of its frame; 0: the top frame */
};

/* Caches what a method is, since the threads of a pool have the same frames. All zero is empty;
   open_calls_free frees it. One thread, attached to the JVM. */
struct open_calls {
  const struct options *options;
  struct hashmap methods;
};

/* open_calls_find returns the number of calls in the stack, the outermost first. */
int open_calls_find(struct open_calls *o, jvmtiEnv *ti, JNIEnv *jni, const jvmtiFrameInfo *frames,
                    int num_frames, struct open_call out[OPEN_CALLS_MAX]);

void open_calls_free(struct open_calls *o);

END_C
