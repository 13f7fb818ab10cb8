#pragma once
/* What differs between the two recordings of a page, as one JSON object: that of `orca diff
   --format=json` with at most HTML_DIFF_ROWS rows in each table, and with the stacks of both.
   - "lengths": of both recordings.
   - "stacks": {"methods": [data_method], "nodes": [parent, method, then for each of cpu, wall,
     blocked, waits: time in A, time in B, verdicts, …], "left": frames were left out}. The first
   node is the root. Times contain callees. "verdicts" is the verdict for the same length plus five
   times the verdict for the same total, each as in enum diff_verdict. */
#include "agent/base/extern_c.h"
#include "tools/orca/model/model.h"

BEGIN_C

/* data_comparison appends the object. False: memory ran out. */
bool data_comparison(struct builder *out, const struct model *before, const struct model *after);

END_C
