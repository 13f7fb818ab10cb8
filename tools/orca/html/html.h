#pragma once
/* A recording as one page of HTML that needs nothing but a browser. */
#include "tools/orca/model/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/* html_write appends the page on a model that was read. Reads the dump of the model again. False:
   memory ran out. */
bool html_write(struct builder *page, struct model *m);

#ifdef __cplusplus
}
#endif
