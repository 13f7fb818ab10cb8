#pragma once
/* A recording, or a comparison of two, as one HTML file without external resources. */
#include "agent/base/extern_c.h"
#include "tools/orca/model/model.h"

BEGIN_C

/* html_write appends the page of a model. model_read must have filled the model, whose dump is read
   again. False: memory ran out. */
bool html_write(struct builder *page, struct model *m);

/* html_write_comparison appends one page of two models, in the same way. */
bool html_write_comparison(struct builder *page, struct model *before, struct model *after);

END_C
