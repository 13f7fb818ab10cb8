#include "agent/classfile/rename.h"

#include <string.h>

#include "agent/classfile/pool.h"

#define HEAD 8 /* bytes before constant_pool_count */
#define TAG_UTF8 1
#define MAX_TEXT 0xFFFF /* bytes of a CONSTANT_Utf8 */

static const struct renaming *find_renaming(struct span text, const struct renaming *r,
                                            size_t num) {
  for (size_t i = 0; i < num; i++) {
    size_t len = strlen(r[i].from);
    if (len <= text.len && memcmp(text.data, r[i].from, len) == 0) return &r[i];
  }
  return NULL;
}

static void put_renamed(struct builder *out, struct span text, const struct renaming *r,
                        size_t num) {
  while (text.len > 0) {
    const struct renaming *found = find_renaming(text, r, num);
    size_t taken = found == NULL ? 1 : strlen(found->from);
    if (found == NULL) {
      builder_char(out, text.data[0]);
    } else {
      builder_string(out, found->to);
    }
    text.data += taken;
    text.len -= taken;
  }
}

/* Appends a CONSTANT_Utf8 with its tag. */
static bool put_utf8(struct builder *out, struct span text, const struct renaming *r, size_t num) {
  put_u1(out, TAG_UTF8);
  size_t at = out->len;
  put_u2(out, 0);
  put_renamed(out, text, r, num);
  size_t len = out->failed ? 0 : out->len - at - 2;
  if (out->failed || len > MAX_TEXT) return false;
  poke_u2(out->data + at, (uint32_t)len);
  return true;
}

/* Returns the offset of the byte after entry `i`: the entries follow each other. */
static uint32_t find_end(const struct pool *p, uint32_t i) {
  do {
    i++;
  } while (i < p->num_read && p->starts[i] == 0);
  return i < p->num_read ? p->starts[i] : p->end;
}

static bool put_pool(const struct pool *p, const struct renaming *r, size_t num,
                     struct builder *out) {
  put_u2(out, p->num_read);
  for (uint32_t i = 1; i < p->num_read; i++) {
    struct span text = pool_utf8(p, i);
    if (p->starts[i] == 0) continue;
    if (text.data == NULL) {
      builder_bytes(out, p->data + p->starts[i], find_end(p, i) - p->starts[i]);
    } else if (!put_utf8(out, text, r, num)) {
      return false;
    }
  }
  return true;
}

bool class_rename(struct span class_file, const struct renaming *renamings, size_t num,
                  struct builder *out) {
  struct cursor c = cursor_over(class_file);
  struct span head = take_span(&c, HEAD);
  struct pool pool;
  if (head.data == NULL || pool_read(&pool, &c) != WEAVE_WOVEN) return false;
  builder_bytes(out, head.data, head.len);
  bool good = put_pool(&pool, renamings, num, out);
  builder_bytes(out, class_file.data + c.at, class_file.len - c.at);
  pool_free(&pool);
  return good && !out->failed;
}
