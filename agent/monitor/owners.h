#pragma once
/* The owners of monitors that threads block on. A query to the JVM stops all threads for a moment.
   So by default (owners=late) only threads that have blocked for a while are handled, by a thread
   of Orca's own, the owner watch. All its queries together take a small share of the time. */
#include <jvmti.h>
#include <stdbool.h>
#include <stdint.h>

#include "agent/base/extern_c.h"
#include "agent/monitor/acquisition.h"
#include "agent/record/blocked.h"
#include "agent/thread/agent_thread.h"

BEGIN_C

/* The watch queries the owner if a thread blocks for longer than this. */
#define OWNERS_LATE_NS (5 * NS_PER_MS)

/* The writer holds each record for this long, so that the answer of the watch still gets into the
   line. */
#define OWNERS_HOLD_NS (25 * NS_PER_MS)

struct owners {
  struct threads *threads;
  struct blocked_pool *pool; /* for owners=late; NULL before its first use */
  struct watch *watch;       /* the same; never freed */
  struct acquisitions acquisitions;
  struct agent_thread thread; /* runs the watch */
  bool idle;                  /* the watch sleeps until agent_thread_wake; atomic */
  bool is_watched;            /* the watch runs in this recording; set before it begins */
};

void owners_init(struct owners *o, struct threads *threads);

/* owners_start starts the watch if the option is owners=late, or the JVM has virtual threads of
   which it returns none as an owner. False on failure. VMInit or later. */
bool owners_start(struct owners *o, jvmtiEnv *ti, JNIEnv *jni);

/* owners_stop ends the watch, if it runs. Waits at most a second for its end. */
void owners_stop(struct owners *o);

/* owners_request starts the search for the owner of `monitor`, whose hash is `hash`. The current
   thread, whose hash is `thread`, is about to block on it.
   - owners=all: stores the hash of the owner in `*out_owner`, 0 if it is not known. If it may be a
     virtual thread, then goes on as with owners=late; otherwise returns NULL.
   - owners=late: returns the slot in which the watch will store the owner. NULL if there is no free
     slot. */
struct blocked *owners_request(struct owners *o, jvmtiEnv *ti, JNIEnv *jni, jobject monitor,
                               uint32_t thread, uint32_t hash, uint32_t *out_owner);

END_C
