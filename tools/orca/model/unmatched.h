#pragma once
/* Explains why a filter matches nothing: which of its patterns matches no thread, object, class or
   method of the dump, and which names are similar. The user may have mistyped it. */
#include "agent/base/extern_c.h"
#include "tools/orca/model/filter.h"
#include "tools/orca/model/threads.h"

BEGIN_C

/* unmatched_write appends what is wrong with the filter of a dump that was read. `found` is whether
   anything in the dump matched the whole filter. It appends the first of these that applies:
   - A pattern matches nothing in the dump: "no thread is wrker-*; there are worker-1, worker-2".
     If `found`, this is only checked for kinds of patterns of which the filter has several.
   - If not `found`: "nothing in the recording matches", with the whole filter.
   Otherwise it appends nothing. */
void unmatched_write(struct builder *b, const struct matcher *m, const struct threads *threads,
                     bool found);

/* unmatched_write_method appends that no method of the dump matches a pattern, and similar names.
   It appends nothing if a method matches. */
void unmatched_write_method(struct builder *b, const struct dump *d, const char *pattern);

END_C
