#pragma once
/* orca deadlocks: which threads wait for each other for ever, or could. */

#ifdef __cplusplus
extern "C" {
#endif

/* cmd_deadlocks prints it for the dump that the arguments name; the exit status of view_command. */
int cmd_deadlocks(int argc, char **argv);

#ifdef __cplusplus
}
#endif
