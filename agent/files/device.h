#pragma once
/* Whether the device of a folder answers. A network file system whose server is away can block each
   call on a path for ever, and a JVM that starts must not hang for it. */
#include <stdbool.h>
#include <stdint.h>

#include "agent/base/extern_c.h"

BEGIN_C

/* device_answers asks the device that holds the folder of `path`, in a thread of its own. It
   returns whether there was an answer, a good or a bad one, within `limit_ns`; true if there is no
   thread to ask with. If there is none, the thread remains until the device answers. Any thread. */
bool device_answers(const char *path, uint64_t limit_ns);

END_C
