#pragma once
/* The file for the answer of the agent. It is needed because the JVM returns only a number. The
   file is in /tmp of the process, belongs to its user, and is accessible only to that user. */
#include "agent/base/bytes.h"
#include "agent/base/extern_c.h"
#include "tools/orca/attach/refusal.h"
#include "tools/orca/attach/target.h"

BEGIN_C

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
