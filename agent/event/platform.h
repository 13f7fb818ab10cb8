#pragma once
/* Which classes belong to the JDK, by their names. What the agent cuts off a stack, and what the
   reader calls a place of the program, depend on the same rule. */
#include <stdbool.h>

#include "agent/base/extern_c.h"
#include "agent/base/text.h"

BEGIN_C

/* is_platform_type returns whether a signature is that of a class of the JDK: java., javax., jdk.,
   sun. or com.sun. An array says nothing about the program: true, whatever its elements. */
bool is_platform_type(struct span signature);

END_C
