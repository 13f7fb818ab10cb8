#pragma once
/* orca threads: what each thread did with its time. */

#ifdef __cplusplus
extern "C" {
#endif

/* cmd_threads prints it for the dump that the arguments name; the exit status of view_command. */
int cmd_threads(int argc, char **argv);

#ifdef __cplusplus
}
#endif
