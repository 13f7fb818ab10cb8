#include "tools/orca/html/html.h"

#include <string.h>

#include "tools/orca/html/data.h"
#include "tools/orca/html/page_bytes.h"

#define PIECE(bytes) ((struct span){(const char *)(bytes), sizeof(bytes)})

static void put_page_part(struct builder *b, struct span s) { builder_bytes(b, s.data, s.len); }

static bool put_data(struct builder *page, struct model *m) {
  struct gathered g;
  struct json j = {.out = page};
  bool is_complete = gather(&g, m) && data_write(&j, &g);
  gathered_free(&g);
  return is_complete;
}

/* Appends the text before a mark of page.html, and removes text and mark from `*rest`. */
static void put_before(struct builder *page, struct span *rest, const char *mark) {
  const char *at = memmem(rest->data, rest->len, mark, strlen(mark));
  size_t len = at == NULL ? rest->len : (size_t)(at - rest->data);
  put_page_part(page, (struct span){rest->data, len});
  size_t taken = at == NULL ? len : len + strlen(mark);
  *rest = (struct span){rest->data + taken, rest->len - taken};
}

bool html_write(struct builder *page, struct model *m) {
  struct span rest = PIECE(page_html);
  put_before(page, &rest, "/* page.css */");
  put_page_part(page, PIECE(page_css));
  put_before(page, &rest, "/* data */");
  bool is_complete = put_data(page, m);
  put_before(page, &rest, "/* page.js */");
  put_page_part(page, PIECE(page_js));
  put_page_part(page, rest);
  return is_complete && !page->failed;
}
