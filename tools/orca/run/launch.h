#pragma once
/* How a command gets the agent: by an option behind `java`, or by JAVA_TOOL_OPTIONS for whatever
   JVMs it starts. Nothing here starts anything. */
#include "agent/base/bytes.h"

#ifdef __cplusplus
extern "C" {
#endif

/* launch_find_agent looks for liborca.so where it lies seen from the program `exe`: beside it, in
   ../agent (as Bazel builds it), in ../lib (as it is installed). Appends its path and a NUL. */
bool launch_find_agent(const char *exe, struct builder *out);

/* launch_prefix appends `options` (PREFIX[,key=value…]) with the prefix made absolute in `folder`,
   as the JVM may start in another one. `prefix` is the prefix in `options`, or, where they have
   none, the one to put before them. */
void launch_prefix(struct builder *b, const char *options, const char *prefix, const char *folder);

/* launch_is_java tells whether a command is a java launcher by its name. */
bool launch_is_java(const char *command);

/* launch_argv is `command` with `option` behind its first word. The caller frees the array; the
   strings stay whose they are. NULL: memory ran out. */
char **launch_argv(char **command, char *option);

/* launch_tool_options appends the value for JAVA_TOOL_OPTIONS: `option`, quoted as the JVM reads
   it, and behind it what stood there, `present` or NULL. */
void launch_tool_options(struct builder *b, const char *option, const char *present);

#ifdef __cplusplus
}
#endif
