#pragma once
/* The tables of `orca export --format=tsv`: the columns of the labels, then those of tsv_table.def.
 */
#include <stdbool.h>
#include <stddef.h>

#include "agent/base/bytes.h"
#include "agent/base/extern_c.h"

BEGIN_C

struct tsv;

enum tsv_kind {
  TSV_TEXT,
  TSV_NUMBER,
  TSV_MAYBE,
  TSV_TIME,
  TSV_FLAG,
  TSV_TEXTS,
  TSV_NUMBERS,
};

struct tsv_column {
  size_t table; /* the index of its table */
  const char *name;
  enum tsv_kind kind;
  const char *meaning; /* for the user, in Markdown */
};

struct tsv_table {
  const char *name, *help;
  bool (*write)(struct tsv *t);
};

/* Each tsv_write_… function writes all rows of its table. It returns false if memory ran out, or a
   write failed. */
#define TABLE(id, help) bool tsv_write_##id(struct tsv *t);
#include "tools/orca/export/tsv_table.def"

enum {
#define TABLE(id, help) TSV_TABLE_##id,
#include "tools/orca/export/tsv_table.def"
  NUM_TSV_TABLES
};

extern const struct tsv_table tsv_tables[NUM_TSV_TABLES];

/* tsv_table_find returns the table of this name; NULL: there is none. */
const struct tsv_table *tsv_table_find(const char *name);

/* tsv_table_columns returns the columns of a table of tsv_tables, and sets `*out_num` to their
   number. */
const struct tsv_column *tsv_table_columns(const struct tsv_table *table, size_t *out_num);

/* Labels say which of many recordings the rows are of. The user gives them as `--label host=web-1`.
   Each label is a column. The first columns are always host, service, version and run; the user's
   other labels follow in the order in which they were given. */

#define LABELS_MAX 32 /* the first four included */

enum { LABEL_HOST, LABEL_SERVICE, LABEL_VERSION, LABEL_RUN, NUM_FIXED_LABELS };

struct label {
  struct span key, value; /* `value.data` NULL: not given */
};

/* LABELS_NONE is the first four labels, without values. The texts are the caller's. */
struct labels {
  struct label rows[LABELS_MAX];
  size_t num;
  bool has_values; /* at least one was given */
};

#define LABEL_KEY(text)                  \
  {                                      \
    {text, sizeof text - 1}, { NULL, 0 } \
  }
#define LABELS_NONE                                                                    \
  {                                                                                    \
    {LABEL_KEY("host"), LABEL_KEY("service"), LABEL_KEY("version"), LABEL_KEY("run")}, \
        NUM_FIXED_LABELS, false                                                        \
  }

/* labels_add adds "key=value". The key consists of a-z, 0-9 and _, and begins with a letter; the
   value can be any text. It returns NULL, or the reason why it does not take the text: "the key is
   ...". `text` must outlive the labels. */
const char *labels_add(struct labels *l, const char *text);

END_C
