#pragma once
/* The tables of `orca export --format=tsv`: the expansion of tsv_table.def. */
#include <stdbool.h>
#include <stddef.h>

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

/* tsv_has_column returns whether a table has a column of this name. */
bool tsv_has_column(const char *name, size_t len);

END_C
