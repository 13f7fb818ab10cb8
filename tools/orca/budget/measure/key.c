#include "tools/orca/budget/measure/key.h"

#include <string.h>

#include "tools/orca/model/names.h"

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* Classes that are made at run time have numbers, hashes or random letters after these words. */
static const char *const made_marks[] = {"$$Lambda",
                                         "$Proxy",
                                         "GeneratedMethodAccessor",
                                         "GeneratedConstructorAccessor",
                                         "GeneratedSerializationConstructorAccessor",
                                         "CGLIB$$",
                                         "ByGuice$$",
                                         "_$$_jvst",
                                         "$MockitoMock$",
                                         "$ByteBuddy$",
                                         "$HibernateProxy$",
                                         "$auxiliary$"};

/* Cuts off what follows the first of the marks after `start`. A class of the program, such as
   Shop$ProxyList, has letters there. */
static void cut_after_marks(struct builder *b, size_t start) {
  for (size_t i = 0; !b->failed && i < sizeof made_marks / sizeof *made_marks; i++) {
    size_t len = strlen(made_marks[i]);
    bool ends_word = made_marks[i][len - 1] == '$' || strcmp(made_marks[i], "$$Lambda") == 0;
    const char *hit =
        b->len == start ? NULL : memmem(b->data + start, b->len - start, made_marks[i], len);
    if (hit == NULL) continue;
    size_t end = (size_t)(hit - b->data) + len;
    if (ends_word || (end < b->len && is_digit(b->data[end]))) b->len = end;
  }
}

/* Compilers number anonymous classes, Shop$1, and the JDK the packages of proxies, jdk.proxy2. A
   new class above, or another order in time, changes all these numbers. */
static void cut_class_numbers(struct builder *b, size_t start) {
  static const char proxy[] = "jdk.proxy";
  size_t kept = start;
  bool is_proxy = !b->failed && b->len - start > strlen(proxy) &&
                  memcmp(b->data + start, proxy, strlen(proxy)) == 0;
  for (size_t i = start; !b->failed && i < b->len;) {
    size_t end = i;
    while (end < b->len && is_digit(b->data[end])) end++;
    bool is_anonymous =
        i > start && b->data[i - 1] == '$' && (end == b->len || b->data[end] == '$');
    bool is_package = is_proxy && i == start + strlen(proxy) && end < b->len && b->data[end] == '.';
    if (end > i && !is_anonymous && !is_package) {
      memmove(b->data + kept, b->data + i, end - i);
      kept += end - i;
    }
    if (end == i) b->data[kept++] = b->data[end++];
    i = end;
  }
  if (!b->failed) b->len = kept;
}

void key_class(struct builder *b, const struct dump *d, uint32_t class_id) {
  size_t start = b->len;
  if (class_id == 0) {
    builder_string(b, "(unknown class)");
    return;
  }
  names_class(b, d, class_id);
  cut_after_marks(b, start);
  cut_class_numbers(b, start);
}

/* Compilers number the methods of lambdas: javac's lambda$add$3, scalac's $anonfun$add$3. */
static void cut_number(struct builder *b, size_t start) {
  size_t len = b->len;
  if (b->failed || len == start) return;
  bool is_lambda = memmem(b->data + start, len - start, "lambda$", 7) != NULL ||
                   memmem(b->data + start, len - start, "$anonfun$", 9) != NULL;
  while (len > start && is_digit(b->data[len - 1])) len--;
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

/* --- rings -------------------------------------------------------------------------------- */

/* Appends the keys of all links, from this one on. */
static void put_links(struct builder *b, const struct key_links *links, size_t first) {
  for (size_t i = 0; i < links->num; i++) {
    if (i > 0) builder_string(b, " > ");
    links->put_link(b, links->arg, (first + i) % links->num);
  }
}

static bool is_less(const struct builder *a, const struct builder *b) {
  size_t len = a->len < b->len ? a->len : b->len;
  int order = len == 0 ? 0 : memcmp(a->data, b->data, len);
  return order != 0 ? order < 0 : a->len < b->len;
}

size_t key_ring(struct builder *b, const struct key_links *links) {
  struct builder least = {0}, other = {0};
  size_t first = 0;
  put_links(&least, links, 0);
  for (size_t i = 1; i < links->num; i++) {
    other.len = 0;
    put_links(&other, links, i);
    b->failed |= least.failed || other.failed;
    if (b->failed || !is_less(&other, &least)) continue;
    struct builder swapped = least;
    least = other;
    other = swapped;
    first = i;
  }
  b->failed |= least.failed;
  if (!b->failed) builder_bytes(b, least.data, least.len);
  builder_free(&least);
  builder_free(&other);
  return first;
}

struct order_links {
  const struct model *model;
  const struct order *links;
};

static void put_order_link(struct builder *b, const void *arg, size_t link) {
  const struct order_links *ring = arg;
  const struct order *order = &ring->links[link];
  key_lock(b, ring->model->dump, order->asks.object,
           stacks_place(&ring->model->stacks, order->asks_stack));
}

void key_order_ring(struct builder *b, const struct model *m, const struct order_ring *ring) {
  struct order_links links = {m, &m->orders.links[ring->first]};
  key_ring(b, &(struct key_links){ring->num, put_order_link, &links});
}
