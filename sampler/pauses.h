#pragma once
/* The time that the JVM stands still for its garbage collector. Fed by two JVMTI events, in whose
   callbacks neither JNI nor JVMTI may be called, and nobody may wait: every thread of the program
   is stopped. So a pause goes straight into the queue of the writer, and is lost where that is
   full. */
#include <stdint.h>

#include "agent/recorder/recorder.h"

#ifdef __cplusplus
extern "C" {
#endif

struct pauses {
  struct recorder *recorder;
  uint64_t begun_ns; /* of the pause that is under way; 0: none. Atomic */
  uint64_t lost;     /* pauses that found no room; atomic */
};

void pauses_init(struct pauses *p, struct recorder *recorder);

/* pauses_begin and pauses_end: the callbacks. From the thread that collects. */
void pauses_begin(struct pauses *p);
void pauses_end(struct pauses *p);

#ifdef __cplusplus
}
#endif
