#pragma once
/* The file of a program, before or while a process runs it. */
#include <stdbool.h>
#include <stdlib.h> /* defines __GLIBC__ */

#include "agent/base/extern_c.h"

BEGIN_C

/* The agent was built together with this program, for the same C library. */
#ifdef __GLIBC__
#define ORCA_HAS_GLIBC true
#else
#define ORCA_HAS_GLIBC false
#endif

/* What prevents a JVM from loading the agent: the rest of a sentence about the JVM. */
#define EXECUTABLE_HAS_MUSL "uses musl; the agent needs a JVM that uses glibc"
#define EXECUTABLE_HAS_32_BITS "has 32 bits; the agent needs a JVM that has 64 bits"

/* executable_find_obstacle returns one of these texts for the program `java` in an open file. NULL:
   the file shows no obstacle; it may also be a script. Does not move the offset of `fd`. */
const char *executable_find_obstacle(int fd);

END_C
