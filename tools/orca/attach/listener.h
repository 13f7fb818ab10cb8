#pragma once
/* The JVM's ear: a socket in its /tmp that HotSpot opens when it is asked to. Asking is a file
   .attach_pidPID beside it, and SIGQUIT. */
#include "tools/orca/attach/bounded_wait.h"
#include "tools/orca/attach/refusal.h"
#include "tools/orca/attach/target.h"

#ifdef __cplusplus
extern "C" {
#endif

/* listener_connect gives a connection to the JVM, which the caller closes. To be called as the
   target's user (user.h), for that is whom the JVM listens to. The file is gone again in any
   case. */
bool listener_connect(const struct target *t, const struct bounded_wait *w, int *out_fd,
                      struct refusal *why);

#ifdef __cplusplus
}
#endif
