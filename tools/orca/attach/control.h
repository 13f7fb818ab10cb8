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

END_C
