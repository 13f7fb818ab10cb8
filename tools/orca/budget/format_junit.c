#include <string.h>

#include "tools/orca/budget/format.h"
#include "tools/orca/budget/wording.h"
#include "tools/orca/render/escape.h"

/* Appends what is in `words`, escaped, and frees it. */
static void put_words(struct builder *b, struct builder *words) {
  escape_xml(b, (struct span){words->data, words->len});
  b->failed |= words->failed;
  builder_free(words);
}

static void put_failure(struct builder *b, const struct verdict *v, const struct verdict_row *row) {
  struct builder message = {0}, details = {0};
  wording_message(&message, v, row);
  wording_runs(&details, v, row, "");
  if (row->worst != NULL) builder_string(&details, row->worst->text);
  builder_string(&details, "\nadvice: ");
  builder_string(&details, budget_kinds[row->kind].advice);
  builder_string(&details, "\nmore: ");
  wording_command(&details, row);
  builder_format(b, "      <failure type=\"%s\" message=\"", budget_kinds[row->kind].word);
  put_words(b, &message);
  builder_string(b, "\">");
  put_words(b, &details);
  builder_string(b, "</failure>\n");
}

static void put_case(struct builder *b, const struct verdict *v, const struct verdict_row *row) {
  struct builder name = {0};
  wording_name(&name, row);
  builder_string(b, "    <testcase classname=\"orca.budget\" name=\"");
  put_words(b, &name);
  builder_string(b, "\" time=\"0\"");
  if (row->state == VERDICT_KEPT) {
    builder_string(b, "/>\n");
    return;
  }
  builder_string(b, ">\n");
  if (row->state == VERDICT_BROKEN) {
    put_failure(b, v, row);
  } else {
    struct builder why = {0};
    wording_unproven(&why, row);
    builder_string(b, "      <skipped message=\"");
    put_words(b, &why);
    builder_string(b, "\"/>\n");
  }
  builder_string(b, "    </testcase>\n");
}

void format_junit(struct builder *b, const struct verdict *v, const char *file) {
  builder_string(b,
                 "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n  <testsuite name=\"");
  escape_xml(b, (struct span){file, strlen(file)});
  builder_format(b, "\" tests=\"%zu\" failures=\"%zu\" errors=\"0\" skipped=\"%zu\" time=\"0\">\n",
                 v->num, v->num_broken, v->num_unproven);
  for (size_t i = 0; i < v->num; i++) put_case(b, v, &v->rows[i]);
  builder_string(b, "  </testsuite>\n</testsuites>\n");
}
