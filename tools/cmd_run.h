#pragma once
/* orca run: a command under the agent, and the report on it. */

#ifdef __cplusplus
extern "C" {
#endif

/* cmd_run runs the command of its arguments and then prints the report on what its JVM recorded.
   Gives the exit status of the command, 128 and the signal where it died of one; 2 wrong use or no
   agent, 126 the command cannot be started, 127 there is no such command. argv[0] is "run". */
int cmd_run(int argc, char **argv);

#ifdef __cplusplus
}
#endif
