#pragma once
/* Connects to the attach socket of a JVM, which is in its /tmp. HotSpot opens the socket when it
   gets SIGQUIT and finds a file .attach_pidPID. */
#include "agent/base/extern_c.h"
#include "tools/orca/attach/bounded_wait.h"
#include "tools/orca/attach/refusal.h"
#include "tools/orca/attach/target.h"

BEGIN_C

/* listener_connect connects to the JVM; the caller closes `*out_fd`. The effective user must be
   that of the target (user_become), because the JVM refuses other users. The file .attach_pidPID is
   removed in any case. Returns false and sets `why` on an error. */
bool listener_connect(const struct target *t, const struct bounded_wait *w, int *out_fd,
                      struct refusal *why);

END_C
