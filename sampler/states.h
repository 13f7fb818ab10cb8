#pragma once
/* From the bits of JVMTI's GetThreadState to the states of the files. */
#include <jvmti.h>

#include "agent/event/event.h"

#ifdef __cplusplus
extern "C" {
#endif

enum thread_state state_of(jint jvmti_state);

#ifdef __cplusplus
}
#endif
