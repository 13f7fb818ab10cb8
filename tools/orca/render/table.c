#include "tools/orca/render/table.h"

#include <stdlib.h>
#include <string.h>

#include "tools/orca/render/table_items.h"
#include "tools/orca/render/width.h"

#define GAP 2           /* spaces between two columns */
#define NOTE_INDENT 4   /* spaces before a note */
#define LEAST_SHRUNK 12 /* least width of a column after shrinking */

size_t column_parts_join(struct column *out, const struct column_part *parts, size_t num) {
  size_t joined = 0;
  for (size_t i = 0; i < num; i++) {
    if (!parts[i].has) continue;
    memcpy(out + joined, parts[i].columns, parts[i].num * sizeof *out);
    joined += parts[i].num;
  }
  return joined;
}

struct table *table_new(const struct column *columns, size_t num_columns) {
  struct table *t = num_columns > TABLE_MAX_COLUMNS ? NULL : calloc(1, sizeof *t);
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

static void end_item(struct table *t, enum item_kind kind, enum item_value value, uint64_t number) {
  struct item item = {t->text.len, kind, value, number};
  builder_bytes(&t->items, &item, sizeof item);
}

static void end_cell(struct table *t, enum item_value value, uint64_t number) {
  if (t == NULL) return;
  end_item(t, ITEM_CELL, value, number);
  t->num_cells++;
}

void table_next(struct table *t) { end_cell(t, VALUE_TEXT, 0); }

void table_number(struct table *t, uint64_t value) { end_cell(t, VALUE_NUMBER, value); }

void table_unknown(struct table *t) { end_cell(t, VALUE_UNKNOWN, 0); }

void table_clear(struct table *t) {
  if (t != NULL) t->text.len = t->items.len = t->num_cells = 0;
}

void table_head(struct table *t) {
  if (t != NULL) end_item(t, ITEM_HEAD, VALUE_TEXT, 0);
}

void table_note(struct table *t) {
  if (t != NULL) end_item(t, ITEM_NOTE, VALUE_TEXT, 0);
}

void table_add(struct table *t, const void *context, const void *row) {
  for (size_t i = 0; t != NULL && i < t->num_columns; i++) {
    const struct column *column = &t->columns[i];
    size_t num_cells = t->num_cells;
    column->put(&(struct cell){t, &t->text, context, row, (const char *)row + column->offset});
    if (t->num_cells == num_cells) table_next(t);
  }
}

size_t table_fill(struct table *t, const void *context, const void *rows, size_t row_size,
                  size_t num, size_t top) {
  size_t shown = num < top ? num : top;
  for (size_t i = 0; i < shown; i++) table_add(t, context, (const char *)rows + i * row_size);
  return num - shown;
}

size_t table_rows(const struct table *t) { return t == NULL ? 0 : t->num_cells / t->num_columns; }

/* --- iteration --------------------------------------------------------------- */

bool table_is_complete(const struct table *t) {
  return t != NULL && !t->text.failed && !t->items.failed;
}

bool items_next(struct items *w, struct item *item, struct span *out_text) {
  const struct table *t = w->table;
  size_t start = 0;
  if (w->next * sizeof *item >= t->items.len) return false;
  if (w->next > 0) {
    memcpy(item, t->items.data + (w->next - 1) * sizeof *item, sizeof *item);
    start = item->end;
    w->cell += item->kind == ITEM_CELL;
  }
  memcpy(item, t->items.data + w->next++ * sizeof *item, sizeof *item);
  *out_text = (struct span){t->text.data == NULL ? "" : t->text.data + start, item->end - start};
  return true;
}

/* --- text ---------------------------------------------------------------------- */

static bool is_shown(const struct table *t, size_t column) {
  return t->columns[column].title != NULL;
}

static void measure_columns(const struct table *t, size_t *widths) {
  struct items w = {.table = t};
  struct item item;
  struct span text;
  for (size_t i = 0; i < t->num_columns; i++) {
    const char *title = is_shown(t, i) ? t->columns[i].title : "";
    widths[i] = width_measure((struct span){title, strlen(title)});
  }
  while (items_next(&w, &item, &text)) {
    size_t column = w.cell % t->num_columns, width = width_measure(text);
    if (item.kind == ITEM_CELL && width > widths[column]) widths[column] = width;
  }
}

/* The index of the widest column that can shrink; num_columns: there is none. */
static size_t find_widest(const struct table *t, const size_t *widths) {
  size_t found = t->num_columns;
  for (size_t i = 0; i < t->num_columns; i++) {
    if (!is_shown(t, i) || !t->columns[i].shrinks || widths[i] <= LEAST_SHRUNK) continue;
    if (found == t->num_columns || widths[i] > widths[found]) found = i;
  }
  return found;
}

static void shrink_columns(const struct table *t, size_t *widths, size_t page) {
  size_t total = 0, at;
  for (size_t i = 0; i < t->num_columns; i++) total += is_shown(t, i) ? widths[i] + GAP : 0;
  for (total -= GAP; total > page && (at = find_widest(t, widths)) < t->num_columns; total--)
    widths[at]--;
}

static void put_spaces(struct builder *b, size_t n) {
  while (n-- > 0) builder_char(b, ' ');
}

/* Removes spaces at the end of the line and ends it. */
static void end_line(struct builder *b) {
  while (b->len > 0 && b->data[b->len - 1] == ' ') b->len--;
  builder_char(b, '\n');
}

/* The last column of the table ends the line, even if that column is not shown. */
static void put_cell(struct builder *b, const struct table *t, size_t column, const size_t *widths,
                     struct span text) {
  size_t width = width_measure(text);
  size_t padding = width < widths[column] ? widths[column] - width : 0;
  if (is_shown(t, column)) {
    if (t->columns[column].align == ALIGN_RIGHT) put_spaces(b, padding);
    width_cut(b, text, widths[column]);
    if (t->columns[column].align == ALIGN_LEFT) put_spaces(b, padding);
    put_spaces(b, GAP);
  }
  if (column + 1 == t->num_columns) end_line(b);
}

static void put_item(struct builder *b, const struct items *w, const struct item *item,
                     struct span text, const size_t *widths, const struct style *style,
                     size_t width) {
  switch (item->kind) {
    case ITEM_HEAD:
      width_cut(b, text, width);
      end_line(b);
      break;
    case ITEM_NOTE:
      if (width_measure(text) + NOTE_INDENT > style->width) {
        style_wrap(b, style, "    ", text);
      } else {
        put_spaces(b, NOTE_INDENT);
        builder_bytes(b, text.data, text.len);
        end_line(b);
      }
      break;
    case ITEM_CELL:
      put_cell(b, w->table, w->cell % w->table->num_columns, widths, text);
      break;
  }
}

/* Cuts rows to `width`; notes are broken at the width of the style. */
static void write_rows(struct builder *b, const struct table *t, const struct style *style,
                       size_t width) {
  size_t widths[TABLE_MAX_COLUMNS];
  struct items w = {.table = t};
  struct item item;
  struct span text;
  if (!table_is_complete(t)) return;
  measure_columns(t, widths);
  shrink_columns(t, widths, width);
  for (size_t i = 0; i < t->num_columns; i++) {
    const char *title = is_shown(t, i) ? t->columns[i].title : "";
    put_cell(b, t, i, widths, (struct span){title, strlen(title)});
  }
  while (items_next(&w, &item, &text)) put_item(b, &w, &item, text, widths, style, width);
}

void table_write(struct builder *b, const struct table *t, const struct style *style) {
  write_rows(b, t, style, style->width);
}

void table_write_whole(struct builder *b, const struct table *t, const struct style *style) {
  write_rows(b, t, style, SIZE_MAX);
}
