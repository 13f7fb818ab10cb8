#pragma once
/* The commands of the orca program. argv[0] is the name of the command, its options and arguments
   follow; it prints to stdout, and to stderr what is wrong. */
#ifdef __cplusplus
extern "C" {
#endif

/* cmd_NAME gives the exit status:
     0  done
     1  the files are broken somewhere, nothing matches the filters, the output could not be
        written whole, or the JVM refused
     2  wrong use, or there is no such dump or process
   cmd_run gives that of the command it ran: 128 and the signal where it died of one, 126 where it
   cannot be started, 127 where there is none. */
#define COMMAND(name, help) int cmd_##name(int argc, char **argv);
#include "tools/orca/cmd/commands.def"
#undef COMMAND

/* report_dump is cmd_report without options, on the dump of a prefix. */
int report_dump(const char *prefix);

#ifdef __cplusplus
}
#endif
