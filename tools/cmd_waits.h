#pragma once
/* orca waits: who waited for what, and who woke whom. */

#ifdef __cplusplus
extern "C" {
#endif

/* cmd_waits prints it for the dump that the arguments name; the exit status of view_command. */
int cmd_waits(int argc, char **argv);

#ifdef __cplusplus
}
#endif
