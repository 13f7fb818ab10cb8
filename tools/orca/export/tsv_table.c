#include "tools/orca/export/tsv_table.h"

#include <string.h>

const struct tsv_table tsv_tables[NUM_TSV_TABLES] = {
#define TABLE(id, help) {#id, help, tsv_write_##id},
#include "tools/orca/export/tsv_table.def"
};

/* Table after table. */
static const struct tsv_column columns[] = {
#define COLUMN(table, name, kind, meaning) {TSV_TABLE_##table, #name, TSV_##kind, meaning},
#include "tools/orca/export/tsv_table.def"
};
#define NUM_COLUMNS (sizeof columns / sizeof *columns)

const struct tsv_table *tsv_table_find(const char *name) {
  for (size_t i = 0; i < NUM_TSV_TABLES; i++) {
    if (strcmp(tsv_tables[i].name, name) == 0) return &tsv_tables[i];
  }
  return NULL;
}

const struct tsv_column *tsv_table_columns(const struct tsv_table *table, size_t *out_num) {
  size_t first = 0, end, id = (size_t)(table - tsv_tables);
  while (first < NUM_COLUMNS && columns[first].table != id) first++;
  for (end = first; end < NUM_COLUMNS && columns[end].table == id;) end++;
  *out_num = end - first;
  return &columns[first];
}

/* --- labels ------------------------------------------------------------------------------- */

static bool is_column(struct span name) {
  for (size_t i = 0; i < NUM_COLUMNS; i++) {
    if (span_is(name, columns[i].name)) return true;
  }
  return false;
}

static bool is_letter(char c) { return c >= 'a' && c <= 'z'; }

static bool is_key(struct span key) {
  if (key.len == 0 || key.len > 64 || !is_letter(key.data[0])) return false;
  for (size_t i = 0; i < key.len; i++) {
    char c = key.data[i];
    if (!is_letter(c) && !(c >= '0' && c <= '9') && c != '_') return false;
  }
  return true;
}

const char *labels_add(struct labels *l, const char *text) {
  struct span value = {text, strlen(text)}, key;
  span_cut(&value, '=', &key);
  if (value.data == NULL || !is_key(key)) {
    return "a label is key=value, with a key of a-z, 0-9 and _ that begins with a letter, such as "
           "host=web-1; not ";
  }
  if (is_column(key)) return "a column of the tables has the name of the label ";
  size_t at = 0;
  while (at < l->num && !span_same(l->rows[at].key, key)) at++;
  if (at == LABELS_MAX) return "there are more than 32 labels with ";
  if (at < l->num && l->rows[at].value.data != NULL) return "this label is given twice: ";
  l->rows[at] = (struct label){key, value};
  l->has_values = true;
  if (at == l->num) l->num++;
  return NULL;
}
