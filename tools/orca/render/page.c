#include "tools/orca/render/page.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tools/orca/render/unit.h"

#define ENDLESS ((size_t)1 << 30) /* columns: paragraphs are not broken into lines */

bool format_find(const char *name, enum format *out) {
  static const char *const names[] = {"text", "csv", "json"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    if (strcmp(names[i], name) != 0) continue;
    *out = (enum format)i;
    return true;
  }
  return false;
}

void page_start(struct page *p, int fd, enum format format, bool several) {
  *p = (struct page){.style = style_for(fd), .format = format, .several = several};
  p->has_whole_names = !isatty(fd);
  p->json.out = &p->out;
  if (format == FORMAT_JSON) json_begin_object(&p->json);
}

void page_make_brief(struct page *p) { p->is_brief = p->style.has_long_lines = true; }

void page_put_schema(struct page *p) {
  if (p->format == FORMAT_JSON) json_unsigned_member(&p->json, "schema", PAGE_SCHEMA);
}

void page_more(struct builder *b, size_t more) {
  builder_format(b, "    and %s more\n", UNIT_COUNT(more));
}

void page_put_rows(struct page *p, const struct table *t) {
  if (p->has_whole_names) {
    table_write_whole(&p->out, t, &p->style);
  } else {
    table_write(&p->out, t, &p->style);
  }
}

void page_table(struct page *p, const char *key, const char *heading, struct table *t,
                size_t more) {
  switch (p->format) {
    case FORMAT_TEXT:
      if (t != NULL && table_rows(t) == 0) break;
      style_heading(&p->out, &p->style, heading);
      page_put_rows(p, t);
      if (more > 0) page_more(&p->out, more);
      break;
    case FORMAT_CSV:
      table_csv(&p->out, t, p->several ? key : NULL);
      break;
    case FORMAT_JSON:
      json_key(&p->json, key);
      table_json(&p->json, t);
      break;
  }
  table_free(t);
}

struct style page_style(const struct page *p) {
  struct style style = p->style;
  if (p->format != FORMAT_TEXT) style = (struct style){.width = ENDLESS};
  return style;
}

void page_sentences(struct page *p, const char *key, struct builder *text) {
  struct span rest = {text->data, text->len}, line;
  p->out.failed |= text->failed;
  if (p->format == FORMAT_TEXT) builder_bytes(&p->out, rest.data, rest.len);
  if (p->format == FORMAT_JSON) {
    json_key(&p->json, key);
    json_begin_array(&p->json);
    while (span_cut(&rest, '\n', &line)) {
      if (line.len < 2 || memcmp(line.data, "* ", 2) != 0) continue;
      json_string(&p->json, (struct span){line.data + 2, line.len - 2});
    }
    json_end_array(&p->json);
  }
  builder_free(text);
}

bool page_print(struct page *p) {
  if (p->format == FORMAT_JSON) {
    json_end_object(&p->json);
    builder_char(&p->out, '\n');
  }
  bool is_complete = !p->out.failed;
  size_t start = is_complete && p->out.len > 0 && p->out.data[0] == '\n';
  if (is_complete && p->out.len > start) fwrite(p->out.data + start, 1, p->out.len - start, stdout);
  fflush(stdout); /* what comes on stderr comes after it, also in one file */
  page_free(p);
  return is_complete;
}

void page_free(struct page *p) { builder_free(&p->out); }
