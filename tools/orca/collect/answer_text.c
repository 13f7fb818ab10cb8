#include "tools/orca/collect/answer.h"
#include "tools/orca/render/escape.h"
#include "tools/orca/render/page.h"
#include "tools/orca/render/unit.h"

static void put_safe(struct builder *b, const char *text) {
  escape_utf8(b, (struct span){text, strlen(text)});
}

static void put_lines(struct builder *b, const char *text) {
  struct span rest = {text, strlen(text)}, line;
  while (rest.len > 0 && span_cut(&rest, '\n', &line)) {
    builder_string(b, "  ");
    escape_utf8(b, line);
    builder_char(b, '\n');
  }
}

static void put_problem(struct builder *b, const struct collection *c,
                        const struct collected_row *row) {
  struct builder command = {0};
  builder_format(b, "\n%s: ", budget_kinds[row->kind].word);
  put_safe(b, row->key);
  builder_string(b, "\n  in ");
  unit_many(b, row->number, "recording", "recordings");
  builder_string(b, " of ");
  answer_tests(b, c, row);
  builder_char(b, '\n');
  put_lines(b, row->text);
  builder_format(b, "  advice: %s\n  more: ", budget_kinds[row->kind].advice);
  answer_command(&command, row);
  builder_char(&command, '\0');
  if (!command.failed) put_safe(b, command.data);
  b->failed |= command.failed;
  builder_free(&command);
  builder_char(b, '\n');
}

static void put_problems(struct builder *b, const struct collection *c, size_t top) {
  for (int kind = BUDGET_DEADLOCK; kind <= BUDGET_IO; kind++) {
    size_t num;
    const struct collected_row *rows = collection_of(c, kind, &num);
    for (size_t i = 0; i < num && i < top; i++) put_problem(b, c, &rows[i]);
    if (num > top) {
      builder_format(b, "\n%s: %s more\n", budget_kinds[kind].word, UNIT_COUNT(num - top));
    }
  }
}

static void put_unproven(struct builder *b, const struct collection *c) {
  size_t num;
  const struct collected_row *rows = collection_of(c, COLLECTED_UNPROVEN, &num);
  if (num > 0) builder_string(b, "\nNot known, as these recordings do not contain it\n");
  for (size_t i = 0; i < num; i++) {
    builder_string(b, "  in ");
    unit_many(b, rows[i].number, "recording", "recordings");
    builder_format(b, ": %s\n", rows[i].key);
  }
}

static void put_head(struct builder *b, const struct collection *c,
                     const struct answer_context *x) {
  builder_string(b, "Build     ");
  put_safe(b, x->file);
  if (!c->build->is_complete) builder_string(b, ", which has no end: the build was interrupted");
  builder_string(b, "\nTests     ");
  answer_sum(b, c);
  if (c->recordings > 0) builder_string(b, "\nLost      ");
  if (c->lost > 0) unit_many(b, c->lost, "event", "events");
  if (c->recordings > 0 && c->lost == 0) builder_string(b, "nothing");
  if (c->build->skipped > 0) {
    builder_string(b, "\nSkipped   ");
    unit_many(b, c->build->skipped, "build event that is", "build events that are");
    builder_string(b, " longer than 4 MB");
  }
  builder_char(b, '\n');
}

void answer_text(struct builder *b, const struct collection *c, const struct answer_context *x) {
  struct page p;
  page_start(&p, -1, FORMAT_TEXT, true);
  put_head(&p.out, c, x);
  put_problems(&p.out, c, x->top);
  for (size_t i = 0; i < NUM_ANSWER_TABLES; i++) {
    size_t more = 0;
    struct table *t = answer_tables[i].make(c, x, &more);
    page_table(&p, "", answer_tables[i].heading, t, more);
  }
  put_unproven(&p.out, c);
  b->failed |= p.out.failed;
  if (!b->failed) builder_bytes(b, p.out.data, p.out.len);
  page_free(&p);
}
