#pragma once
/* What Orca keeps of each living Java thread, a virtual one too. The thread itself finds its
   context in JVMTI's thread-local storage, which follows a virtual thread from carrier to carrier.
   Other threads find it in the registry, by the hash of the thread. The starting thread makes the
   contexts of the threads that run already; each of them adopts its own at its first event. Making
   the context of a thread and recording its ThreadStarted are one act, so that each thread is
   announced exactly once. */
#include <jvmti.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "agent/recorder/recorder.h"
#include "agent/thread/calls.h"
#include "agent/thread/registry.h"

#ifdef __cplusplus
extern "C" {
#endif

struct context {
  struct context *next_free;
  struct context *next_registered; /* under the lock of the registry */
  bool is_adopted;                 /* the thread has it in its local storage; under that lock */
  uint64_t begun_ns;               /* when it was made; atomic: the watch of owners reads it */

  uint32_t thread; /* its hash, as in the files */
  bool is_virtual;
  bool is_carrier;    /* it runs virtual threads */
  unsigned lane;      /* of the queue */
  uint32_t recording; /* in which it was last announced; atomic */

  struct calls calls; /* the tracked ones that it is in */
  unsigned missed;    /* calls that found no room there, and have not left */

  /* The monitor it blocks on, between the two events of a contention; these two are atomic. */
  bool blocking;
  uint32_t monitor;
  uint32_t blocked_in; /* the recording that has the first of the two */
  struct stack *blocked_stack;
  struct blocked *blocked;

  /* The last monitor that it got after it had blocked, and when; atomic, as begun_ns. */
  uint32_t entered;
  uint64_t entered_ns;
};

#define MAX_OWN_THREADS 4

struct threads {
  struct recorder *recorder;
  pthread_mutex_t making;       /* bounded_lock: one context a thread */
  struct registry registry;     /* of platform threads */
  jobject own[MAX_OWN_THREADS]; /* global references: Orca's own threads, which have no context */
  unsigned num_own;
  unsigned next_lane; /* atomic */
  uint64_t skipped;   /* hooks that found too little of the stack left; atomic */
  pthread_mutex_t pool;
  struct context
      *unused; /* under pool: what was a context once stays one, for who looks too late */
};

void threads_init(struct threads *t, struct recorder *recorder);

/* threads_hide makes a thread that is not started yet one of Orca's own. False when there are too
   many. Start-up only. */
bool threads_hide(struct threads *t, JNIEnv *jni, jthread thread);

/* threads_unhide_all: all of Orca's own threads have ended. */
void threads_unhide_all(struct threads *t, JNIEnv *jni);
bool threads_is_own(const struct threads *t, JNIEnv *jni, jthread thread);

/* context_here: the current thread's context, made at first sight; NULL for a thread that is not
   recorded (Orca's own, one that has ended). Live phase. */
struct context *context_here(struct threads *t, jvmtiEnv *ti, JNIEnv *jni);

/* context_had_monitor tells whether `thread`, which holds `monitor` now, may have held it already
   at `since_ns`: it was there, and has not waited for the monitor and got it since. Never of a
   carrier: while a virtual thread comes or goes, JDK 25 takes its carrier for the owner of what it
   holds. False of a virtual thread, and of two threads that have the same hash. */
bool context_had_monitor(struct threads *t, jvmtiEnv *ti, jthread thread, uint32_t monitor,
                         uint64_t since_ns);

/* context_has_ended tells whether the platform thread `thread` has come to its context_end. */
bool context_has_ended(struct threads *t, jvmtiEnv *ti, jthread thread);

/* threads_have_room tells whether enough of the current thread's stack is left for a hook
   (base/os_thread.h). Where it is not, the hook is counted as skipped and records nothing. */
bool threads_have_room(struct threads *t);

/* context_known: the current thread's context if it has one and has adopted it, whether anything is
   recorded now or not. */
struct context *context_known(jvmtiEnv *ti);

/* context_announce_all makes the contexts of all platform threads that live and have none, so that
   they stand in the files as started. Called at the start, by the thread that starts Orca: once
   before events are switched on, and once after for what began in between. */
void context_announce_all(struct threads *t, jvmtiEnv *ti, JNIEnv *jni);

/* context_end: the current thread ends. Records ThreadEnded; later events of it are not recorded.
   Has to be called whether anything is recorded or not, since it frees the context. */
void context_end(struct threads *t, jvmtiEnv *ti, JNIEnv *jni);

#ifdef __cplusplus
}
#endif
