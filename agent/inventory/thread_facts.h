#pragma once
/* What the JVM says about a thread that waits: the monitor or lock that it waits for, and the
   monitors that it holds. The answers come from Orca's Java class OrcaInventory (java/). One thread
   at a time, attached to the JVM, in the live phase. */
#include <jvmti.h>
#include <stdbool.h>
#include <stdint.h>

#include "agent/base/extern_c.h"
#include "agent/meta/meta.h"

BEGIN_C

#define FACTS_MAX_HELD 64 /* of more monitors, only so many are returned */

struct held_monitor {
  uint32_t object; /* identity hash, defined in the files */
  int depth; /* of the frame that acquired it, among the frames of the caller; -1: not known */
};

/* All hashes are identity hashes of objects that are defined in the files; 0: none. */
struct thread_facts {
  uint32_t monitor; /* that the thread is blocked on, or waits on in Object.wait */
  uint32_t blocker; /* LockSupport.getBlocker: a lock, or a part of one */
  uint32_t owner;   /* the thread that owns `blocker`, if a thread can own it */
  int num_held;
  struct held_monitor held[FACTS_MAX_HELD];
};

/* All zero before facts_open. */
struct facts {
  struct meta *meta;
  jclass klass; /* OrcaInventory; a global reference; NULL: not open */
  jmethodID read, find_virtual_threads;
  jfieldID hashes, classes, names, depths, methods, blocker, owner;
  bool without_monitors; /* to ask for them would call code of the program */
};

/* facts_open defines OrcaInventory in the JVM and looks up what it needs. False if the JVM refuses.
   facts_close ends it; it may be opened again. */
bool facts_open(struct facts *f, struct meta *meta, JNIEnv *jni);
void facts_close(struct facts *f, JNIEnv *jni);

/* facts_check_threads looks whether to ask for monitors would call code of the program: before JDK
   19, ThreadMXBean calls Thread.getId, which a class of a thread may override. If so, facts_read
   does not ask for them. Returns false then. */
bool facts_check_threads(struct facts *f, jvmtiEnv *ti, JNIEnv *jni);

/* facts_know_virtual returns whether this JVM tells for which monitors virtual threads wait, and
   which they hold: from JDK 25 on. Before, ThreadMXBean knows platform threads only, and the
   references that JVMTI returns about a virtual thread are not valid in the thread that asked (seen
   on 21). */
bool facts_know_virtual(jvmtiEnv *ti);

/* facts_find_virtual_threads returns an array of at most `max` virtual threads, a local reference;
   NULL if there are none. Runs Java code of the JDK. */
jobjectArray facts_find_virtual_threads(const struct facts *f, JNIEnv *jni, int max);

/* facts_read asks the JVM about `thread`, whose stack is `frames`. Without `with_monitors` it sets
   only `blocker` and `owner`, which stops no thread, as after facts_check_threads returned false.
   Otherwise `thread` stops for some
   microseconds, or all threads do before JDK 25. False if the JVM gives no answer, for example
   because the thread has ended. */
bool facts_read(const struct facts *f, jvmtiEnv *ti, JNIEnv *jni, jthread thread,
                const jvmtiFrameInfo *frames, int num_frames, bool with_monitors,
                struct thread_facts *out);

END_C
