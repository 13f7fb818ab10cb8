#pragma once
/* Another copy of this library in the same process. A JVM loads two copies, each with static data
   of its own, if it is given two paths: one by JAVA_TOOL_OPTIONS and one on its command line. The
   copy that the JVM calls first is in charge. */
#include <jvmti.h>
#include <limits.h>
#include <stdbool.h>

#include "agent/base/extern_c.h"

BEGIN_C

struct other_agent {
  char path[PATH_MAX];
  jint(JNICALL *attach)(JavaVM *vm, char *options, void *reserved); /* its Agent_OnAttach */
};

/* other_agent_find looks for a copy that is in charge, and returns whether there is one. It leaves
   no trace that the program or its children could see. Any thread. */
bool other_agent_find(struct other_agent *out);

/* orca_is_in_charge is exported, so that copies can ask each other. It returns 1 if this one has
   been set up, otherwise 0. Copies of different versions call it, so it must not change. */
JNIEXPORT jint JNICALL orca_is_in_charge(void);

END_C
