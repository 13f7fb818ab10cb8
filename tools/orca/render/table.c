#include "tools/orca/render/table.h"

#include <stdlib.h>
#include <string.h>

#include "tools/orca/render/escape.h"
#include "tools/orca/render/width.h"

#define GAP 2           /* spaces between two columns */
#define NOTE_INDENT 4   /* spaces before a note */
#define LEAST_SHRUNK 12 /* least width of a column after shrinking */
#define MAX_COLUMNS 40

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

/* An iteration over the items. Start with `table` set and everything else zero. */
struct items {
  const struct table *table;
  size_t next;
  size_t cell; /* number of cells before this item */
};

/* A table that memory ran out for is not written: `b` fails, too. */
static bool can_write(struct builder *b, const struct table *t) {
  bool is_complete = t != NULL && !t->text.failed && !t->items.failed;
  b->failed |= !is_complete;
  return is_complete;
}

/* Returns the next item and its text. False: there are no more items. */
static bool next_item(struct items *w, struct item *item, struct span *out_text) {
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
  while (next_item(&w, &item, &text)) {
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
  size_t widths[MAX_COLUMNS];
  struct items w = {.table = t};
  struct item item;
  struct span text;
  if (!can_write(b, t)) return;
  measure_columns(t, widths);
  shrink_columns(t, widths, width);
  for (size_t i = 0; i < t->num_columns; i++) {
    const char *title = is_shown(t, i) ? t->columns[i].title : "";
    put_cell(b, t, i, widths, (struct span){title, strlen(title)});
  }
  while (next_item(&w, &item, &text)) put_item(b, &w, &item, text, widths, style, width);
}

void table_write(struct builder *b, const struct table *t, const struct style *style) {
  write_rows(b, t, style, style->width);
}

void table_write_whole(struct builder *b, const struct table *t, const struct style *style) {
  write_rows(b, t, style, SIZE_MAX);
}

/* --- CSV ------------------------------------------------------------------------------------- */

/* Whether CSV has the column. */
static bool has_csv(const struct column *c) { return c->key != NULL && !c->is_json; }

static bool needs_quotes(struct span text) {
  for (size_t i = 0; i < text.len; i++) {
    if (strchr(",\"\r\n", text.data[i]) != NULL) return true;
  }
  return text.len > 0 && (text.data[0] == ' ' || text.data[text.len - 1] == ' ');
}

static void put_csv_number(struct builder *b, uint64_t n) {
  char digits[20];
  size_t at = sizeof digits;
  do digits[--at] = (char)('0' + n % 10);
  while ((n /= 10) > 0);
  builder_bytes(b, digits + at, sizeof digits - at);
}

static void put_csv_value(struct builder *b, const struct item *item, struct span text) {
  if (item->value == VALUE_NUMBER) put_csv_number(b, item->number);
  if (item->value != VALUE_TEXT) return;
  if (!needs_quotes(text)) {
    builder_bytes(b, text.data, text.len);
    return;
  }
  builder_char(b, '"');
  for (size_t i = 0; i < text.len; i++) {
    if (text.data[i] == '"') builder_char(b, '"');
    builder_char(b, text.data[i]);
  }
  builder_char(b, '"');
}

static void put_csv_rows(struct builder *b, const struct table *t, const char *name) {
  struct items w = {.table = t};
  struct item item;
  struct span text;
  bool more = false;
  while (next_item(&w, &item, &text)) {
    size_t column = w.cell % t->num_columns;
    if (item.kind != ITEM_CELL) continue;
    if (column == 0 && name != NULL) builder_string(b, name);
    if (column == 0) more = name != NULL;
    if (has_csv(&t->columns[column])) {
      if (more) builder_char(b, ',');
      put_csv_value(b, &item, text);
      more = true;
    }
    if (column + 1 == t->num_columns) builder_char(b, '\n');
  }
}

void table_csv(struct builder *b, const struct table *t, const char *name) {
  if (!can_write(b, t)) return;
  bool more = name != NULL;
  if (more) builder_string(b, "table");
  for (size_t i = 0; i < t->num_columns; i++) {
    if (!has_csv(&t->columns[i])) continue;
    if (more) builder_char(b, ',');
    builder_string(b, t->columns[i].key);
    more = true;
  }
  builder_char(b, '\n');
  put_csv_rows(b, t, name);
}

void table_csv_rows(struct builder *b, const struct table *t) {
  if (can_write(b, t)) put_csv_rows(b, t, NULL);
}

/* --- JSON ------------------------------------------------------------------------------------ */

static void put_json_value(struct json *j, const struct column *column, const struct item *item,
                           struct span text) {
  if (column->is_json && text.len > 0) {
    json_raw(j, text);
    return;
  }
  switch (item->value) {
    case VALUE_TEXT:
      if (column->is_json) {
        json_null(j);
      } else {
        json_string(j, text);
      }
      break;
    case VALUE_NUMBER:
      json_unsigned(j, item->number);
      break;
    case VALUE_UNKNOWN:
      json_null(j);
      break;
  }
}

void table_json(struct json *j, const struct table *t) {
  json_begin_array(j);
  table_json_rows(j, t);
  json_end_array(j);
}

void table_json_rows(struct json *j, const struct table *t) {
  struct items w = {.table = t};
  struct item item;
  struct span text;
  while (can_write(j->out, t) && next_item(&w, &item, &text)) {
    size_t column = w.cell % t->num_columns;
    if (item.kind != ITEM_CELL) continue;
    if (column == 0) json_begin_object(j);
    if (t->columns[column].key != NULL) {
      json_key(j, t->columns[column].key);
      put_json_value(j, &t->columns[column], &item, text);
    }
    if (column + 1 == t->num_columns) json_end_object(j);
  }
}

/* --- HTML ------------------------------------------------------------------------------------ */

static void put_html_cell(struct builder *b, const struct column *column, const char *name,
                          struct span text) {
  if (column->title == NULL) return;
  builder_format(b, "<%s%s>", name, column->align == ALIGN_RIGHT ? " class=\"number\"" : "");
  escape_xml(b, text);
  builder_format(b, "</%s>", name);
}

void table_html(struct builder *b, const struct table *t) {
  struct items w = {.table = t};
  struct item item;
  struct span text;
  if (!can_write(b, t)) return;
  builder_string(b, "<table><thead><tr>");
  for (size_t i = 0; i < t->num_columns; i++) {
    const char *title = t->columns[i].title;
    put_html_cell(b, &t->columns[i], "th", (struct span){title, title == NULL ? 0 : strlen(title)});
  }
  builder_string(b, "</tr></thead><tbody>\n");
  while (next_item(&w, &item, &text)) {
    size_t column = w.cell % t->num_columns;
    if (item.kind != ITEM_CELL) continue;
    if (column == 0) builder_string(b, "<tr>");
    put_html_cell(b, &t->columns[column], "td", text);
    if (column + 1 == t->num_columns) builder_string(b, "</tr>\n");
  }
  builder_string(b, "</tbody></table>\n");
}
