#pragma once
/* Maps the kernel's threads to Java threads: tid -> hash. Platform threads only.
   - A thread that starts during the recording enters itself.
   - A thread that was running before is entered by the CPU sampler, which reads its tid from the
     JVM's memory, or found by its CPU clock (tids_living.c). */
#include <jvmti.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "agent/base/extern_c.h"
#include "agent/base/hashmap.h"
#include "agent/base/task.h"
#include "agent/thread/context.h"

BEGIN_C

#define TIDS_MAX_UNKNOWN 64

struct tids_ended; /* a thread that ended, and how long it had waited for a CPU */

struct tids {
  pthread_mutex_t lock;
  bool open;             /* entries are kept, because the sampler reads them; atomic */
  struct hashmap java;   /* under lock: tid -> hash; 0: not a Java thread any more */
  struct hashmap native; /* under lock: tid -> its CPU time in ns when it detached, plus 1 */

  struct tids_ended *ended; /* under lock: a list */
  unsigned num_ended;       /* under lock */

  /* Names of running Java threads that tids_find_living could not find. Only the thread that calls
     tids_find_living uses them. */
  struct task_names unknown[TIDS_MAX_UNKNOWN];
  unsigned num_unknown;
};

void tids_init(struct tids *t);

/* tids_open makes the map keep entries. tids_close forgets them all, and new ones are ignored. */
void tids_open(struct tids *t);
void tids_close(struct tids *t);

/* tids_begin enters the current thread as the Java thread with this hash. tids_end makes it a
   native thread: it ends, or detaches from the JVM and goes on. Any thread. */
void tids_begin(struct tids *t, uint32_t thread);
void tids_end(struct tids *t);

/* tids_take_ended calls `tell` for each Java thread that ended since the last call, and forgets it.
   The first that ended comes first: a kernel thread can be two Java threads in turn, as main and
   DestroyJavaVM. `wait_ns`: how long the kernel thread had waited for a CPU in its life. `tell` may
   be NULL. The sampler's thread. */
void tids_take_ended(struct tids *t,
                     void (*tell)(void *arg, uint32_t tid, uint32_t thread, int64_t wait_ns),
                     void *arg);

/* tids_put enters another thread, which is alive. Any thread. */
void tids_put(struct tids *t, uint32_t tid, uint32_t thread);

/* tids_get returns the hash of a Java thread; 0 for other threads. `*out_native_ns` is the CPU time
   that the thread had used when it detached from the JVM; 0 if it never did. Any thread. */
uint32_t tids_get(struct tids *t, uint32_t tid, int64_t *out_native_ns);

/* tids_sweep forgets the threads for which `lives` returns false. Any thread. */
void tids_sweep(struct tids *t, bool (*lives)(const void *arg, uint32_t tid), const void *arg);

/* tids_find_living enters the running Java threads that are not entered yet. It matches a Java
   thread with the task whose CPU clock shows the CPU time that the JVM returns for the thread. A
   thread that it cannot identify becomes `unknown`; a later call may find it. Live phase, a thread
   of Orca's own. */
void tids_find_living(struct tids *t, struct threads *threads, jvmtiEnv *ti, JNIEnv *jni);

/* tids_is_unknown returns whether a task with this name may be an `unknown` Java thread. */
bool tids_is_unknown(const struct tids *t, const char *name);

END_C
