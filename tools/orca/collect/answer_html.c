#include "tools/orca/collect/answer.h"
#include "tools/orca/render/escape.h"
#include "tools/orca/render/unit.h"

static const char head[] =
    "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width\">\n<title>Orca: locks of a "
    "build</title>\n"
    "<style>\n"
    ":root{color-scheme:light dark}\n"
    "body{font:15px/1.5 system-ui,sans-serif;max-width:110rem;margin:2rem auto;padding:0 1rem;\n"
    " color:light-dark(#22272c,#e3e6e8);background:light-dark(#faf9f7,#14171a)}\n"
    "h2{margin:2rem 0 .5rem;font-size:1.15rem}\n"
    "table{border-collapse:collapse}\n"
    "th,td{padding:.2rem .8rem .2rem 0;text-align:left;vertical-align:top;overflow-wrap:anywhere;\n"
    " border-bottom:1px solid light-dark(#e7e4df,#2d3238)}\n"
    "th{font-weight:600;color:light-dark(#656d75,#98a0a8)}\n"
    ".number{text-align:right;white-space:nowrap}\n"
    "details{margin:.4rem 0;padding:.4rem .8rem;border-left:3px solid "
    "light-dark(#b93a25,#f08a76);\n"
    " background:light-dark(#ffffff,#1b1f23)}\n"
    "pre,code{font-family:ui-monospace,monospace;font-size:.9em;white-space:pre-wrap;overflow-wrap:"
    "anywhere}\n"
    "</style></head><body>\n<h1>Locks of a build</h1>\n";

static void put_text(struct builder *b, const char *text) {
  escape_xml(b, (struct span){text, strlen(text)});
}

/* Appends what a function of answer.h appends, as text. */
static void put_built(struct builder *b, struct builder *text) {
  if (!text->failed) escape_xml(b, (struct span){text->data, text->len});
  b->failed |= text->failed;
  builder_free(text);
}

static void put_problem(struct builder *b, const struct collection *c,
                        const struct collected_row *row) {
  struct builder tests = {0}, command = {0};
  answer_tests(&tests, c, row);
  answer_command(&command, row);
  builder_format(b, "<details><summary><b>%s</b> ", budget_kinds[row->kind].word);
  put_text(b, row->key);
  builder_string(b, "<br>in ");
  unit_many(b, row->number, "recording", "recordings");
  builder_string(b, " of ");
  put_built(b, &tests);
  builder_string(b, "</summary>\n<pre>");
  put_text(b, row->text);
  builder_string(b, "</pre><p>");
  put_text(b, budget_kinds[row->kind].advice);
  builder_string(b, "</p><code>");
  put_built(b, &command);
  builder_string(b, "</code></details>\n");
}

static void put_problems(struct builder *b, const struct collection *c, size_t top) {
  size_t all = 0;
  builder_string(b, "<h2>Problems</h2>\n");
  for (int kind = BUDGET_DEADLOCK; kind <= BUDGET_IO; kind++) {
    size_t num;
    const struct collected_row *rows = collection_of(c, kind, &num);
    for (size_t i = 0; i < num && i < top; i++) put_problem(b, c, &rows[i]);
    if (num > top) builder_format(b, "<p>and %s more</p>\n", UNIT_COUNT(num - top));
    all += num;
  }
  if (all == 0) builder_string(b, "<p>none</p>\n");
}

static void put_unproven(struct builder *b, const struct collection *c) {
  size_t num;
  const struct collected_row *rows = collection_of(c, COLLECTED_UNPROVEN, &num);
  if (num > 0) builder_string(b, "<h2>Not known, as these recordings do not contain it</h2>\n<ul>");
  for (size_t i = 0; i < num; i++) {
    builder_string(b, "<li>in ");
    unit_many(b, rows[i].number, "recording", "recordings");
    builder_string(b, ": ");
    put_text(b, rows[i].key);
    builder_string(b, "</li>\n");
  }
  if (num > 0) builder_string(b, "</ul>\n");
}

static void put_sum(struct builder *b, const struct collection *c, const struct answer_context *x) {
  struct builder sum = {0};
  answer_sum(&sum, c);
  builder_string(b, "<p><code>");
  put_text(b, x->file);
  builder_string(b, "</code><br>");
  put_built(b, &sum);
  builder_string(b, "<br>Lost events: ");
  unit_count(b, c->lost);
  if (!c->build->is_complete) builder_string(b, "<br>The build was interrupted.");
  builder_string(b, "</p>\n");
}

void answer_html(struct builder *b, const struct collection *c, const struct answer_context *x) {
  builder_string(b, head);
  put_sum(b, c, x);
  put_problems(b, c, x->top);
  for (size_t i = 0; i < NUM_ANSWER_TABLES; i++) {
    size_t more = 0;
    struct table *t = answer_tables[i].make(c, x, &more);
    if (t == NULL || table_rows(t) > 0) {
      builder_format(b, "<h2>%s</h2>\n", answer_tables[i].heading);
      table_html(b, t);
      if (more > 0) builder_format(b, "<p>and %s more</p>\n", UNIT_COUNT(more));
    }
    table_free(t);
  }
  put_unproven(b, c);
  builder_string(b, "</body></html>\n");
}
