#pragma once
/* Options that changed while a recording ran: the rows `change` of .info, in all sets of files. */
#include <stdbool.h>
#include <stddef.h>

#include "agent/base/extern_c.h"
#include "agent/event/line.h"
#include "tools/orca/dump/arena.h"

BEGIN_C

/* Before `from` the value before it held, after `to` this one; in between the agent changed. */
struct option_change {
  ticks_t from, to;
  struct span cause, key, value; /* cause: "set", the name of a trigger, or "end" */
};

/* All zero is empty. The arena owns the texts. */
struct option_changes {
  struct option_change *rows; /* in order of time */
  size_t num, capacity;
};

/* option_changes_add adds a value of the key `change`, "from,to,cause,option=value"; it ignores any
   other text. Returns false when memory ran out. */
bool option_changes_add(struct option_changes *c, struct arena *memory, struct span value);

/* option_changes_next returns the next change of an option after `before`, NULL after the last.
   Start with `before` = NULL. */
const struct option_change *option_changes_next(const struct option_changes *c, const char *key,
                                                const struct option_change *before);

void option_changes_free(struct option_changes *c);

END_C
