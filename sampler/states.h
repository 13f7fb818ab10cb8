#pragma once
/* Maps the bits of JVMTI's GetThreadState to the thread states of .samples. */
#include <jvmti.h>

#include "agent/base/extern_c.h"
#include "agent/event/event.h"

BEGIN_C

enum thread_state convert_jvmti_state(jint jvmti_state);

END_C
