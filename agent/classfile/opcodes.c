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

/* --- jumps ------------------------------------------------------------------------------------ */

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
