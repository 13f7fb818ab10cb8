#include "tools/orca/dump/option_changes.h"

#include <stdlib.h>

static bool parse_change(struct span value, struct option_change *out) {
  struct span rest = value, from, to;
  return span_cut(&rest, ',', &from) && span_cut(&rest, ',', &to) &&
         span_cut(&rest, ',', &out->cause) && span_cut(&rest, '=', &out->key) &&
         rest.data != NULL && text_parse_ticks(from, &out->from) &&
         text_parse_ticks(to, &out->to) && out->from <= out->to && (out->value = rest, true);
}

bool option_changes_add(struct option_changes *c, struct arena *memory, struct span value) {
  struct option_change change;
  if (!parse_change(value, &change)) return true;
  if (c->num > 0 && change.from < c->rows[c->num - 1].from) return true;
  struct span copy = arena_keep(memory, value);
  if (copy.data == NULL) return false;
  parse_change(copy, &change);
  if (c->num == c->capacity) {
    size_t capacity = c->capacity == 0 ? 8 : 2 * c->capacity;
    struct option_change *rows = realloc(c->rows, capacity * sizeof *rows);
    if (rows == NULL) return false;
    c->rows = rows;
    c->capacity = capacity;
  }
  c->rows[c->num++] = change;
  return true;
}

const struct option_change *option_changes_next(const struct option_changes *c, const char *key,
                                                const struct option_change *before) {
  size_t at = before == NULL ? 0 : (size_t)(before - c->rows) + 1;
  while (at < c->num && !span_is(c->rows[at].key, key)) at++;
  return at < c->num ? &c->rows[at] : NULL;
}

void option_changes_free(struct option_changes *c) {
  free(c->rows);
  *c = (struct option_changes){0};
}
