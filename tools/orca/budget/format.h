#pragma once
/* A verdict for people and machines. Each function appends a whole file, or for people a page, to a
   builder. `file` is the name of the file of budgets. */
#include "agent/base/extern_c.h"
#include "tools/orca/budget/verdict.h"

BEGIN_C

/* format_text: what is broken, with the figures of each run, the details and the next command; then
   what is not proven, and one line that sums it up. */
void format_text(struct builder *b, const struct verdict *v, const char *file);

/* format_json: the members "schema", "file", "broken", "kept", "unproven", "runs" and "budgets". */
void format_json(struct builder *b, const struct verdict *v, const char *file);

/* format_junit: a test case for each budget, in the XML that CI servers read. */
void format_junit(struct builder *b, const struct verdict *v, const char *file);

/* format_markdown: a table for a comment of a pull request, with the details of what is broken. */
void format_markdown(struct builder *b, const struct verdict *v, const char *file);

/* format_sarif: a result for each broken budget, as SARIF 2.1.0, for code review. */
void format_sarif(struct builder *b, const struct verdict *v, const char *file);

END_C
