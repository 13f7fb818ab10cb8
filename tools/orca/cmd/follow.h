#pragma once
/* Follows a recording while a JVM writes it, for commands that show it as it grows. It only reads
   files: the JVM does not notice. */
#include "agent/base/extern_c.h"
#include "tools/orca/cmd/dump_command.h"
#include "tools/orca/live/live.h"

BEGIN_C

enum follow_state {
  FOLLOW_GROWS,
  FOLLOW_ENDED,    /* all of it is read */
  FOLLOW_REPLACED, /* the files are those of another recording, or gone */
  FOLLOW_NO_MEMORY
};

struct follow {
  struct open_dump open;
  struct live live;
  ticks_t lag;     /* lines are in the files so long after their time, at most */
  ticks_t written; /* when a process was last seen to write the files; 0: never */
  enum follow_state state;
};

/* follow_open opens the recording that `name` names: a prefix, or the number of a process that
   writes a recording. `*f` must not move. It waits up to 5 s for a recording that has just begun,
   and refuses one whose .info has no start. On an error it prints a line with the name of the
   command to stderr and returns an exit status; DONE: it is open. */
int follow_open(struct follow *f, const char *command, const char *name);
void follow_close(struct follow *f);

/* follow_step reads what was written since, and returns the state. */
enum follow_state follow_step(struct follow *f);

END_C
