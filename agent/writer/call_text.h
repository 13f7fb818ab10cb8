#pragma once
/* The sentence about a call that has taken too long (trigger `method>500ms`). Only the definitions
   know methods by name: those in memory if there are several sets of files, otherwise those in the
   files, which this module reads again. Writer thread only. */
#include <stddef.h>

#include "agent/base/extern_c.h"
#include "agent/files/output.h"
#include "agent/writer/long_calls.h"

BEGIN_C

/* call_text_write writes the sentence, as text for people, with a NUL. It names the method, or its
   MethodID if the definition cannot be found, and the thread, or its hash. */
void call_text_write(struct output *o, const struct long_call *call, char *out, size_t size);

END_C
