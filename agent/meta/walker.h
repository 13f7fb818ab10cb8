#pragma once
/* Walks the stack of the current thread. The default is JVMTI's GetStackTrace. With walk=async it
   is AsyncGetCallTrace, which HotSpot exports without a specification. That is 2 to 4 times as
   fast, but may be wrong. So the caller accepts a stack from it only if GetStackTrace returned the
   same stack before. */
#include <jvmti.h>
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One frame and one stack as AsyncGetCallTrace fills them in. */
struct walker_async_frame {
  jint location; /* -3 in a native method */
  jmethodID method;
};
struct walker_async_trace {
  JNIEnv *jni;
  jint num_frames; /* 0 or less: an error code instead of a stack */
  struct walker_async_frame *frames;
};

struct walker {
  void (*async)(struct walker_async_trace *, jint depth, void *ucontext); /* NULL: off; atomic */
};

/* walker_start switches AsyncGetCallTrace on for this recording, and the events that it needs:
   HotSpot supports it only while some agent has ClassLoad enabled, and returns no method without a
   jmethodID. `async`: the function; NULL: look it up. False if the JVM does not export it or
   refuses the events. Live phase. */
bool walker_start(struct walker *w, jvmtiEnv *ti, JNIEnv *jni,
                  void (*async)(struct walker_async_trace *, jint depth, void *ucontext));

/* walker_stop switches AsyncGetCallTrace off. */
void walker_stop(struct walker *w, jvmtiEnv *ti);

/* walker_class makes the JVM create the jmethodIDs of a newly prepared class. Does nothing while
   AsyncGetCallTrace is off. */
void walker_class(const struct walker *w, jvmtiEnv *ti, jclass klass);

/* walker_here stores at most `max` frames of the current thread in `frames`, without the top `skip`
   frames. Returns their number; 0 if the JVM gives no stack. `*out_sure` becomes true if they come
   from GetStackTrace. Otherwise the caller must accept only a stack that it knows, and call
   walker_surely for any other. The frames of a virtual thread always come from GetStackTrace,
   because AsyncGetCallTrace mixes in frames of its carrier. A thread of the program, in a callback
   or a native method. */
jint walker_here(const struct walker *w, jvmtiEnv *ti, JNIEnv *jni, bool is_virtual, jint skip,
                 jint max, jvmtiFrameInfo *frames, bool *out_sure);

/* walker_surely does the same with GetStackTrace. */
jint walker_surely(jvmtiEnv *ti, jint skip, jint max, jvmtiFrameInfo *frames);

/* walker_differed: the caller found a stack that differs from that of walker_surely. Switches
   AsyncGetCallTrace off for the rest of the recording and logs one message. Any thread. */
void walker_differed(struct walker *w);

#ifdef __cplusplus
}
#endif
