#pragma once
/* The contents of a digest (docs/format.md has the lines). A digest may come from anybody, so
   nothing in it is trusted: each line is checked, and numbers and rows are bounded. */
#include "agent/base/extern_c.h"
#include "tools/orca/budget/figures.h"
#include "tools/orca/model/model.h"

BEGIN_C

#define DIGEST_FIRST_LINE "orca.digest,1"
#define DIGEST_MOST_BYTES ((size_t)16 << 20) /* of a file */
#define DIGEST_MOST_ROWS 300                 /* of a part of the comparison */
#define DIGEST_MOST_FIGURES 200              /* of a kind of budget */
#define DIGEST_MOST_FRAMES 8                 /* of a stack in the text of a figure */
#define DIGEST_MOST_LINES 300                /* of the text of a figure */
#define DIGEST_MOST_NUMBER INT64_C(1000000000000000000)

struct digest_task {
  bool is_known;
  uint64_t cpu_ns, wait_ns;
};

/* All zero is empty; digest_file_free frees its memory. */
struct digest_file {
  struct builder tables[NUM_DUMP_FILES]; /* text of the files .info, .classtable and .methods */
  struct model values;                   /* only the members of value.def are set */
  struct digest_task tasks[NUM_TASK_KINDS];
  struct sums sums;
  struct figures figures; /* `name` is not set; `unproven` points to `reasons` */
  char *reasons[NUM_BUDGET_KINDS];
};

/* digest_is_file returns whether this is an existing regular file that begins like a digest. */
bool digest_is_file(const char *name);

/* digest_parse reads the text of a digest into the empty `*out`. Otherwise it appends a message to
   `why`, such as "line 7: …", and returns false. If memory ran out, why->failed is true. */
bool digest_parse(struct span text, struct digest_file *out, struct builder *why);

void digest_file_free(struct digest_file *f);

END_C
