#pragma once
/* orca methods: the calls of the methods that the option track named. */

#ifdef __cplusplus
extern "C" {
#endif

/* cmd_methods prints them. Gives the exit status: 0 done, 1 the dump is broken somewhere, 2 wrong
   use or no such dump. argv[0] is "methods". */
int cmd_methods(int argc, char **argv);

#ifdef __cplusplus
}
#endif
