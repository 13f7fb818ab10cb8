#pragma once
/* The inside of a table, for those that write it. */
#include "tools/orca/render/table.h"

#ifdef __cplusplus
extern "C" {
#endif

#define TABLE_MAX_COLUMNS 32

enum item_kind { ITEM_CELL, ITEM_HEAD, ITEM_NOTE };

enum item_value { VALUE_TEXT, VALUE_NUMBER, VALUE_UNKNOWN };

/* The cells, heads and notes, one behind the other in `text`. */
struct item {
  size_t end; /* of its text; it starts where the one before ends */
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

/* A walk over the items; start with all zero but the table. */
struct items {
  const struct table *table;
  size_t next;
  size_t cell; /* how many cells went before this item */
};

/* items_next gives the next item and its text; false at the end. */
bool items_next(struct items *w, struct item *item, struct span *out_text);

/* table_is_whole: false where memory ran out, for NULL too. */
bool table_is_whole(const struct table *t);

#ifdef __cplusplus
}
#endif
