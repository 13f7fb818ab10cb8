#pragma once
/* orca attach, stop, status, flush: a recording in a JVM that runs already. */

#ifdef __cplusplus
extern "C" {
#endif

/* Each hands the agent in the JVM of process argv[1] a word and prints what it answers; cmd_attach
   brings the agent there first, and starts a recording as argv[2] says (PREFIX[,key=value…]). They
   give the exit status: 0 done, 1 the JVM or the agent refused, 2 wrong use, such as no such
   process or one that is no JVM (said on stderr). argv[0] is the name of the command. */
int cmd_attach(int argc, char **argv);
int cmd_stop(int argc, char **argv);
int cmd_status(int argc, char **argv);
int cmd_flush(int argc, char **argv);

#ifdef __cplusplus
}
#endif
