#pragma once
/* The answer of the agent to `orca status`, for people and for programs. */
#include "agent/base/bytes.h"
#include "agent/base/extern_c.h"

BEGIN_C

/* status_put_text appends the answer, lines of key=value after a first line, in groups that fit one
   screen. An answer without such lines is appended as it is. */
void status_put_text(struct builder *b, struct span answer);

/* status_put_json appends the answer as one JSON object and a newline. */
void status_put_json(struct builder *b, struct span answer);

END_C
