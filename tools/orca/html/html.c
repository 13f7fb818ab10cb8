#include "tools/orca/html/html.h"

#include <string.h>

#include "tools/orca/html/data.h"
#include "tools/orca/html/page_bytes.h"

#define PIECE(bytes) ((struct span){(const char *)(bytes), sizeof(bytes)})

static void put_page_part(struct builder *b, struct span s) { builder_bytes(b, s.data, s.len); }

/* The data of one recording, or an array of two. */
static bool put_data(struct json *j, struct model *const *models, size_t num) {
  bool is_complete = true;
  if (num > 1) json_begin_array(j);
  for (size_t i = 0; i < num && is_complete; i++) {
    struct gathered g;
    is_complete = gather(&g, models[i], num) && data_write(j, &g);
    gathered_free(&g);
  }
  if (num > 1) json_end_array(j);
  return is_complete;
}

static bool put_comparison(struct builder *page, struct model *const *models, size_t num) {
  if (num > 1) return data_comparison(page, models[0], models[1]);
  builder_string(page, "null");
  return true;
}

/* Appends the text before a mark of page.html, and removes text and mark from `*rest`. */
static void put_before(struct builder *page, struct span *rest, const char *mark) {
  const char *at = memmem(rest->data, rest->len, mark, strlen(mark));
  size_t len = at == NULL ? rest->len : (size_t)(at - rest->data);
  put_page_part(page, (struct span){rest->data, len});
  size_t taken = at == NULL ? len : len + strlen(mark);
  *rest = (struct span){rest->data + taken, rest->len - taken};
}

static bool put_page(struct builder *page, struct model *const *models, size_t num) {
  struct span rest = PIECE(page_html);
  struct json j = {.out = page};
  put_before(page, &rest, "/* page.css */");
  put_page_part(page, PIECE(page_css));
  put_before(page, &rest, "/* data */");
  bool is_complete = put_data(&j, models, num);
  put_before(page, &rest, "/* comparison */");
  is_complete = is_complete && put_comparison(page, models, num);
  put_before(page, &rest, "/* page.js */");
  put_page_part(page, PIECE(page_js));
  put_page_part(page, rest);
  return is_complete && !page->failed;
}

bool html_write(struct builder *page, struct model *m) { return put_page(page, &m, 1); }

bool html_write_comparison(struct builder *page, struct model *before, struct model *after) {
  struct model *const models[] = {before, after};
  return put_page(page, models, 2);
}
