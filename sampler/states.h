#pragma once
/* Maps the bits of JVMTI's GetThreadState to the thread states of .samples. */
#include <jvmti.h>

#include "agent/event/event.h"

#ifdef __cplusplus
extern "C" {
#endif

enum thread_state convert_jvmti_state(jint jvmti_state);

#ifdef __cplusplus
}
#endif
