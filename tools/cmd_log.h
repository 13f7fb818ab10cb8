#pragma once
/* orca log: every event as a line. */

#ifdef __cplusplus
extern "C" {
#endif

/* cmd_log prints the events of the dump that the arguments name; the exit status of view_command.
 */
int cmd_log(int argc, char **argv);

#ifdef __cplusplus
}
#endif
