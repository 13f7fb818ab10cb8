#include "agent/classfile/local_zero.h"

#include "agent/classfile/descriptor.h"

bool local_zero_is_reference(bool is_static, struct span descriptor) {
  return !is_static || descriptor_has_reference_first(descriptor);
}

bool local_zero_is_written(const struct layout *l) {
  for (uint32_t pc = 0; pc < l->code.len; pc = layout_next(l, pc)) {
    struct cursor c = {l->code.data, l->code.len, pc, false};
    bool is_wide = opcode_kind_at(l->code, pc) == OP_WIDE;
    if (is_wide) take_u1(&c);
    enum opcode_kind kind = opcode_infos[take_u1(&c)].kind;
    if (kind == OP_STORE_0) return true;
    if (kind == OP_STORE && (is_wide ? take_u2 : take_u1)(&c) == 0) return true;
  }
  return false;
}

bool local_zero_is_in_all_frames(struct frame_walk *frames) {
  while (frame_walk_next(frames)) {
    if (frames->types.num_locals == 0) return false;
    uint8_t tag = frames->types.locals[0].tag;
    if (tag != V_OBJECT && tag != V_UNINITIALIZED_THIS) return false;
  }
  return true;
}
