#pragma once
/* The watch of young calls (agent/thread/young.h), a thread of Orca's own. It looks at all threads
   ten times a second, less often if there are very many, and records the begin of each young call
   that has lasted for the threshold.
   So the files show such a call while it lasts, also if the process is killed.

   recorder.decided_ns tells the writer up to which time nothing can be missing any more. Each call
   that began before has been recorded, or has ended and will not be. */
#include <jvmti.h>
#include <stdbool.h>
#include <stdint.h>

#include "agent/base/extern_c.h"
#include "agent/thread/agent_thread.h"

BEGIN_C

/* With a longer threshold no call is young: the writer would have to hold back everything for so
   long. */
#define YOUNG_LONGEST_NS (1000 * UINT64_C(1000000))

struct young_watch {
  struct threads *threads;
  jmethodID *methods;       /* of the rows of tracked.def; NULL: not known. Atomic */
  struct semaphore looking; /* a bounded_lock: one look at a time */
  struct agent_thread thread;
  bool defers; /* calls may be young now; atomic */
};

/* young_watch_init returns false without memory. Call it once. */
bool young_watch_init(struct young_watch *w, struct threads *threads);

/* young_watch_add_method tells the method of a row of tracked.def. Calls of the row are never young
   before. Any thread. */
void young_watch_add_method(struct young_watch *w, int row, jmethodID method);

/* young_watch_follow starts the watch if the option `threshold` asks for it and it does not run
   yet. Without the thread, no call is young. Live phase; the thread that starts or changes a
   recording. */
void young_watch_follow(struct young_watch *w, jvmtiEnv *ti, JNIEnv *jni);

/* young_watch_stop records the begins of all young calls and ends the watch, if it runs. It waits
   at most a second for its end. Live phase; the thread that stops a recording. */
void young_watch_stop(struct young_watch *w, jvmtiEnv *ti, JNIEnv *jni);

/* young_watch_record_all records the begins of all young calls, however young. Any thread, attached
   to the JVM, that holds no lock. */
void young_watch_record_all(struct young_watch *w, jvmtiEnv *ti, JNIEnv *jni);

/* young_watch_method returns the method of a row if its calls may be young now, else NULL. Any
   thread. */
static inline jmethodID young_watch_method(const struct young_watch *w, int row) {
  if (w == NULL || !__atomic_load_n(&w->defers, __ATOMIC_RELAXED)) return NULL;
  return __atomic_load_n(&w->methods[row], __ATOMIC_RELAXED);
}

END_C
