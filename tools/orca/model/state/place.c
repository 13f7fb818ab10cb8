#include "tools/orca/model/state/place.h"

#include <string.h>

#include "agent/event/line.h"

place_t place_of_frame(const struct dump *d, struct frame frame) {
  return place(frame.method, dump_source_line(d, frame));
}

struct span place_type(const struct dump *d, uint32_t method) {
  const struct method_line *m = dump_method(d, method);
  const struct class_line *c = m == NULL ? NULL : dump_class(d, m->class_id);
  return c == NULL ? (struct span){"", 0} : c->signature;
}

bool place_is_platform(const struct dump *d, uint32_t method) {
  return is_platform_type(place_type(d, method));
}

/* Object.wait, Thread.sleep and Thread.join are on top of the stacks of many waiting threads. */
static bool is_object_or_thread(const struct dump *d, uint32_t method) {
  struct span signature = place_type(d, method);
  return span_is(signature, "Ljava/lang/Object;") || span_is(signature, "Ljava/lang/Thread;");
}

/* Returns how many frames at the top of the stack are in methods for which `is_skipped` is true. */
static size_t count_skipped(const struct dump *d, const struct frame *frames, size_t depth,
                            bool (*is_skipped)(const struct dump *, uint32_t)) {
  size_t num = 0;
  while (num < depth && is_skipped(d, frames[num].method)) num++;
  return num;
}

place_t place_of_stack(const struct dump *d, const struct frame *frames, size_t depth) {
  if (depth > 1 && pseudo_is(frames[depth - 1].method)) depth--;
  if (depth == 0) return 0;
  size_t i = count_skipped(d, frames, depth, place_is_platform);
  if (i == depth) i = count_skipped(d, frames, depth, is_object_or_thread);
  return place_of_frame(d, frames[i == depth ? 0 : i]);
}

bool place_is_class(struct span signature, const char *end) {
  size_t len = strlen(end);
  if (signature.len < len + 2 || signature.data[0] != 'L') return false;
  const char *at = signature.data + signature.len - 1 - len; /* before the ';' */
  bool is_name = at[-1] == '/' || at == signature.data + 1;
  return is_name && memcmp(at, end, len) == 0;
}

/* --- pseudo frames ------------------------------------------------------------------------ */

static const char *const pseudo_names[NUM_PSEUDOS] = {
#define PSEUDO(id, text) text,
#include "tools/orca/model/state/pseudo.def"
};

void pseudo_put_name(struct builder *b, const struct dump *d, uint32_t method) {
  size_t depth = dump_coverage(d)->depth;
  if (method != pseudo_method(PSEUDO_DEEPER) || depth == SIZE_MAX) {
    builder_string(b, pseudo_names[method - PSEUDO_FIRST_ID]);
    return;
  }
  builder_string(b, "(deeper than ");
  text_decimal(b, (int64_t)depth);
  builder_char(b, ')');
}
