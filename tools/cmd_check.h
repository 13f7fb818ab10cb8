#pragma once
/* orca check: are the files of a dump right? */

#ifdef __cplusplus
extern "C" {
#endif

/* cmd_check checks the dump that argv[1] names and says on stdout what is wrong, a line a broken
   rule, or that all is right. Gives the exit status: 0 right, 1 something is wrong, 2 wrong use or
   no such dump (said on stderr). argv[0] is "check". */
int cmd_check(int argc, char **argv);

#ifdef __cplusplus
}
#endif
