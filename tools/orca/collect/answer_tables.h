#pragma once
/* The tables of the answer as text and as a page. */
#include "agent/base/extern_c.h"
#include "tools/orca/collect/answer.h"
#include "tools/orca/render/table.h"

BEGIN_C

/* A table of the answer. */
struct answer_table {
  const char *heading;

  /* Returns a table of at most `x->top` rows, which the caller frees, and sets `*out_more` to the
     number of rows that are left out. NULL: memory ran out. */
  struct table *(*make)(const struct collection *c, const struct answer_context *x,
                        size_t *out_more);
};

/* Locks, critical sections, recorded tests, tests of which something is missing, options. */
#define NUM_ANSWER_TABLES 5
extern const struct answer_table answer_tables[NUM_ANSWER_TABLES];

END_C
