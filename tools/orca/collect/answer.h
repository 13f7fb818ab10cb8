#pragma once
/* What was collected, for people and machines. Each function appends to a builder. */
#include "agent/base/extern_c.h"
#include "tools/orca/collect/collection.h"
#include "tools/orca/render/table.h"

BEGIN_C

struct answer_context {
  const char *file; /* of the build events */
  size_t top;       /* rows of a table */
};

/* answer_text: what was recorded, the problems with the next command, the worst locks, the slowest
   critical sections, the tests without a recording. */
void answer_text(struct builder *b, const struct collection *c, const struct answer_context *x);

/* answer_json: the same as one object. The key "schema" is 1; the meaning of a key never changes.
 */
void answer_json(struct builder *b, const struct collection *c, const struct answer_context *x);

/* answer_html: the same as a page that needs no other file. */
void answer_html(struct builder *b, const struct collection *c, const struct answer_context *x);

/* --- shared by them --------------------------------------------------------------------------- */

/* answer_state_words returns what a state of a test means: "recorded", "left no recording". */
const char *answer_state_words(enum collected_state state);

/* answer_count_tests returns how many tests have this state. */
uint64_t answer_count_tests(const struct collection *c, enum collected_state state);

/* answer_sum appends one sentence: "5 tests: 2 recorded, 1 left no recording, ...". */
void answer_sum(struct builder *b, const struct collection *c);

/* answer_tests appends the labels of a row: "//a:b, //c:d and 3 more". */
void answer_tests(struct builder *b, const struct collection *c, const struct collected_row *row);

/* answer_command appends the command that shows the recording of a row: "orca locks /a/b". */
void answer_command(struct builder *b, const struct collected_row *row);

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
