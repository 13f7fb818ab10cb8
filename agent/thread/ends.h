#pragma once
/* Keeps threads from ending while another thread asks the JVM about them. HotSpot frees the
   JavaThread of a thread that ends. Before JDK 10 (JDK-8167108) it does so even while
   GetThreadState, GetStackTrace, GetFrameCount, GetThreadCpuTime or GetOwnedMonitorStackDepthInfo
   uses it in another thread. These lock a mutex in the freed memory, so the JVM hangs or crashes.
   GetAllThreads, GetAllStackTraces, GetObjectMonitorUsage and GetThreadInfo are safe.

   So ThreadEnd, which comes before the JavaThread is freed, waits here until no question is open,
   and nobody asks about a thread after its ThreadEnd. Later JVMs need nothing of this. */
#include <jvmti.h>
#include <stdbool.h>
#include <stdint.h>

#include "agent/base/extern_c.h"

BEGIN_C

/* ends_prepare looks whether this JVM needs it. Once, before the other functions. */
void ends_prepare(jvmtiEnv *ti);

/* ends_note notes that the current thread, with this identity hash, ends. It waits until no other
   thread is between ends_hold and ends_release, at most 1 s. For the callback of ThreadEnd. */
void ends_note(uint32_t thread);

/* ends_hold returns whether the caller may ask the JVM about `thread`: it cannot end until
   ends_release. False, and then without ends_release: it has ended, or the lock was not free for
   1 s. It is false, too, for a thread that has the hash of one that ended not long ago. Calls may
   be nested. Between the two, other threads may reach safepoints. Any thread. */
bool ends_hold(jvmtiEnv *ti, jthread thread);
void ends_release(void);

END_C
