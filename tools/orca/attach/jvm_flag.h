#pragma once
/* Flags of a running JVM, from the texts that its options come from. The JVM itself is not asked,
   because a JVM that cannot be attached to answers with the stacks of its threads. */
#include "agent/base/extern_c.h"
#include "tools/orca/attach/target.h"

BEGIN_C

/* jvm_flag_is_on returns whether the JVM was started with -XX:+NAME. It reads the variables
   JAVA_TOOL_OPTIONS, JDK_JAVA_OPTIONS and _JAVA_OPTIONS, the command line, and the files that a
   word @FILE or -XX:VMOptionsFile=FILE names there. As in the JVM, the last -XX:+NAME or -XX:-NAME
   counts. `*out_where` receives the place of that one, "JAVA_TOOL_OPTIONS"; "": the command line.
 */
bool jvm_flag_is_on(const struct target *t, const char *name, const char **out_where);

END_C
