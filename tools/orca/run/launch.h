#pragma once
/* Prepares a command to run with the agent: `java` gets an option after its name, and the JVMs of
   other commands get JAVA_TOOL_OPTIONS. No function here starts a process. */
#include "agent/base/bytes.h"
#include "agent/base/extern_c.h"

BEGIN_C

/* launch_find_agent looks for liborca.so relative to the folder of the program `exe`: in
   ../../agent (a Bazel build), in the folder itself, in ../lib (an installation). If the file
   exists, it appends the path and a NUL and returns true. */
bool launch_find_agent(const char *exe, struct builder *out);

/* launch_is_started_by_user returns whether `bazel run` has started the program `exe` itself, in
   its own runfiles, "EXE.runfiles/WORKSPACE", and not with --run_under, in the runfiles of the
   command. `here` is the working directory. */
bool launch_is_started_by_user(const char *exe, const char *here);

/* launch_prefix appends `options` (PREFIX[,key=value…]) with the prefix made absolute in `folder`,
   because the JVM may start in another folder. `prefix` is the prefix in `options`, or a default
   that is put before options without a prefix. */
void launch_prefix(struct builder *b, const char *options, const char *prefix, const char *folder);

/* launch_is_java returns whether the name of a command is that of the java launcher. */
bool launch_is_java(const char *command);

/* launch_open_command opens the file of a command, which it looks up as posix_spawnp does in the
   working directory `folder`; NULL: the current one. Returns -1 if there is none, or it cannot be
   read. */
int launch_open_command(const char *command, const char *folder);

/* launch_argv returns `command` with `option` inserted after its first word. The caller frees the
   array, but not the strings. Returns NULL if memory ran out. */
char **launch_argv(char **command, char *option);

/* launch_tool_options appends a value for JAVA_TOOL_OPTIONS: `option`, quoted for the JVM, and the
   current value `present`, which may be NULL. */
void launch_tool_options(struct builder *b, const char *option, const char *present);

/* launch_set_environment sets the variables that the agent reads in the JVMs of a run:
   - ORCA_RUN: `run`, a text that no other run has. PREFIX can be taken only once in a run.
   - JAVA_TOOL_OPTIONS: the value of launch_tool_options. If the command itself is a JVM
     (`is_java`), it is in ORCA_RUN_TOOL_OPTIONS instead, and the agent passes it on to the JVMs
     that this JVM starts.
   - ORCA_RUN_STANDARD, if `is_standard`: the options of the agent in `option`. The user chose none
     of them, so a JVM with an agent on its own command line is left to that one.
   Returns false if memory ran out. */
bool launch_set_environment(const char *run, const char *option, bool is_java, bool is_standard);

/* launch_quote appends a word as a shell takes it: in quotes if it contains special characters. */
void launch_quote(struct builder *b, const char *word);

END_C
