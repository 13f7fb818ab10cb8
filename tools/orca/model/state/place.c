#include "tools/orca/model/state/place.h"

#include <string.h>

#include "tools/orca/model/state/pseudo.h"

place_t place_of_frame(const struct dump *d, struct frame frame) {
  return place(frame.method, dump_source_line(d, frame));
}

static struct span class_of(const struct dump *d, uint32_t method) {
  const struct method_line *m = dump_method(d, method);
  const struct class_line *c = m == NULL ? NULL : dump_class(d, m->class_id);
  return c == NULL ? (struct span){"", 0} : c->signature;
}

bool place_is_platform(const struct dump *d, uint32_t method) {
  static const char *const roots[] = {"Ljava/", "Ljavax/", "Ljdk/", "Lsun/", "Lcom/sun/"};
  struct span signature = class_of(d, method);
  for (size_t i = 0; i < sizeof roots / sizeof *roots; i++) {
    if (span_starts(signature, roots[i])) return true;
  }
  return false;
}

/* Where a wait, sleep or join is always on top. */
static bool is_call_itself(const struct dump *d, uint32_t method) {
  struct span signature = class_of(d, method);
  return span_is(signature, "Ljava/lang/Object;") || span_is(signature, "Ljava/lang/Thread;");
}

static size_t first_but(const struct dump *d, const struct frame *frames, size_t depth,
                        bool (*skipped)(const struct dump *, uint32_t)) {
  size_t i = 0;
  while (i < depth && skipped(d, frames[i].method)) i++;
  return i;
}

place_t place_of_stack(const struct dump *d, const struct frame *frames, size_t depth) {
  if (depth > 1 && pseudo_is(frames[depth - 1].method)) depth--;
  if (depth == 0) return 0;
  size_t i = first_but(d, frames, depth, place_is_platform);
  if (i == depth) i = first_but(d, frames, depth, is_call_itself);
  return place_of_frame(d, frames[i == depth ? 0 : i]);
}
