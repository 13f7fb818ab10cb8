#pragma once
/* Walks the stack of the current thread: by GetStackTrace, or with walk=async by AsyncGetCallTrace,
   which HotSpot exports and nobody specified. That is 2 to 4 times as fast; so a stack that it
   gives is believed only if GetStackTrace gave the same one before. */
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
  jint num_frames; /* 0 or less: no stack, and why */
  struct walker_async_frame *frames;
};

struct walker {
  void (*async)(struct walker_async_trace *, jint depth, void *ucontext); /* NULL: off; atomic */
  uint64_t differed; /* stacks that GetStackTrace gave otherwise; atomic, as the next */
  uint64_t gave_up;  /* and those of which it only gave the beginning */
};

/* walker_start switches the fast walk on, once for each recording: HotSpot walks so only while some
   agent hears of ClassLoad, and names only methods that have a jmethodID. `async` is
   AsyncGetCallTrace, or NULL to look it up. False: this JVM has no such thing. Live phase. */
bool walker_start(struct walker *w, jvmtiEnv *ti, JNIEnv *jni,
                  void (*async)(struct walker_async_trace *, jint depth, void *ucontext));
void walker_stop(struct walker *w, jvmtiEnv *ti);

/* walker_class: the methods of a class that is new get their jmethodIDs. */
void walker_class(const struct walker *w, jvmtiEnv *ti, jclass klass);

/* walker_here puts the stack of the current thread, less `skip` frames on top, into `frames`, at
   most `max`; returns how many. `*out_sure`: the JVM itself vouches for them; else the caller looks
   whether it knows them, and asks walker_surely where it does not. Of a virtual thread
   AsyncGetCallTrace mixes in frames of the carrier, so it always is sure. A thread of the program,
   in a callback or a native. */
jint walker_here(const struct walker *w, jvmtiEnv *ti, JNIEnv *jni, bool is_virtual, jint skip,
                 jint max, jvmtiFrameInfo *frames, bool *out_sure);

/* walker_surely does so by GetStackTrace; 0 frames where the JVM gives none. */
jint walker_surely(jvmtiEnv *ti, jint skip, jint max, jvmtiFrameInfo *frames);

/* walker_differed: a stack was not what walker_surely says. Switches the fast walk off for good,
   and says so once. Any thread. */
void walker_differed(struct walker *w);

#ifdef __cplusplus
}
#endif
