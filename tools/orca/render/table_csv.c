#include <string.h>

#include "tools/orca/render/table_items.h"

static bool needs_quotes(struct span text) {
  for (size_t i = 0; i < text.len; i++) {
    if (strchr(",\"\r\n", text.data[i]) != NULL) return true;
  }
  return text.len > 0 && (text.data[0] == ' ' || text.data[text.len - 1] == ' ');
}

static void put_number(struct builder *b, uint64_t n) {
  char digits[20];
  size_t at = sizeof digits;
  do digits[--at] = (char)('0' + n % 10);
  while ((n /= 10) > 0);
  builder_bytes(b, digits + at, sizeof digits - at);
}

static void put_value(struct builder *b, const struct item *item, struct span text) {
  if (item->value == VALUE_NUMBER) put_number(b, item->number);
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

void table_csv(struct builder *b, const struct table *t) {
  if (!table_is_complete(t)) return;
  bool more = false;
  for (size_t i = 0; i < t->num_columns; i++) {
    if (!table_has_csv(&t->columns[i])) continue;
    if (more) builder_char(b, ',');
    builder_string(b, t->columns[i].key);
    more = true;
  }
  builder_char(b, '\n');
  table_csv_rows(b, t);
}

void table_csv_rows(struct builder *b, const struct table *t) {
  struct items w = {.table = t};
  struct item item;
  struct span text;
  bool more = false;
  if (!table_is_complete(t)) return;
  while (items_next(&w, &item, &text)) {
    size_t column = w.cell % t->num_columns;
    if (item.kind != ITEM_CELL) continue;
    if (table_has_csv(&t->columns[column])) {
      if (more) builder_char(b, ',');
      put_value(b, &item, text);
      more = true;
    }
    if (column + 1 < t->num_columns) continue;
    builder_char(b, '\n');
    more = false;
  }
}

void table_csv_long_head(struct builder *b) { builder_string(b, "table,row,column,value\n"); }

void table_csv_long(struct builder *b, const struct table *t, const char *name) {
  struct items w = {.table = t};
  struct item item;
  struct span text;
  if (!table_is_complete(t)) return;
  while (items_next(&w, &item, &text)) {
    const struct column *column = &t->columns[w.cell % t->num_columns];
    if (item.kind != ITEM_CELL || !table_has_csv(column)) continue;
    builder_string(b, name);
    builder_char(b, ',');
    put_number(b, w.cell / t->num_columns + 1);
    builder_char(b, ',');
    builder_string(b, column->key);
    builder_char(b, ',');
    put_value(b, &item, text);
    builder_char(b, '\n');
  }
}
