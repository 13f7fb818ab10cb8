#include <string.h>

#include "tools/orca/budget/format.h"
#include "tools/orca/budget/wording.h"
#include "tools/orca/render/escape.h"

static const char *const state_words[] = {
    [VERDICT_KEPT] = "kept", [VERDICT_BROKEN] = "**broken**", [VERDICT_UNPROVEN] = "not proven"};

/* Appends what is in `words`, escaped, and frees it. */
static void put_words(struct builder *b, struct builder *words) {
  escape_markdown(b, (struct span){words->data, words->len});
  b->failed |= words->failed;
  builder_free(words);
}

static void put_row(struct builder *b, const struct verdict_row *row) {
  struct builder name = {0}, limit = {0}, found = {0};
  wording_name(&name, row);
  wording_limit(&limit, row);
  if (row->worst != NULL) wording_figure(&found, row->worst_run, row->worst);
  if (row->why != NULL && found.len > 0) builder_string(&found, "; ");
  if (row->why != NULL) builder_string(&found, row->why);
  builder_format(b, "| %s | ", state_words[row->state]);
  put_words(b, &name);
  builder_string(b, " | ");
  put_words(b, &limit);
  builder_string(b, " | ");
  put_words(b, &found);
  builder_string(b, " |\n");
}

/* A block of four spaces shows its text as it is, so only bytes that are no text are replaced. */
static void put_block(struct builder *b, const char *text) {
  struct span rest = {text, strlen(text)}, line;
  while (rest.len > 0 && span_cut(&rest, '\n', &line)) {
    builder_string(b, "    ");
    escape_utf8(b, line);
    builder_char(b, '\n');
  }
}

static void put_details(struct builder *b, const struct verdict *v, const struct verdict_row *row) {
  struct builder name = {0}, block = {0};
  wording_name(&name, row);
  builder_string(b, "\n#### ");
  put_words(b, &name);
  builder_string(b, "\n\n");
  wording_runs(&block, v, row, "");
  if (row->worst != NULL) builder_string(&block, row->worst->text);
  builder_string(&block, "\nmore: ");
  wording_command(&block, row);
  builder_char(&block, '\0');
  if (!block.failed) put_block(b, block.data);
  b->failed |= block.failed;
  builder_free(&block);
}

void format_markdown(struct builder *b, const struct verdict *v, const char *file) {
  struct builder sum = {0};
  builder_string(b, "### ");
  escape_markdown(b, (struct span){file, strlen(file)});
  builder_string(b, ": ");
  wording_sum(&sum, v);
  put_words(b, &sum);
  builder_string(b, "\n\n| | budget | allowed | found |\n|---|---|---|---|\n");
  for (size_t i = 0; i < v->num; i++) put_row(b, &v->rows[i]);
  for (size_t i = 0; i < v->num; i++) {
    if (v->rows[i].state == VERDICT_BROKEN) put_details(b, v, &v->rows[i]);
  }
}
