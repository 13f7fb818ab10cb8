#pragma once
/* Which JVM may write a prefix. Each recording holds a lock on PREFIX.info while it is written. The
   JVMs of one `orca run` also get the same prefix, at the same time or one after another. They find
   each other's recordings by the key `run` of .info. */
#include "agent/base/extern_c.h"
#include "agent/writer/dump_file.h"

BEGIN_C

/* claim_info opens and locks PREFIX.info and does not change it. With a `run`, it fails if PREFIX
   is already a recording of that run, finished or not. False with errno; EWOULDBLOCK if another JVM
   has the prefix. dump_file_close must be called in both cases. */
bool claim_info(struct dump_file *info, const char *prefix, const char *run);

END_C
