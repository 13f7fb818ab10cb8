#pragma once
/* orca report: the summary that a person wants first. */
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define REPORT_TOP 10 /* rows of a table */

/* cmd_report prints the report on the dump that the arguments name. Gives the exit status: 0 done,
   1 the dump is broken somewhere (the report says where), 2 wrong use or no such dump. argv[0] is
   "report". */
int cmd_report(int argc, char **argv);

/* report_dump prints the report on the dump of a prefix, at most `top` rows a table; the same exit
   status. */
int report_dump(const char *prefix, size_t top);

#ifdef __cplusplus
}
#endif
