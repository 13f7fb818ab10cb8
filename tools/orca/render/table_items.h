#pragma once
/* The contents of a table, for the functions that write it as text, CSV or JSON. */
#include "agent/base/extern_c.h"
#include "tools/orca/render/table.h"

BEGIN_C

#define TABLE_MAX_COLUMNS 40

enum item_kind { ITEM_CELL, ITEM_HEAD, ITEM_NOTE };

enum item_value { VALUE_TEXT, VALUE_NUMBER, VALUE_UNKNOWN };

/* A cell, a head or a note. Their texts are concatenated in `text` of the table. */
struct item {
  size_t end; /* offset of the end of its text, which starts at the end of the previous item */
  enum item_kind kind;
  enum item_value value;
  uint64_t number;
};

struct table {
  const struct column *columns;
  size_t num_columns;
  struct builder text;
  struct builder items; /* of struct item */
  size_t num_cells;
};

/* An iteration over the items. Start with `table` set and everything else zero. */
struct items {
  const struct table *table;
  size_t next;
  size_t cell; /* number of cells before this item */
};

/* items_next returns the next item and its text. False: there are no more items. */
bool items_next(struct items *w, struct item *item, struct span *out_text);

/* table_has_csv returns whether CSV has the column. */
static inline bool table_has_csv(const struct column *c) { return c->key != NULL && !c->is_json; }

/* table_is_complete: false if `t` is NULL or memory ran out while it was filled. */
bool table_is_complete(const struct table *t);

END_C
