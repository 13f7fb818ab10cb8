#include "tools/orca/render/table_items.h"

static void put_value(struct json *j, const struct column *column, const struct item *item,
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
  while (table_is_complete(t) && items_next(&w, &item, &text)) {
    size_t column = w.cell % t->num_columns;
    if (item.kind != ITEM_CELL) continue;
    if (column == 0) json_begin_object(j);
    if (t->columns[column].key != NULL) {
      json_key(j, t->columns[column].key);
      put_value(j, &t->columns[column], &item, text);
    }
    if (column + 1 == t->num_columns) json_end_object(j);
  }
}
