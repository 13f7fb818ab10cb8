#include "tools/render/table.h"

#include <stdlib.h>
#include <string.h>

#include "tools/render/width.h"

#define GAP 2           /* spaces between two columns */
#define NOTE_INDENT 4   /* spaces before a note */
#define LEAST_SHRUNK 12 /* columns that a shrunk one keeps */
#define MAX_COLUMNS 16

enum item_kind { CELL, HEAD, NOTE };

/* The cells, heads and notes, one behind the other in `text`. */
struct item {
  size_t end; /* of its text; it starts where the one before ends */
  enum item_kind kind;
};

struct table {
  const struct column *columns;
  size_t num_columns;
  struct builder text;
  struct builder items; /* of struct item */
  size_t num_cells;
};

struct table *table_new(const struct column *columns, size_t num_columns) {
  struct table *t = num_columns > MAX_COLUMNS ? NULL : calloc(1, sizeof *t);
  if (t != NULL) *t = (struct table){.columns = columns, .num_columns = num_columns};
  return t;
}

void table_free(struct table *t) {
  if (t == NULL) return;
  builder_free(&t->text);
  builder_free(&t->items);
  free(t);
}

struct builder *table_text(struct table *t) {
  static struct builder nowhere = {.failed = true};
  return t == NULL ? &nowhere : &t->text;
}

static void end_item(struct table *t, enum item_kind kind) {
  struct item item = {t->text.len, kind};
  builder_bytes(&t->items, &item, sizeof item);
}

void table_next(struct table *t) {
  if (t == NULL) return;
  end_item(t, CELL);
  t->num_cells++;
}

void table_head(struct table *t) {
  if (t != NULL) end_item(t, HEAD);
}

void table_note(struct table *t) {
  if (t != NULL) end_item(t, NOTE);
}

size_t table_rows(const struct table *t) { return t == NULL ? 0 : t->num_cells / t->num_columns; }

/* --- writing ----------------------------------------------------------------- */

/* A walk over the items. */
struct walk {
  const struct table *table;
  size_t next;
};

static bool walk_next(struct walk *w, struct item *item, struct span *out_text) {
  const struct table *t = w->table;
  size_t start = 0;
  if (w->next * sizeof *item >= t->items.len) return false;
  if (w->next > 0) {
    memcpy(item, t->items.data + (w->next - 1) * sizeof *item, sizeof *item);
    start = item->end;
  }
  memcpy(item, t->items.data + w->next++ * sizeof *item, sizeof *item);
  *out_text = (struct span){t->text.data == NULL ? "" : t->text.data + start, item->end - start};
  return true;
}

static size_t columns_of(const char *text) { return width_of((struct span){text, strlen(text)}); }

static void measure(const struct table *t, size_t *widths) {
  struct walk w = {.table = t};
  struct item item;
  struct span text;
  for (size_t i = 0; i < t->num_columns; i++) widths[i] = columns_of(t->columns[i].title);
  for (size_t column = 0; walk_next(&w, &item, &text);) {
    if (item.kind != CELL) continue;
    size_t width = width_of(text);
    if (width > widths[column]) widths[column] = width;
    column = (column + 1) % t->num_columns;
  }
}

/* The widest of the columns that can shrink, or num_columns. */
static size_t widest(const struct table *t, const size_t *widths) {
  size_t found = t->num_columns;
  for (size_t i = 0; i < t->num_columns; i++) {
    if (!t->columns[i].shrinks || widths[i] <= LEAST_SHRUNK) continue;
    if (found == t->num_columns || widths[i] > widths[found]) found = i;
  }
  return found;
}

static void shrink(const struct table *t, size_t *widths, size_t page) {
  size_t total = GAP * (t->num_columns - 1), at;
  for (size_t i = 0; i < t->num_columns; i++) total += widths[i];
  for (; total > page && (at = widest(t, widths)) < t->num_columns; total--) widths[at]--;
}

static void put_spaces(struct builder *b, size_t n) {
  while (n-- > 0) builder_char(b, ' ');
}

/* Ends a line, less the spaces at its end. */
static void end_line(struct builder *b) {
  while (b->len > 0 && b->data[b->len - 1] == ' ') b->len--;
  builder_char(b, '\n');
}

static void put_cell(struct builder *b, const struct table *t, size_t column, const size_t *widths,
                     struct span text) {
  size_t width = width_of(text);
  size_t padding = width < widths[column] ? widths[column] - width : 0;
  if (column > 0) put_spaces(b, GAP);
  if (t->columns[column].align == ALIGN_RIGHT) put_spaces(b, padding);
  width_cut(b, text, widths[column]);
  if (t->columns[column].align == ALIGN_LEFT) put_spaces(b, padding);
  if (column + 1 == t->num_columns) end_line(b);
}

static void put_note(struct builder *b, struct span text, size_t page) {
  put_spaces(b, NOTE_INDENT);
  width_cut_end(b, text, page - NOTE_INDENT);
  end_line(b);
}

void table_write(struct builder *b, const struct table *t, const struct style *style) {
  size_t widths[MAX_COLUMNS];
  struct walk w = {.table = t};
  struct item item;
  struct span text;
  if (t == NULL || t->text.failed || t->items.failed) return;
  measure(t, widths);
  shrink(t, widths, style->width);
  for (size_t i = 0; i < t->num_columns; i++) {
    const char *title = t->columns[i].title;
    put_cell(b, t, i, widths, (struct span){title, strlen(title)});
  }
  for (size_t column = 0; walk_next(&w, &item, &text);) {
    switch (item.kind) {
      case HEAD:
        width_cut(b, text, style->width);
        end_line(b);
        break;
      case NOTE:
        put_note(b, text, style->width);
        break;
      case CELL:
        put_cell(b, t, column, widths, text);
        column = (column + 1) % t->num_columns;
        break;
    }
  }
}
