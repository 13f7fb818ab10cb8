#pragma once
/* A table as HTML. */
#include "tools/orca/render/table.h"

#ifdef __cplusplus
extern "C" {
#endif

/* table_html appends a <table> with the texts of the columns that have a title. Numbers are cells
   of the class "number". NULL is a table without rows. */
void table_html(struct builder *b, const struct table *t);

#ifdef __cplusplus
}
#endif
