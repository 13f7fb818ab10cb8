#pragma once
/* The findings of a recording on a page: docs/json.md describes them. */
#include "agent/base/extern_c.h"
#include "tools/orca/answer/answer.h"
#include "tools/orca/render/page.h"

BEGIN_C

/* view_findings writes the sentences "In short"; JSON has the rows, too. */
void view_findings(struct page *p, const struct answer *a);

/* view_stopped writes, as text, those about threads that do not go on, without the deadlocks, which
   have a table of their own. */
void view_stopped(struct page *p, const struct answer *a);

/* view_findings_text appends the same as text. */
void view_findings_text(struct builder *b, const struct answer *a, const struct style *style);

/* view_finding_object writes a finding as an object of JSON. */
void view_finding_object(struct json *j, const struct dump *d, const struct finding *finding);

END_C
