#include "tools/orca/model/state/io_call.h"

static const char *find_words(const struct dump *d, uint32_t id) {
  static const struct {
    const char *class_signature, *method, *words;
  } calls[] = {
#define IO_CALL(class_signature, method, words) {class_signature, method, words},
#include "tools/orca/model/state/io_call.def"
  };
  const struct method_line *method = dump_method(d, id);
  const struct class_line *class = method == NULL ? NULL : dump_class(d, method->class_id);
  for (size_t i = 0; class != NULL && i < sizeof calls / sizeof *calls; i++) {
    if (span_is(method->name, calls[i].method) &&
        span_is(class->signature, calls[i].class_signature)) {
      return calls[i].words;
    }
  }
  return NULL;
}

const char *io_call_words(const struct dump *d, const struct stacks *s, stack_id_t stack) {
  size_t depth = 0;
  const struct frame *frames = stack == 0 ? NULL : stacks_frames(s, stack, &depth);
  const char *words = NULL;
  for (size_t i = 0; i < depth && words == NULL; i++) words = find_words(d, frames[i].method);
  return words;
}
