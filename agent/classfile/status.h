#pragma once
/* The results of the rewriter. */

#include "agent/base/extern_c.h"

BEGIN_C

enum weave_status {
#define STATUS(name, text) WEAVE_##name,
#include "agent/classfile/status.def"
#undef STATUS
  NUM_WEAVE_STATUSES
};

/* weave_status_text returns the status as a clause: "the code would grow over 65,535 bytes". The
   string is static. */
const char *weave_status_text(enum weave_status status);

END_C
