#pragma once
/* Which of the kernel's threads is which Java thread: tid -> hash. Platform threads alone. A thread
   enters itself as it begins; those that lived before are entered by the CPU sampler, which reads
   their number from the JVM, or found by their clocks (tids_living.c). */
#include <jvmti.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "agent/base/hashmap.h"
#include "agent/thread/context.h"

#ifdef __cplusplus
extern "C" {
#endif

#define TIDS_MAX_UNKNOWN 64

struct tids_ended; /* a thread that ended, and how long it waited for a CPU */

struct tids {
  pthread_mutex_t lock;
  bool open;             /* does somebody read it? Atomic */
  struct hashmap java;   /* under lock: tid -> hash; 0: not any more */
  struct hashmap native; /* under lock: tid -> CPU time plus one when it ceased to be Java */

  struct tids_ended *ended; /* under lock: a list */
  unsigned num_ended;       /* under lock */

  /* Names, as the kernel cuts them, of Java threads that lived before and were not found; for the
     one thread that calls tids_find_living. */
  char unknown[TIDS_MAX_UNKNOWN][16];
  unsigned num_unknown;
};

void tids_init(struct tids *t);

/* tids_open: from now on threads are entered, until tids_close, which forgets all. */
void tids_open(struct tids *t);
void tids_close(struct tids *t);

/* tids_begin and tids_end: the current thread begins, or ends, to be the Java thread of this hash.
   A thread that detaches from the JVM lives on as a native one. Any thread. */
void tids_begin(struct tids *t, uint32_t thread);
void tids_end(struct tids *t);

/* tids_take_ended tells each Java thread that ended since the last call, with the time that it had
   waited for a CPU in all its life, and forgets it. NULL: only forgets. The sampler's thread. */
void tids_take_ended(struct tids *t,
                     void (*tell)(void *arg, uint32_t tid, uint32_t thread, int64_t wait_ns),
                     void *arg);

/* tids_put enters another thread that lives. */
void tids_put(struct tids *t, uint32_t tid, uint32_t thread);

/* tids_get gives the hash of a Java thread; 0: none. `*out_native_ns`: the CPU time that the thread
   had used when it ceased to be Java; 0: it never was. Any thread. */
uint32_t tids_get(struct tids *t, uint32_t tid, int64_t *out_native_ns);

/* tids_sweep forgets threads that are gone. Any thread. */
void tids_sweep(struct tids *t, bool (*lives)(const void *arg, uint32_t tid), const void *arg);

/* tids_find_living enters the Java threads that live and are not entered yet. Takes a thread to be
   the task whose CPU clock shows what the JVM tells of the thread. Threads that cannot be told
   apart by it remain `unknown`, and are found at a later call. Live phase, a thread of Orca's own.
 */
void tids_find_living(struct tids *t, struct threads *threads, jvmtiEnv *ti, JNIEnv *jni);

/* tids_is_unknown tells whether a task of this name may be a Java thread that was not found. */
bool tids_is_unknown(const struct tids *t, const char *name);

#ifdef __cplusplus
}
#endif
