#include "tools/orca/collect/table_html.h"

#include "tools/orca/budget/escape.h"
#include "tools/orca/render/table_items.h"

static void put_cell(struct builder *b, const struct column *column, const char *name,
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
  if (!table_is_complete(t)) {
    b->failed |= t != NULL;
    return;
  }
  builder_string(b, "<table><thead><tr>");
  for (size_t i = 0; i < t->num_columns; i++) {
    const char *title = t->columns[i].title;
    put_cell(b, &t->columns[i], "th", (struct span){title, title == NULL ? 0 : strlen(title)});
  }
  builder_string(b, "</tr></thead><tbody>\n");
  while (items_next(&w, &item, &text)) {
    size_t column = w.cell % t->num_columns;
    if (item.kind != ITEM_CELL) continue;
    if (column == 0) builder_string(b, "<tr>");
    put_cell(b, &t->columns[column], "td", text);
    if (column + 1 == t->num_columns) builder_string(b, "</tr>\n");
  }
  builder_string(b, "</tbody></table>\n");
}
