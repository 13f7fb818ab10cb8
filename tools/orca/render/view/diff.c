#include "tools/orca/render/view/diff.h"

#include "tools/orca/render/view/process.h"
#include "tools/orca/render/view/view.h"

static const char *const letters[] = {"A         ", "B         "};

static void put_line(struct builder *b, const struct style *style, const char *label,
                     const struct builder *text) {
  if (!text->failed) style_wrap(b, style, label, (struct span){text->data, text->len});
  b->failed |= text->failed;
}

/* "A         /tmp/shop: java -jar shop.jar", then lines about its length and CPU time. */
static void put_run(struct builder *b, const struct model *m, const char *letter,
                    const struct style *style) {
  struct builder text = {0};
  builder_format(&text, "%s: ", dump_prefix(m->dump));
  view_command_line(&text, m);
  put_line(b, style, letter, &text);
  text.len = 0;
  view_recorded(&text, m);
  builder_string(&text, "; JVM ");
  view_jvm(&text, m);
  builder_string(&text, "; ");
  recording_put_sampler(&text, &m->recording);
  put_line(b, style, "          ", &text);
  text.len = 0;
  if (m->process.known) {
    builder_string(&text, "CPU time ");
    view_process_cpu(&text, m);
    put_line(b, style, "          ", &text);
  }
  builder_free(&text);
  view_filter(b, m, style);
}

static void put_words(struct page *p, const struct comparison *c, const char *key,
                      void (*view)(struct builder *, const struct comparison *,
                                   const struct style *)) {
  struct builder text = {0};
  struct style style = page_style(p);
  view(&text, c, &style);
  page_sentences(p, key, &text);
}

void view_diff(struct page *p, const struct comparison *c, size_t top) {
  if (page_is_text(p)) {
    for (int side = 0; side < 2; side++) put_run(&p->out, c->runs[side], letters[side], &p->style);
  } else if (page_is_json(p)) {
    json_key(&p->json, "runs");
    json_begin_array(&p->json);
    for (int side = 0; side < 2; side++) view_facts_object(&p->json, c->runs[side]);
    json_end_array(&p->json);
    json_key(&p->json, "sources");
    json_begin_array(&p->json);
    for (int side = 0; side < 2; side++) view_source_object(&p->json, c->runs[side]->dump);
    json_end_array(&p->json);
  }
  put_words(p, c, "verdicts", view_diff_words);
  put_words(p, c, "not_comparable", view_diff_options);
  view_diff_totals(p, c);
  for (int part = 0; part < NUM_COMPARE_PARTS; part++) {
    view_diff_table(p, c, (enum compare_part)part, top);
  }
}
