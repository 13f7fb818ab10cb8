#pragma once
/* orca locks: which locks threads wait for, and what those do who hold them. */

#ifdef __cplusplus
extern "C" {
#endif

/* cmd_locks prints it for the dump that the arguments name; the exit status of view_command. */
int cmd_locks(int argc, char **argv);

#ifdef __cplusplus
}
#endif
