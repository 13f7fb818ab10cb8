#pragma once
/* A table: aligned columns as text, or CSV or JSON. The caller fills the cells from left to right,
   row by row:

     unit_count(table_text(t), n);
     table_number(t, n);

   A cell has a text, which people read, and a value for CSV and JSON. The value is the text itself,
   a number or nothing. cells.h has the usual cells. If the table is wider than the page, columns
   marked `shrinks` become narrower. */
#include "tools/orca/render/json.h"
#include "tools/orca/render/style.h"

#ifdef __cplusplus
extern "C" {
#endif

enum align { ALIGN_LEFT, ALIGN_RIGHT };

struct column {
  const char *title; /* NULL: the column is only in CSV and JSON */
  enum align align;
  bool shrinks;    /* the widest of these columns shrinks first, down to 12 characters */
  const char *key; /* of CSV and JSON, in snake_case; never changes. NULL: only in text */
};

struct table;

/* table_new keeps the pointer `columns`, so the array must outlive the table. NULL: memory ran out;
   all functions below accept NULL as an empty table. */
struct table *table_new(const struct column *columns, size_t num_columns);
void table_free(struct table *t);

/* table_text returns the builder for the text of the current cell. The other functions end the
   cell. Its value is the text (table_next), a number, or unknown. */
struct builder *table_text(struct table *t);
void table_next(struct table *t);
void table_number(struct table *t, uint64_t value);
void table_unknown(struct table *t);

/* table_head ends a line above the next row that contains the row's name. If the line is too long,
   its middle is cut. Append its text to table_text first. */
void table_head(struct table *t);

/* table_note ends a line below the last row. The line is indented and broken at spaces. Append its
   text to table_text first. */
void table_note(struct table *t);

size_t table_rows(const struct table *t);

/* table_write writes the titles and the rows as text, without spaces at the ends of lines. */
void table_write(struct builder *b, const struct table *t, const struct style *style);

/* table_csv writes a line of keys, then a line per row. The format is RFC 4180, but lines end in
   '\n'. Unknown values are empty fields. */
void table_csv(struct builder *b, const struct table *t);

/* table_csv_rows writes the rows without the line of keys. */
void table_csv_rows(struct builder *b, const struct table *t);

/* table_csv_long writes a line per value: table name, row from 1, key, value. Tables with different
   columns can then share one file. table_csv_long_head writes the first line of the file. */
void table_csv_long(struct builder *b, const struct table *t, const char *name);
void table_csv_long_head(struct builder *b);

/* table_json writes an array with an object per row. */
void table_json(struct json *j, const struct table *t);

/* table_json_rows writes the objects without the array. */
void table_json_rows(struct json *j, const struct table *t);

/* table_clear removes all rows. */
void table_clear(struct table *t);

#ifdef __cplusplus
}
#endif
