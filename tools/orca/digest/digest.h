#pragma once
/* Reads and writes a digest (docs/format.md has the lines). A digest may come from anybody, so
   nothing in it is trusted: each line is checked, and numbers and rows are bounded. A digest can be
   opened in the place of a recording: as a dump without events and samples, and a model whose
   numbers and sums come from the digest. */
#include "agent/base/extern_c.h"
#include "tools/orca/budget/figures.h"
#include "tools/orca/model/model.h"
#include "tools/orca/pack/unpacked.h"

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

/* digest_open reads the digest `name` and writes its tables into a temporary folder, of which
   u->prefix is the prefix of a dump. On an error it appends a message to `why` and returns false.
   Otherwise call unpacked_remove and digest_file_free. */
bool digest_open(struct digest_file *out, struct unpacked *u, const char *name,
                 struct builder *why);

/* digest_fill fills `*m` with what the digest says; all that needs events, samples or stacks stays
   empty. `d` is the dump of the digest. It takes the sums out of `f`. It returns false when memory
   ran out; call model_free either way. */
bool digest_fill(struct model *m, struct dump *d, struct digest_file *f);

/* digest_write appends the digest of a recording: its model, which is complete and without a
   filter, and its figures for budgets. What is too much is cut (DIGEST_MOST_…), and the digest says
   so. It returns false when memory ran out. */
bool digest_write(struct builder *b, const struct model *m, const struct figures *figures);

END_C
