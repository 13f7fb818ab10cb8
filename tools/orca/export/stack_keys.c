#include "tools/orca/export/stack_keys.h"

#include <stdlib.h>

#include "tools/orca/dump/digest.h"
#include "tools/orca/model/names.h"

static bool make_room(struct stack_keys *k) {
  size_t wanted = k->model->stacks.num + 1; /* ids begin with 1 */
  uint64_t *moved = realloc(k->keys, wanted * sizeof *moved);
  if (moved == NULL) return false;
  memset(moved + k->num, 0, (wanted - k->num) * sizeof *moved);
  k->keys = moved;
  k->num = wanted;
  return true;
}

/* 0 is the empty stack and "not computed yet". */
static bool compute_key(struct stack_keys *k, stack_id_t stack) {
  const struct dump *d = k->model->dump;
  size_t depth;
  const struct frame *frames = stacks_frames(&k->model->stacks, stack, &depth);
  k->text.len = 0;
  for (size_t i = 0; i < depth; i++) {
    names_full_method(&k->text, d, frames[i].method);
    builder_char(&k->text, ':');
    text_decimal(&k->text, dump_source_line(d, frames[i]));
    builder_char(&k->text, '\n');
  }
  if (k->text.failed) return false;
  uint64_t key = digest((struct span){k->text.data, k->text.len});
  k->keys[stack] = key == 0 ? 1 : key;
  return true;
}

bool stack_keys_find(struct stack_keys *k, stack_id_t stack, uint64_t *out) {
  *out = 0;
  if (stack == 0) return true;
  if (stack >= k->num && !make_room(k)) return false;
  if (k->keys[stack] == 0 && !compute_key(k, stack)) return false;
  *out = k->keys[stack];
  return true;
}

uint32_t stack_keys_top(const struct stack_keys *k, stack_id_t stack) {
  size_t depth;
  const struct frame *frames = stacks_frames(&k->model->stacks, stack, &depth);
  if (depth == 0) return 0;
  bool has_leaf = depth > 1 && pseudo_is_leaf(frames[0].method);
  return frames[has_leaf].method;
}

void stack_keys_free(struct stack_keys *k) {
  free(k->keys);
  builder_free(&k->text);
  *k = (struct stack_keys){.model = k->model};
}
