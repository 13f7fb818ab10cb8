#pragma once
/* The commands of the orca program. argv[0] is the name of the command; its options and arguments
   follow. A command prints its result to stdout and its errors to stderr. */
#ifdef __cplusplus
extern "C" {
#endif

/* cmd_NAME returns the exit status:
   - 0: success.
   - 1: a file is broken, nothing matches the filters, the output could not be written completely,
     or the JVM refused.
   - 2: wrong use, or there is no such dump or process.
   - cmd_run: the status of its command; 128 plus the signal number if a signal ended it, 126 if it
     cannot be started, 127 if it does not exist. */
#define COMMAND(name, help) int cmd_##name(int argc, char **argv);
#include "tools/orca/cmd/commands.def"
#undef COMMAND

#ifdef __cplusplus
}
#endif
