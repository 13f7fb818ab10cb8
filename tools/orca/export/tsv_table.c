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

bool tsv_has_column(const char *name, size_t len) {
  for (size_t i = 0; i < NUM_COLUMNS; i++) {
    if (strlen(columns[i].name) == len && memcmp(columns[i].name, name, len) == 0) return true;
  }
  return false;
}
