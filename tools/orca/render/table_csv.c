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

static void put_rows(struct builder *b, const struct table *t, const char *name) {
  struct items w = {.table = t};
  struct item item;
  struct span text;
  bool more = false;
  while (items_next(&w, &item, &text)) {
    size_t column = w.cell % t->num_columns;
    if (item.kind != ITEM_CELL) continue;
    if (column == 0 && name != NULL) builder_string(b, name);
    if (column == 0) more = name != NULL;
    if (table_has_csv(&t->columns[column])) {
      if (more) builder_char(b, ',');
      put_value(b, &item, text);
      more = true;
    }
    if (column + 1 == t->num_columns) builder_char(b, '\n');
  }
}

void table_csv(struct builder *b, const struct table *t, const char *name) {
  if (!table_is_complete(t)) return;
  bool more = name != NULL;
  if (more) builder_string(b, "table");
  for (size_t i = 0; i < t->num_columns; i++) {
    if (!table_has_csv(&t->columns[i])) continue;
    if (more) builder_char(b, ',');
    builder_string(b, t->columns[i].key);
    more = true;
  }
  builder_char(b, '\n');
  put_rows(b, t, name);
}

void table_csv_rows(struct builder *b, const struct table *t) {
  if (table_is_complete(t)) put_rows(b, t, NULL);
}
