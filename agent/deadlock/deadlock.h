#pragma once
/* Finds threads that block each other in a ring: each waits for a monitor or a lock that the next
   one holds. It asks the JVM about each thread by itself. So a ring is a deadlock only if each of
   its threads was blocked in one call from before the search to after it. Then none of them
   released anything meanwhile. */
#include <jvmti.h>
#include <stddef.h>
#include <stdint.h>

#include "agent/base/extern_c.h"
#include "agent/inventory/thread_facts.h"
#include "agent/record/suspects.h"
#include "agent/thread/agent_thread.h"
#include "agent/thread/context.h"

BEGIN_C

/* What is known about a thread that is blocked. */
struct deadlock_node {
  uint32_t thread; /* its hash */
  uint32_t monitor,
      owner; /* it waits for this monitor, or for a lock of this thread; 0: not known */
  int num_held;
  uint32_t held[FACTS_MAX_HELD]; /* monitors that it holds */
};

/* deadlock_find_ring stores the hashes of the threads of the first ring in `out`, which has room
   for `num` of them. Returns their number, 0 without a ring. Calls nothing. */
size_t deadlock_find_ring(const struct deadlock_node *nodes, size_t num, uint32_t *out);

/* deadlock_search asks the JVM about the threads with these hashes, and stores the threads of a
   ring as deadlock_find_ring does. It runs Java code of the JDK, which may block for good if it
   needs a lock of the deadlock. An agent thread, in the live phase. */
size_t deadlock_search(struct threads *threads, jvmtiEnv *ti, JNIEnv *jni, const uint32_t *suspects,
                       size_t num, uint32_t *out);

/* A thread of Orca's own that looks for deadlocks when the writer asks (trigger=deadlock). It
   sleeps until then. */
struct deadlock_watch {
  struct threads *threads;
  struct suspects suspects; /* the writer's questions */
  void (*answered)(void *); /* called after each answer */
  void *answered_arg;
  struct agent_thread thread;
};

/* deadlock_watch_init sets up a watch that does not run. Call it once. */
void deadlock_watch_init(struct deadlock_watch *w, struct threads *threads,
                         void (*answered)(void *), void *answered_arg);

/* deadlock_watch_start starts the thread. False if the JVM refuses, or if the thread of an earlier
   recording still hangs in a search. VMInit or later. */
bool deadlock_watch_start(struct deadlock_watch *w, jvmtiEnv *ti, JNIEnv *jni);

/* deadlock_watch_stop ends the thread, if it runs. Waits at most a second for its end. */
void deadlock_watch_stop(struct deadlock_watch *w);

END_C
