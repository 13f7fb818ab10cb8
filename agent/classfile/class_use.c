#include "agent/classfile/class_use.h"

#include "agent/classfile/opcodes.h"

static enum class_use get_use(uint8_t opcode) {
  switch (opcode) {
    case OPCODE_new:
      return USE_CREATES;
    case OPCODE_getstatic:
    case OPCODE_putstatic:
    case OPCODE_invokestatic:
      return USE_MEMBER;
    default:
      return USE_NONE;
  }
}

enum class_use class_use_at(struct span code, uint32_t pc, const struct pool *p,
                            struct span *name) {
  if (pc >= code.len || opcode_length(code, pc) == 0) return USE_NONE;
  enum class_use use = get_use((uint8_t)code.data[pc]);
  if (use == USE_NONE) return USE_NONE;
  uint32_t index = peek_u2(code.data + pc + 1);
  *name = use == USE_CREATES ? pool_class_name(p, index) : pool_member_class(p, index);
  return name->data == NULL ? USE_NONE : use;
}
