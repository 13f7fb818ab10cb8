#pragma once
/* orca hot: where the time goes, by method, by thread, as a tree of calls. */

#ifdef __cplusplus
extern "C" {
#endif

/* cmd_hot prints it for the dump that the arguments name; the exit status of view_command. */
int cmd_hot(int argc, char **argv);

#ifdef __cplusplus
}
#endif
