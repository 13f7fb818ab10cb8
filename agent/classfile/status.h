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

END_C
