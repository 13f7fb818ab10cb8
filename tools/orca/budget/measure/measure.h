#pragma once
/* Takes the figures of a recording from its model: what `orca report`, `orca locks`, `orca waits`
   and `orca deadlocks` say, with keys that other runs have too. */
#include "agent/base/extern_c.h"
#include "tools/orca/budget/figures.h"
#include "tools/orca/model/model.h"

BEGIN_C

/* measure_run fills the empty `*out`, whose name the caller has set. The model has to be complete
   and without a filter; another pass over the dump finds where holders of locks were. It returns
   false when memory ran out; call figures_free either way. */
bool measure_run(struct figures *out, struct model *m);

END_C
