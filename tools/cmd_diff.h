#pragma once
/* `orca diff`: what changed from one run to another. */

#ifdef __cplusplus
extern "C" {
#endif

/* cmd_diff runs the command; argv[0] is its name. Gives the exit status: 0 done, 1 the files are
   broken somewhere, 2 wrong use or no such dump. */
int cmd_diff(int argc, char **argv);

#ifdef __cplusplus
}
#endif
