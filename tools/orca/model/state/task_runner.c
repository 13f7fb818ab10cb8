#include "tools/orca/model/state/task_runner.h"

enum task_runner task_runner_of_method(const struct dump *d, uint32_t id) {
  static const struct {
    const char *class_name, *method;
    enum task_runner kind;
  } runners[] = {
#define RUNNER(class_name, method, kind) {class_name, method, kind},
#include "tools/orca/model/state/task_runner.def"
  };
  const struct method_line *method = dump_method(d, id);
  const struct class_line *class = method == NULL ? NULL : dump_class(d, method->class_id);
  for (size_t i = 0; class != NULL && i < sizeof runners / sizeof *runners; i++) {
    if (span_is(method->name, runners[i].method) &&
        place_is_class(class->signature, runners[i].class_name)) {
      return runners[i].kind;
    }
  }
  return RUNNER_NONE;
}

enum task_runner task_runner_of_stack(const struct stacks *s, const struct dump *d,
                                      stack_id_t stack) {
  size_t depth = 0;
  const struct frame *frames = stack == 0 ? NULL : stacks_frames(s, stack, &depth);
  enum task_runner kind = RUNNER_NONE;
  for (size_t i = 0; i < depth && kind == RUNNER_NONE; i++) {
    kind = task_runner_of_method(d, frames[i].method);
  }
  return kind == RUNNER_CARRIER ? RUNNER_NONE : kind;
}
