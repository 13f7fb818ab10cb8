#include "tools/orca/budget/measure/key.h"

#include <string.h>

#include "tools/orca/model/names.h"

/* Cuts off all that follows the first `mark` after `start`. */
static void cut_after(struct builder *b, size_t start, const char *mark) {
  if (b->failed || b->len == start) return;
  const char *hit = memmem(b->data + start, b->len - start, mark, strlen(mark));
  if (hit != NULL) b->len = (size_t)(hit - b->data) + strlen(mark);
}

void key_class(struct builder *b, const struct dump *d, uint32_t class_id) {
  size_t start = b->len;
  if (class_id == 0) {
    builder_string(b, "(unknown class)");
    return;
  }
  names_class(b, d, class_id);
  cut_after(b, start, "$$Lambda");
  cut_after(b, start, "$Proxy");
  cut_after(b, start, "GeneratedMethodAccessor");
}

/* Compilers number the methods of lambdas: javac's lambda$add$3, scalac's $anonfun$add$3. */
static void cut_number(struct builder *b, size_t start) {
  size_t len = b->len;
  if (b->failed || len == start) return;
  bool is_lambda = memmem(b->data + start, len - start, "lambda$", 7) != NULL ||
                   memmem(b->data + start, len - start, "$anonfun$", 9) != NULL;
  while (len > start && b->data[len - 1] >= '0' && b->data[len - 1] <= '9') len--;
  if (is_lambda && len < b->len && len > start && b->data[len - 1] == '$') b->len = len - 1;
}

void key_method(struct builder *b, const struct dump *d, uint32_t method) {
  const struct method_line *line = dump_method(d, method);
  if (line == NULL) {
    builder_string(b, "(unknown method)");
    return;
  }
  key_class(b, d, line->class_id);
  builder_char(b, '.');
  size_t start = b->len;
  text_plain(b, line->name);
  cut_number(b, start);
}

void key_lock(struct builder *b, const struct dump *d, uint32_t object, place_t place) {
  key_class(b, d, locks_class(d, object));
  builder_string(b, " at ");
  key_method(b, d, place_method(place));
}

static void put_link(struct builder *b, const struct model *m, const struct order_ring *ring,
                     size_t link) {
  const struct order *order = &m->orders.links[ring->first + link % ring->num];
  key_lock(b, m->dump, order->asks.object, stacks_place(&m->stacks, order->asks_stack));
}

static bool is_before(const struct model *m, const struct order_ring *ring, size_t a, size_t b) {
  struct builder left = {0}, right = {0};
  for (size_t i = 0; i < ring->num; i++) {
    put_link(&left, m, ring, a + i);
    builder_char(&left, '\n');
    put_link(&right, m, ring, b + i);
    builder_char(&right, '\n');
  }
  builder_char(&left, '\0');
  builder_char(&right, '\0');
  bool before = !left.failed && !right.failed && strcmp(left.data, right.data) < 0;
  builder_free(&left);
  builder_free(&right);
  return before;
}

void key_ring(struct builder *b, const struct model *m, const struct order_ring *ring) {
  size_t first = 0;
  for (size_t i = 1; i < ring->num; i++) {
    if (is_before(m, ring, i, first)) first = i;
  }
  for (size_t i = 0; i < ring->num; i++) {
    if (i > 0) builder_string(b, " > ");
    put_link(b, m, ring, first + i);
  }
}
