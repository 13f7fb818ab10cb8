#pragma once
/* The file that the agent writes its answer into: the JVM itself passes on no more than a number.
   It lies in /tmp of the process, belongs to its user and is open to nobody else. */
#include "agent/base/bytes.h"
#include "tools/orca/attach/refusal.h"
#include "tools/orca/attach/target.h"

#ifdef __cplusplus
extern "C" {
#endif

struct reply {
  int fd;
  char path[64]; /* as the process sees it */
};

/* reply_open makes the file. To be called as the target's user, as reply_close is. */
bool reply_open(struct reply *r, const struct target *t, struct refusal *why);

/* reply_read appends what the agent wrote, at most 64 KiB. */
void reply_read(const struct reply *r, struct builder *b);

/* reply_close removes the file. */
void reply_close(struct reply *r, const struct target *t);

#ifdef __cplusplus
}
#endif
