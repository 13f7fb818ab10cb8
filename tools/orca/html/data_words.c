#include <string.h>

#include "tools/orca/html/data.h"
#include "tools/orca/render/view/say.h"
#include "tools/orca/render/view/view.h"

/* A style for the sentences of `orca report` in which each paragraph is one line. */
static const struct style endless = {.width = (size_t)1 << 30};

static void put_sentences(struct data *d, const char *key, struct builder *text) {
  struct span rest = {text->data, text->len}, line;
  json_key(d->j, key);
  json_begin_array(d->j);
  while (!text->failed && span_cut(&rest, '\n', &line)) {
    if (line.len < 2 || memcmp(line.data, "* ", 2) != 0) continue;
    json_string(d->j, (struct span){line.data + 2, line.len - 2});
  }
  json_end_array(d->j);
  d->failed |= text->failed;
  builder_free(text);
}

static void put_findings(struct data *d) {
  const struct findings *f = &d->g->answer.findings;
  json_key(d->j, "verdicts");
  json_begin_array(d->j);
  for (size_t i = 0; i < f->num; i++) {
    struct builder text = {0};
    say_finding(&text, &f->rows[i]);
    json_string(d->j, (struct span){text.data, text.len});
    d->failed |= text.failed;
    builder_free(&text);
  }
  json_end_array(d->j);
}

/* A fact is a line "CPU time  5.56 s in Java threads": a label, at least two spaces, the text. */
static void put_facts(struct data *d) {
  struct builder text = {0};
  view_header(&text, d->m, &endless);
  struct json *j = d->j;
  struct span rest = {text.data, text.len}, line;
  json_key(j, "facts");
  json_begin_array(j);
  while (!text.failed && span_cut(&rest, '\n', &line)) {
    if (line.len == 0) continue;
    const char *end = memmem(line.data, line.len, "  ", 2);
    size_t label = end == NULL ? line.len : (size_t)(end - line.data), at = label;
    while (at < line.len && line.data[at] == ' ') at++;
    json_begin_array(j);
    json_string(j, (struct span){line.data, label});
    json_string(j, (struct span){line.data + at, line.len - at});
    json_end_array(j);
  }
  json_end_array(j);
  d->failed |= text.failed;
  builder_free(&text);
}

void data_words(struct data *d) {
  struct builder losses = {0};
  view_losses(&losses, d->m, &endless);
  put_facts(d);
  put_findings(d);
  put_sentences(d, "losses", &losses);
}
