#pragma once
/* Which JVM this is: Orca knows HotSpot only. */
#include <jvmti.h>
#include <stdbool.h>
#include <stddef.h>

#include "agent/base/extern_c.h"

BEGIN_C

/* product_is_supported returns whether this JVM is none of product.def. Otherwise `error` contains
   one sentence. A JVM that does not tell its name is supported. May be called in Agent_OnLoad. */
bool product_is_supported(jvmtiEnv *ti, char *error, size_t error_size);

END_C
