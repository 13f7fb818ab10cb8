#pragma once
/* What edits would gain, as sentences, JSON or CSV. */
#include "agent/base/extern_c.h"
#include "tools/orca/causal/whatif/plan.h"
#include "tools/orca/render/view/view.h"

BEGIN_C

struct view_whatif {
  const struct whatif *whatif;
  const struct edit *edits; /* that the user asks for, all at once */
  size_t num_edits;
  const struct prediction *prediction; /* of these; NULL: there is a refusal, or a plan */
  const struct plan *plan;             /* NULL: none was asked for */
};

/* view_whatif writes the prediction, the plan, or why there is none. */
void view_whatif(struct page *p, const struct view_whatif *v);

END_C
