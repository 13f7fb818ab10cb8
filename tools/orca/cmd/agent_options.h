#pragma once
/* The help on the options of the agent: orca help options. */

#include "agent/base/extern_c.h"

BEGIN_C

/* agent_options_print prints each option with its default, meaning and values. Returns the exit
   status. */
int agent_options_print(void);

END_C
