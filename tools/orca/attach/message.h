#pragma once
/* The messages of version 1 of HotSpot's attach protocol: the request to load a library with
   options, and its answer. Every HotSpot from JDK 8 on supports this version. */
#include "agent/base/bytes.h"
#include "agent/base/extern_c.h"
#include "tools/orca/attach/refusal.h"

BEGIN_C

#define MESSAGE_ARGUMENT_MAX 1024 /* bytes of a path or of options that a JVM accepts */

/* message_write_load appends the request to load the agent library at an absolute path. Returns
   false and sets `why` if an argument is too long or memory ran out. */
bool message_write_load(struct builder *b, const char *library, const char *options,
                        struct refusal *why);

/* The result of an agent that was called too early: JNI_EDETACHED, which GetEnv returns while the
   JVM is starting. message_read_result also returns it for a JVM that refuses agents at that time.
 */
#define MESSAGE_TOO_EARLY (-2)

/* message_read_result gets the return value of Agent_OnAttach from the complete answer of the JVM.
   Returns false and sets `why` to the JVM's reason if the function was not called. */
bool message_read_result(struct span answer, int *out_result, struct refusal *why);

END_C
