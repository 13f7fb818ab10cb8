#pragma once
/* The full screen of `orca top`, in a terminal. */
#include "agent/base/extern_c.h"
#include "tools/orca/cmd/follow.h"
#include "tools/orca/render/view/top.h"

BEGIN_C

/* top_screen_run shows the recording until the user quits. `window` is in seconds. Returns the exit
   status. */
int top_screen_run(struct follow *f, size_t window);

END_C
