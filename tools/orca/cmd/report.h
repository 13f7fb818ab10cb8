#pragma once
/* The text of `orca report`, for the commands that write it into a file. */
#include "agent/base/extern_c.h"
#include "tools/orca/model/model.h"
#include "tools/orca/render/page.h"

BEGIN_C

/* report_append appends what `orca report` prints without options. */
void report_append(struct page *p, struct model *m);

END_C
