#include <string.h>

#include "tools/orca/budget/budget_text.h"
#include "tools/orca/budget/format.h"
#include "tools/orca/budget/wording.h"

/* Appends each line of a text, indented. */
static void put_lines(struct builder *b, const char *text) {
  struct span rest = {text, strlen(text)}, line;
  while (rest.len > 0 && span_cut(&rest, '\n', &line)) {
    builder_string(b, "  ");
    builder_bytes(b, line.data, line.len);
    builder_char(b, '\n');
  }
}

static void put_broken(struct builder *b, const struct verdict *v, const struct verdict_row *row) {
  builder_string(b, "BROKEN  ");
  wording_name(b, row);
  builder_string(b, "\n  allowed: ");
  wording_limit(b, row);
  if (row->row != NULL && strcmp(row->row->key, BUDGET_ANY_LOCK) == 0) {
    builder_string(b, " (the line lock: *)");
  }
  builder_string(b, "\n  found in\n");
  wording_runs(b, v, row, "    ");
  if (row->worst != NULL) put_lines(b, row->worst->text);
  builder_string(b, "  advice: ");
  builder_string(b, budget_kinds[row->kind].advice);
  builder_string(b, "\n  more: ");
  wording_command(b, row);
  builder_string(b, "\n\n");
}

static void put_unproven(struct builder *b, const struct verdict_row *row) {
  builder_string(b, "NOT PROVEN  ");
  wording_name(b, row);
  builder_string(b, ": ");
  wording_unproven(b, row);
  builder_char(b, '\n');
}

void format_text(struct builder *b, const struct verdict *v, const char *file) {
  for (size_t i = 0; i < v->num; i++) {
    if (v->rows[i].state == VERDICT_BROKEN) put_broken(b, v, &v->rows[i]);
  }
  for (size_t i = 0; i < v->num; i++) {
    if (v->rows[i].state == VERDICT_UNPROVEN) put_unproven(b, &v->rows[i]);
  }
  builder_string(b, file);
  builder_string(b, ": ");
  wording_sum(b, v);
  builder_char(b, '\n');
}
