#include "tools/orca/export/labels.h"

#include "tools/orca/export/tsv_table.h"

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
  if (tsv_has_column(key.data, key.len)) return "a column of the tables has the name of the label ";
  size_t at = 0;
  while (at < l->num && !span_same(l->rows[at].key, key)) at++;
  if (at == LABELS_MAX) return "there are more than 32 labels with ";
  if (at < l->num && l->rows[at].value.data != NULL) return "this label is given twice: ";
  l->rows[at] = (struct label){key, value};
  l->has_values = true;
  if (at == l->num) l->num++;
  return NULL;
}
