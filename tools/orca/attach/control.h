#pragma once
/* Sends a command to the agent in a running JVM. The JVM is told to load the agent library, again
   if it is already loaded, and passes the command to it. The agent writes its answer to a file. */
#include "agent/base/bytes.h"
#include "agent/base/extern_c.h"
#include "tools/orca/attach/bounded_wait.h"
#include "tools/orca/attach/library.h"
#include "tools/orca/attach/refusal.h"
#include "tools/orca/attach/target.h"

BEGIN_C

/* All zero is empty; free it with control_free. */
struct control_answer {
  int result;          /* returned by the agent; 0: success */
  struct builder text; /* lines that the agent wrote; may be empty */
};

/* control_ask sends a command ("@stop") to the agent `library` of the process. `arguments`
   ("PREFIX,options") may be NULL. Returns false and sets `why` if the agent was not called. */
bool control_ask(const struct target *t, const struct bounded_wait *w,
                 const struct library *library, const char *command, const char *arguments,
                 struct control_answer *out, struct refusal *why);

void control_free(struct control_answer *answer);

/* --- the file for the reply ------------------------------------------------------------ */

/* It is needed because the JVM returns only a number. The file is in /tmp of the process, belongs
   to its user, and is accessible only to that user. */
struct reply {
  int fd;
  char path[64]; /* as the process sees it */
};

/* reply_open creates the file. Like reply_close it needs the effective user of the target. Returns
   false and sets `why` on an error. */
bool reply_open(struct reply *r, const struct target *t, struct refusal *why);

/* reply_read appends the answer of the agent, at most 64 KiB. */
void reply_read(const struct reply *r, struct builder *b);

/* reply_close removes the file. */
void reply_close(struct reply *r, const struct target *t);

END_C
