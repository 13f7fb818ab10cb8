#pragma once
/* A table: aligned columns as text, or CSV, JSON or HTML. Each column has a function that writes
   its cell of a row, and table_add writes a row:

     static void put_name(const struct cell *c) { names_thread(c->text, c->context, c->row); }

     static const struct column columns[] = {
         {"thread", .shrinks = true, .key = "thread", .put = put_name},
         {"waits", .key = "waits", COLUMN_COUNT(struct waiter, waits)}};

     struct table *t = TABLE_NEW(columns);
     table_add(t, threads, waiter);

   A cell has a text, which people read, and a value for CSV and JSON. The value is the text itself,
   a number or nothing. cells.h has the usual cells. If the table is wider than the page, columns
   marked `shrinks` become narrower. */
#include "agent/base/extern_c.h"
#include "tools/orca/render/json.h"
#include "tools/orca/render/style.h"

BEGIN_C

enum align { ALIGN_LEFT, ALIGN_RIGHT };

struct table;

/* A cell that a column's function writes. */
struct cell {
  struct table *table;
  struct builder *text; /* table_text(table) */
  const void *context;  /* as given to table_add: what several rows share, such as the model */
  const void *row;      /* as given to table_add */
  const void *member;   /* the member of the row at the column's offset */
};

struct column {
  const char *title; /* NULL: the column is only in CSV and JSON */
  enum align align;
  bool shrinks;    /* the widest of these columns shrinks first, down to 12 characters */
  const char *key; /* of CSV and JSON, in snake_case; never changes. NULL: only in text */

  /* Writes the cell. If it does not end the cell, the text becomes the value. NULL: the caller
     fills this table without table_add. */
  void (*put)(const struct cell *c);
  size_t offset; /* of the row's member that the cell shows; 0 if `put` does not use it */
  bool is_json;  /* the text of the cell is JSON, or empty: null. CSV leaves the column out */
};

/* Columns that some tables have and others lack. */
struct column_part {
  const struct column *columns;
  size_t num;
  bool has;
};
#define COLUMN_PART(columns, has) \
  { columns, sizeof(columns) / sizeof *(columns), has }

/* column_parts_join copies the columns of the parts that a table has. Returns their number. */
size_t column_parts_join(struct column *out, const struct column_part *parts, size_t num);

/* table_new keeps the pointer `columns`, so the array must outlive the table. NULL: memory ran out;
   all functions below accept NULL. If memory runs out for a table, the functions that write it only
   set `failed` of their builder. */
struct table *table_new(const struct column *columns, size_t num_columns);
#define TABLE_NEW(columns) table_new(columns, sizeof(columns) / sizeof *(columns))
void table_free(struct table *t);

/* table_add writes a row: the cells of all columns. */
void table_add(struct table *t, const void *context, const void *row);

/* table_fill writes the first `top` rows of an array. Returns the number of rows that it left out.
   `row_size` is the size of an element. */
size_t table_fill(struct table *t, const void *context, const void *rows, size_t row_size,
                  size_t num, size_t top);

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

/* table_write_whole does the same, but cuts no names: the rows can be wider than the page. */
void table_write_whole(struct builder *b, const struct table *t, const struct style *style);

/* table_csv writes a line of keys, then a line per row. The format is RFC 4180, but lines end in
   '\n'. Unknown values are empty fields. With a name, each row begins with it, under the key
   "table": so tables with different columns can share one file. */
void table_csv(struct builder *b, const struct table *t, const char *name);

/* table_csv_rows writes the rows without the line of keys. */
void table_csv_rows(struct builder *b, const struct table *t);

/* table_json writes an array with an object per row. */
void table_json(struct json *j, const struct table *t);

/* table_json_rows writes the objects without the array. */
void table_json_rows(struct json *j, const struct table *t);

/* table_html appends a <table> with the texts of the columns that have a title. Numbers are cells
   of the class "number". */
void table_html(struct builder *b, const struct table *t);

/* table_clear removes all rows. */
void table_clear(struct table *t);

END_C
