#pragma once
/* The object of a tracked call. The thread that makes the call. */
#include "agent/base/extern_c.h"
#include "agent/track/hooks.h"

BEGIN_C

/* call_set_object sets the object of a call. If the files may lack the definition of the object, it
   also sets its class; if its acquisitions are counted, its key in the lock counts. Returns the
   identity hash of the owner of the lock, or 0. */
uint32_t call_set_object(const struct hooks *h, JNIEnv *jni, const struct tracked *t,
                         jobject object, struct call *call);

/* call_define_object defines the object of a call in the files, before a record names it. */
void call_define_object(const struct hooks *h, const struct call *call);

END_C
