#include "agent/classfile/opcodes.h"

#include "agent/classfile/big_endian.h"

const struct opcode_info opcode_infos[256] = {
#define OPCODE(code, name, length, kind) [code] = {#name, length, OP_##kind},
#include "agent/classfile/opcodes.def"
#undef OPCODE
};

enum opcode_kind opcode_kind_at(struct span code, uint32_t pc) {
  return opcode_infos[(uint8_t)code.data[pc]].kind;
}

uint32_t switch_operands(uint32_t pc) { return (pc + 4) & ~3u; }

/* The operands: default, low, high, and an offset for each number from low to high. */
static uint64_t find_tableswitch_end(struct span code, uint32_t operands) {
  struct cursor c = {code.data, code.len, operands, false};
  take_u4(&c);
  int64_t low = (int32_t)take_u4(&c), high = (int32_t)take_u4(&c);
  if (c.failed || low > high) return 0;
  return c.at + 4 * (uint64_t)(high - low + 1);
}

/* The operands: default, the number of pairs, and a match and an offset for each pair. */
static uint64_t find_lookupswitch_end(struct span code, uint32_t operands) {
  struct cursor c = {code.data, code.len, operands, false};
  take_u4(&c);
  uint64_t pairs = take_u4(&c);
  return c.failed ? 0 : c.at + 8 * pairs;
}

/* `wide` extends the local variable's number to two bytes, and the increment of iinc as well. */
static uint64_t find_wide_end(struct span code, uint32_t pc) {
  struct cursor c = {code.data, code.len, pc + 1, false};
  return pc + (take_u1(&c) == OPCODE_iinc ? 6 : 4);
}

uint32_t opcode_length(struct span code, uint32_t pc) {
  const struct opcode_info *info = &opcode_infos[(uint8_t)code.data[pc]];
  uint32_t operands = switch_operands(pc);
  uint64_t end = 0;
  switch (info->kind) {
    case OP_UNKNOWN:
      break;
    case OP_TABLESWITCH:
      if (operands <= code.len) end = find_tableswitch_end(code, operands);
      break;
    case OP_LOOKUPSWITCH:
      if (operands <= code.len) end = find_lookupswitch_end(code, operands);
      break;
    case OP_WIDE:
      end = find_wide_end(code, pc);
      break;
    default:
      end = pc + info->length;
  }
  return end <= pc || end > code.len ? 0 : (uint32_t)(end - pc);
}

bool opcode_ends_flow(struct span code, uint32_t pc) {
  switch (opcode_kind_at(code, pc)) {
    case OP_RETURN:
    case OP_THROW:
    case OP_GOTO:
    case OP_GOTO_W:
    case OP_TABLESWITCH:
    case OP_LOOKUPSWITCH:
    case OP_RET:
      return true;
    case OP_WIDE:
      return (uint8_t)code.data[pc + 1] == OPCODE_ret;
    default:
      return false;
  }
}
