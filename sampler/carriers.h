#pragma once
/* Finds the virtual thread that a carrier thread runs. JVMTI's GetAllStackTraces does not report
   virtual threads. From JDK 21 on, HotSpot has the JVMTI extension GetVirtualThread. */
#include <jvmti.h>
#include <stdbool.h>

#include "agent/base/extern_c.h"

BEGIN_C

/* Initially all zero: carriers_find_mounted then returns NULL for every thread. */
struct carriers {
  jvmtiExtensionFunction get_virtual_thread; /* (env, carrier, &virtual thread); NULL: none */
  jclass carrier_class;     /* CarrierThread, a global reference; NULL: not looked up yet */
  bool has_virtual_threads; /* a virtual thread has started; atomic */
};

/* carriers_init looks up GetVirtualThread. Live phase. */
void carriers_init(struct carriers *c, jvmtiEnv *ti);

/* carriers_note_virtual_thread records that a virtual thread has started. Any thread. */
void carriers_note_virtual_thread(struct carriers *c);

/* carriers_find_mounted returns a local reference to the virtual thread that `thread` runs. Returns
   NULL if `thread` is not a carrier, or runs none. The caller deletes the reference. Sampler's
   thread only. */
jthread carriers_find_mounted(struct carriers *c, jvmtiEnv *ti, JNIEnv *jni, jthread thread);

END_C
