#pragma once
/* Rows of cells, for a person as aligned columns, for a program as CSV or JSON. Cells are filled in
   from left to right, row by row:

     unit_count(table_text(t), n);
     table_number(t, n);

   A cell has a text for a person and, for a program, a plain value: the text itself or a number;
   see cells.h for the usual ones. A column marked `shrinks` gives way where the table is wider than
   the page. */
#include "tools/orca/render/json.h"
#include "tools/orca/render/style.h"

#ifdef __cplusplus
extern "C" {
#endif

enum align { ALIGN_LEFT, ALIGN_RIGHT };

struct column {
  const char *title; /* NULL: only for a program */
  enum align align;
  bool shrinks;    /* down to 12 columns; the widest first */
  const char *key; /* for a program, in snake_case, the same for ever; NULL: only for a person */
};

struct table;

/* table_new keeps `columns`. NULL: memory ran out; every function below takes that as a table that
   holds nothing. */
struct table *table_new(const struct column *columns, size_t num_columns);
void table_free(struct table *t);

/* table_text is where the text of the current cell goes. The others end the cell: its value is the
   text, a number, or nothing as it is not known. */
struct builder *table_text(struct table *t);
void table_next(struct table *t);
void table_number(struct table *t, uint64_t value);
void table_unknown(struct table *t);

/* table_head ends a line over the next row, that names it; its middle gives way at the page. Its
   text went to table_text before. */
void table_head(struct table *t);

/* table_note ends a line under the last row, that belongs to it: indented, broken at spaces. Its
   text went to table_text before. */
void table_note(struct table *t);

size_t table_rows(const struct table *t);

/* table_write writes the titles and the rows. No spaces stand at the end of a line. */
void table_write(struct builder *b, const struct table *t, const struct style *style);

/* table_csv writes a line of the keys and a line for each row, as RFC 4180 has it but for lines
   that end in '\n'. What is not known is an empty field. */
void table_csv(struct builder *b, const struct table *t);

/* table_csv_rows is the same without the line of the keys. */
void table_csv_rows(struct builder *b, const struct table *t);

/* table_csv_long writes a line for each value: the name, the row from 1, the key, the value; so
   that tables of several shapes stand in one file. table_csv_long_head is the line above them all.
 */
void table_csv_long(struct builder *b, const struct table *t, const char *name);
void table_csv_long_head(struct builder *b);

/* table_json writes an array of an object for each row. */
void table_json(struct json *j, const struct table *t);

/* table_json_rows writes the objects alone. */
void table_json_rows(struct json *j, const struct table *t);

/* table_clear takes all rows out. */
void table_clear(struct table *t);

#ifdef __cplusplus
}
#endif
