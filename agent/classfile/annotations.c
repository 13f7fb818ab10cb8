#include "agent/classfile/annotations.h"

#define MAX_NESTING 64 /* of values in values; annotations that javac writes stay far below it */

static void skip_value(struct cursor *c, int nesting);

/* Skips the names and values of an annotation, which follow its type. */
static void skip_values(struct cursor *c, int nesting) {
  for (uint32_t left = take_u2(c); left > 0 && !c->failed; left--) {
    take_u2(c); /* name */
    skip_value(c, nesting);
  }
}

static void skip_value(struct cursor *c, int nesting) {
  uint32_t tag = take_u1(c);
  if (nesting == MAX_NESTING) c->failed = true;
  if (c->failed) return;
  if (tag == '@') {
    take_u2(c); /* type */
    skip_values(c, nesting + 1);
  } else if (tag == '[') {
    for (uint32_t left = take_u2(c); left > 0 && !c->failed; left--) skip_value(c, nesting + 1);
  } else {
    take_span(c, tag == 'e' ? 4 : 2);
  }
}

void annotation_skip(struct cursor *c) {
  take_u2(c); /* type */
  skip_values(c, 0);
}

bool annotations_contain(struct span body, const struct pool *pool, const char *type) {
  struct cursor c = cursor_over(body);
  for (uint32_t left = take_u2(&c); left > 0 && !c.failed; left--) {
    struct span found = pool_utf8(pool, take_u2(&c));
    skip_values(&c, 0);
    if (!c.failed && span_is(found, type)) return true;
  }
  return false;
}
