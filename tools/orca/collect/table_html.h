#pragma once
/* A table as HTML. */
#include "agent/base/extern_c.h"
#include "tools/orca/render/table.h"

BEGIN_C

/* table_html appends a <table> with the texts of the columns that have a title. Numbers are cells
   of the class "number". NULL is a table without rows. */
void table_html(struct builder *b, const struct table *t);

END_C
