#pragma once
/* Who holds a monitor that a thread blocks on. Asking the JVM stops all threads for a moment, so by
   default only a thread that has blocked for a while is asked for, by a thread of Orca's own, and
   all the asking together takes no more than a small share of the time. */
#include <jvmti.h>
#include <stdbool.h>
#include <stdint.h>

#include "agent/record/blocked.h"
#include "agent/thread/agent_thread.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A thread that still blocks after this is asked for. */
#define OWNERS_LATE_NS (5 * NS_PER_MS)

/* How long a line has to wait in the writer so that the answer finds it. */
#define OWNERS_HOLD_NS (25 * NS_PER_MS)

struct owners {
  struct threads *threads;
  struct blocked_pool *pool;  /* of owners=late */
  struct watch *watch;        /* the same */
  struct agent_thread thread; /* runs it */
  bool idle;                  /* the watch sleeps until it is woken; atomic */
  uint64_t asked;             /* atomic, as the next */
  uint64_t not_asked;         /* blocked for a while, but no slot or no time left to ask */
};

void owners_init(struct owners *o, struct threads *threads);

/* owners_start starts the watch that owners=late needs; false when it cannot. VMInit or later. */
bool owners_start(struct owners *o, jvmtiEnv *ti, JNIEnv *jni);
void owners_stop(struct owners *o);

/* owners_ask: the current thread, whose hash is `thread`, is about to block on `monitor`, whose
   hash is `hash`. With owners=all `*out_owner` becomes the owner's hash; with owners=late the
   result is the slot in which the watch will answer. NULL where nothing is to come. */
struct blocked *owners_ask(struct owners *o, jvmtiEnv *ti, JNIEnv *jni, jobject monitor,
                           uint32_t thread, uint32_t hash, uint32_t *out_owner);

#ifdef __cplusplus
}
#endif
