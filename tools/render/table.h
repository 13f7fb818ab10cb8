#pragma once
/* Aligned columns. Cells are filled in from left to right, row by row:

     unit_count(table_text(t), n);
     table_next(t);

   A column marked `shrinks` gives way where the table is wider than the page. */
#include "tools/render/style.h"

#ifdef __cplusplus
extern "C" {
#endif

enum align { ALIGN_LEFT, ALIGN_RIGHT };

struct column {
  const char *title;
  enum align align;
  bool shrinks; /* down to 12 columns; the widest first */
};

struct table;

/* table_new keeps `columns`. NULL: memory ran out; every function below takes that as a table that
   holds nothing. */
struct table *table_new(const struct column *columns, size_t num_columns);
void table_free(struct table *t);

/* table_text is where the text of the current cell goes; table_next ends the cell. */
struct builder *table_text(struct table *t);
void table_next(struct table *t);

/* table_head ends a line over the next row, that names it; its middle gives way at the page. Its
   text went to table_text before. */
void table_head(struct table *t);

/* table_note ends a line under the last row, that belongs to it: indented, cut at the page. Its
   text went to table_text before. */
void table_note(struct table *t);

size_t table_rows(const struct table *t);

/* table_write writes the titles and the rows. No spaces stand at the end of a line. */
void table_write(struct builder *b, const struct table *t, const struct style *style);

#ifdef __cplusplus
}
#endif
