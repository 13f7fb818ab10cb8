#pragma once
/* The text of `orca report`, for the commands that write it into a file. */
#include "tools/orca/model/model.h"
#include "tools/orca/render/page.h"

#ifdef __cplusplus
extern "C" {
#endif

/* report_append appends what `orca report` prints without options. */
void report_append(struct page *p, struct model *m);

#ifdef __cplusplus
}
#endif
