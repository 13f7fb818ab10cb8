#pragma once
/* The data that Orca keeps for each living Java thread, platform or virtual.
   - The thread itself finds its context in JVMTI's thread-local storage, which follows a virtual
     thread from carrier to carrier; a platform thread also in a variable of its own.
   - Other threads find it in the registry, by the hash of the thread.
   - The thread that starts a recording makes the contexts of the threads that already run. Each of
     them adopts its context at its first event.
   Whenever a context is made, ThreadStarted is recorded in the same step. So each thread is
   announced exactly once in a recording. */
#include <jvmti.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "agent/base/extern_c.h"
#include "agent/base/semaphore.h"
#include "agent/recorder/recorder.h"
#include "agent/thread/calls.h"
#include "agent/thread/registry.h"
#include "agent/thread/virtual_contexts.h"
#include "agent/thread/young.h"

BEGIN_C

struct context {
  struct context *next_free;
  struct context *next_registered; /* under the lock of the registry */
  bool is_adopted;                 /* it is in the thread's local storage; under the same lock */
  bool is_registered;              /* it is in the registry */
  uint64_t begun_ns;               /* when it was made; atomic: the owner watch reads it */

  uint32_t thread; /* hash of the thread, as in the files */
  bool is_virtual;
  bool is_carrier;    /* it runs virtual threads */
  unsigned lane;      /* of the queue */
  uint32_t recording; /* in which the thread was last announced; atomic */

  struct calls calls; /* the tracked calls that the thread is in */
  unsigned missed;    /* calls for which `calls` had no room, and that have not exited */

  struct young young;
  int32_t long_row; /* one more than the row of the last long call that the watch has recorded; its
                       calls are no young ones until one is short; 0: none */
  uint32_t random;  /* of walker_checks */
  jweak self; /* the thread, for the watch of young calls; NULL: it has had none. Under `making` if
                 the context is registered */

  /* Between the two events of a contention: the monitor on which the thread blocks. The first two
     are atomic. */
  bool blocking;
  uint32_t monitor;
  uint32_t blocked_in; /* the recording that contains the first event */
  struct stack *blocked_stack;
  struct blocked *blocked;

  /* The last monitor that the thread got after it had blocked, and when. Atomic: the owner watch
     reads them. */
  uint32_t entered;
  uint64_t entered_ns;
};

/* A recording starts at most eight. Those of earlier recordings may still be ending. */
#define MAX_OWN_THREADS 64

struct threads {
  struct recorder *recorder;
  struct semaphore making;  /* a bounded_lock: at most one context per thread */
  struct registry registry; /* of the threads that other threads look for: registry.h */
  struct virtual_contexts virtual_contexts;
  bool has_virtual_contexts;    /* another thread has announced a virtual thread; atomic */
  bool has_virtual_threads;     /* see threads_has_virtual; atomic */
  struct semaphore own_lock;    /* a bounded_lock: of the two below; nothing is locked inside it */
  jobject own[MAX_OWN_THREADS]; /* global references: Orca's own threads, which have no context */
  unsigned num_own;   /* those that the JVM still runs, and perhaps some that have ended */
  unsigned next_lane; /* atomic */
  size_t num_made;    /* contexts; atomic */
  pthread_mutex_t pool;
  struct context *unused; /* under `pool`. A context is reused but never freed, because another
                             thread may still read it */
};

void threads_init(struct threads *t, struct recorder *recorder);

struct table_size threads_size(const struct threads *t);

/* threads_hide makes a thread one of Orca's own, before that thread starts. It stays so until the
   JVM has ended it, which is later than the end of its function: a recording may begin in between.
   Forgets the own threads that have ended. False if there are too many, or without memory. Only the
   thread that starts or stops a recording calls it. */
bool threads_hide(struct threads *t, JNIEnv *jni, jthread thread);

/* threads_forget_ended forgets Orca's own threads that have ended. Those that have not remain until
   the next call. Same caller. */
void threads_forget_ended(struct threads *t, JNIEnv *jni);

/* threads_is_own returns whether `thread` is one of Orca's own. Any thread. */
bool threads_is_own(struct threads *t, JNIEnv *jni, jthread thread);

/* context_here returns the context of the current thread. It makes the context at the first call.
   NULL while recording is off, and for a thread that is not recorded: one of Orca's own, or one
   that has ended. Live phase. */
struct context *context_here(struct threads *t, jvmtiEnv *ti, JNIEnv *jni);

/* context_begin_virtual makes the context of the current thread, a virtual one that starts: no
   other thread can have made one for it. NULL as for context_here. Live phase. */
struct context *context_begin_virtual(struct threads *t, jvmtiEnv *ti, JNIEnv *jni, jthread thread);

enum ownership {
  OWNERSHIP_NONE,  /* the thread is not the owner, or not certainly */
  OWNERSHIP_NOW,   /* it may own the monitor for a shorter time only */
  OWNERSHIP_SINCE, /* it may own the monitor since that time */
};

/* context_check_owner returns whether `thread`, of which the JVM says that it owns `monitor` now,
   may have owned it since `since_ns`. OWNERSHIP_SINCE if it had a context then, or began before the
   recording, and has not blocked on the monitor and got it since. OWNERSHIP_NONE for:
   - a thread that has got the monitor, but not yet its MonitorContendedEntered,
   - a carrier, because JDK 25 returns the carrier as the owner while a virtual thread that owns the
     monitor is being mounted or unmounted,
   - a platform thread that is not recorded,
   - two threads with the same hash.
   Announces a virtual thread that the recording does not know yet. The thread that starts a
   recording, and Orca's own threads; with owners=all any thread. */
enum ownership context_check_owner(struct threads *t, jvmtiEnv *ti, JNIEnv *jni, jthread thread,
                                   uint32_t monitor, uint64_t since_ns);

/* threads_has_virtual returns whether the program has, or has had, virtual threads, as far as Orca
   knows. threads_note_virtual notes that it has, or may have. Any thread. */
bool threads_has_virtual(const struct threads *t);
void threads_note_virtual(struct threads *t);

/* threads_have_room returns whether enough of the current thread's stack is left for a hook
   (base/os_thread.h). If not, it counts the hook as skipped, and the hook must do nothing. */
bool threads_have_room(struct threads *t);

/* context_known returns the context of the current thread if it has adopted one, also while
   recording is off. Never makes one. */
struct context *context_known(const struct threads *t, jvmtiEnv *ti, JNIEnv *jni);

/* context_announce_all makes the contexts of all living platform threads that have none, and
   records their ThreadStarted. The thread that starts a recording calls it twice: before it enables
   the JVMTI events, and after that for the threads that started in between. */
void context_announce_all(struct threads *t, jvmtiEnv *ti, JNIEnv *jni);

/* What the records of another thread need. */
struct context_place {
  uint32_t thread; /* its hash */
  unsigned lane;
};

/* context_announce makes the context of another living thread, platform or virtual, if it has none,
   and records its ThreadStarted if that is not in the recording yet. False if the thread is not
   recorded: it has ended, or is one of Orca's own. A virtual thread that has announced itself in
   this recording is announced again, as its context cannot be found. The thread that starts a
   recording, and Orca's own threads. */
bool context_announce(struct threads *t, jvmtiEnv *ti, JNIEnv *jni, jthread thread,
                      struct context_place *out);

/* context_keep_self makes sure that the watch of young calls can ask the JVM about the current
   thread, whose context is `c`. False if it cannot. */
bool context_keep_self(struct threads *t, jvmtiEnv *ti, JNIEnv *jni, struct context *c);

/* context_begin_blocking notes that another thread, which context_announce has announced, is
   blocked on a monitor, and that the recording contains the event for it. The event for its end
   will have `stack`, of which the context takes one use. False, and takes nothing, if the thread
   has ended. Call it before the JVM reports contended monitors. */
bool context_begin_blocking(struct threads *t, uint32_t thread, uint32_t monitor,
                            struct stack *stack);

/* context_end: the current thread ends. Records ThreadEnded; later events of the thread are not
   recorded. Frees the context, so it must be called even while recording is off. */
void context_end(struct threads *t, jvmtiEnv *ti, JNIEnv *jni);

END_C
