#pragma once
/* The inventory: the calls that threads are already in when a recording begins in a running JVM.
   Their begin events happened before, so nobody recorded them. The inventory records them all the
   same, each after an OpenCall event, which says so. It runs before the hooks and the events of
   contended monitors are enabled, so each thread's calls come before its first own event. */
#include <jvmti.h>
#include <stdbool.h>

#include "agent/base/extern_c.h"
#include "agent/inventory/thread_facts.h"
#include "agent/thread/agent_thread.h"

BEGIN_C

struct inventory {
  struct threads *threads;
  struct facts facts;
  struct agent_thread thread; /* runs inventory_record */
  bool is_refused;            /* the JVM does not let Orca ask */
  /* Atomic: what comes first, the end of the search or the end of the starter's patience. */
  enum inventory_state { INVENTORY_SEARCHES, INVENTORY_WRITES, INVENTORY_GIVEN_UP } state;
};

/* inventory_record records the open calls of all threads: OpenCall and the begin event of each, and
   MonitorHeld for each monitor that a thread is blocked on. It takes at most about a second; what
   is left then is counted (inventory.skipped). False if this JVM does not let Orca ask. Live phase,
   while the thread that starts a recording waits. */
bool inventory_record(struct inventory *v, jvmtiEnv *ti, JNIEnv *jni);

/* inventory_run runs inventory_record in a thread of Orca's own and waits for at most 4 s. The
   search runs Java code of the JDK, which may need a lock of the very deadlock that it looks for.
   Then the recording begins without the inventory, one line on stderr says so, and the thread stays
   blocked. False if this JVM does not let Orca ask. The thread that starts a recording, in the live
   phase. */
bool inventory_run(struct inventory *v, jvmtiEnv *ti, JNIEnv *jni);

END_C
