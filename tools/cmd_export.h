#pragma once
/* orca export: a dump in the format of another tool. */

#ifdef __cplusplus
extern "C" {
#endif

/* cmd_export writes the dump that the arguments name in the format that they name, to stdout or a
   file. Gives the exit status: 0 done, 1 the dump is broken somewhere or not all could be written,
   2 wrong use or no such dump. argv[0] is "export". */
int cmd_export(int argc, char **argv);

#ifdef __cplusplus
}
#endif
