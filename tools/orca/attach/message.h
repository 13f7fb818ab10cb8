#pragma once
/* What is said through the JVM's socket, in version 1 of the attach protocol: "load this library
   and hand it these options", and what comes back. Every HotSpot from 8 on understands it. */
#include "agent/base/bytes.h"
#include "tools/orca/attach/refusal.h"

#ifdef __cplusplus
extern "C" {
#endif

#define MESSAGE_WORD_MAX 1024 /* bytes that a JVM takes as path or options */

/* message_load appends the request to load the agent library at an absolute path with options. */
bool message_load(struct builder *b, const char *library, const char *options, struct refusal *why);

/* The result that stands for "the JVM is still starting, ask again": JNI_EDETACHED, which is what
   an agent finds itself to be then, where the JVM does not keep it out. */
#define MESSAGE_TOO_EARLY (-2)

/* message_result reads the JVM's whole answer: what the library's Agent_OnAttach returned. False:
   it was not called, for the reason that the JVM gave. */
bool message_result(struct span answer, int *out_result, struct refusal *why);

#ifdef __cplusplus
}
#endif
