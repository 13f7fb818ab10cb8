#pragma once
/* Words for the I/O that a thread waits for. */
#include "agent/base/extern_c.h"
#include "tools/orca/model/state/stacks.h"

BEGIN_C

/* io_call_words returns what a thread with this stack does, such as "a socket read"; NULL: the
   table io_call.def has none of its methods. */
const char *io_call_words(const struct dump *d, const struct stacks *s, stack_id_t stack);

END_C
