#include "agent/classfile/jumps.h"

#include "agent/classfile/big_endian.h"

/* The operands of a tableswitch are: default, low, high, offsets. Those of a lookupswitch are:
   default, number of pairs, and a match and an offset for each pair. The starts are those of the
   first offset after the default, in bytes. */
#define TABLE_START 12
#define TABLE_STRIDE 4
#define LOOKUP_START 12
#define LOOKUP_STRIDE 8

uint32_t jump_count(struct span code, uint32_t pc) {
  const char *words = code.data + switch_operands(pc);
  switch (opcode_kind_at(code, pc)) {
    case OP_IF:
    case OP_GOTO:
    case OP_JSR:
    case OP_GOTO_W:
    case OP_JSR_W:
      return 1;
    case OP_TABLESWITCH:
      return peek_u4(words + 8) - peek_u4(words + 4) + 2;
    case OP_LOOKUPSWITCH:
      return peek_u4(words + 4) + 1;
    default:
      return 0;
  }
}

uint32_t jump_place(struct span code, uint32_t pc, uint32_t i) {
  switch (opcode_kind_at(code, pc)) {
    case OP_TABLESWITCH:
      return switch_operands(pc) + (i == 0 ? 0 : TABLE_START + TABLE_STRIDE * (i - 1));
    case OP_LOOKUPSWITCH:
      return switch_operands(pc) + (i == 0 ? 0 : LOOKUP_START + LOOKUP_STRIDE * (i - 1));
    default:
      return pc + 1;
  }
}

int64_t jump_offset(struct span code, uint32_t pc, uint32_t i) {
  const char *at = code.data + jump_place(code, pc, i);
  switch (opcode_kind_at(code, pc)) {
    case OP_IF:
    case OP_GOTO:
    case OP_JSR:
      return (int16_t)peek_u2(at);
    default:
      return (int32_t)peek_u4(at);
  }
}
