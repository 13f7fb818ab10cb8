#pragma once
/* The instructions of the JVM: how long each is and what kind of thing it does. */
#include <stdbool.h>
#include <stdint.h>

#include "agent/base/bytes.h"

#ifdef __cplusplus
extern "C" {
#endif

enum opcode {
#define OPCODE(code, name, length, kind) OPCODE_##name = code,
#include "agent/classfile/opcodes.def"
#undef OPCODE
};

enum opcode_kind {
  OP_UNKNOWN, /* no instruction */
  OP_PLAIN,
  OP_STORE,   /* into the local variable of its operand */
  OP_STORE_0, /* into local variable 0 */
  OP_NEW,
  OP_INVOKESPECIAL,
  OP_RETURN,
  OP_THROW,
  OP_IF, /* the jumps with an offset of 16 bits */
  OP_GOTO,
  OP_JSR,
  OP_GOTO_W, /* those with 32 */
  OP_JSR_W,
  OP_TABLESWITCH, /* those with a list */
  OP_LOOKUPSWITCH,
  OP_RET,
  OP_WIDE,
};

struct opcode_info {
  const char *name;
  uint8_t length;
  enum opcode_kind kind;
};

extern const struct opcode_info opcode_infos[256];

/* opcode_kind_at is the kind of the instruction at `pc`, which lies inside `code`. */
enum opcode_kind opcode_kind_at(struct span code, uint32_t pc);

/* opcode_length is the length of the instruction at `pc`, 0 where there is none: an unknown one,
   one that goes over the end of the code, a switch whose bounds are wrong. */
uint32_t opcode_length(struct span code, uint32_t pc);

/* opcode_ends_flow: what stands behind the instruction at `pc` is not reached through it. It must
   be one of some length. */
bool opcode_ends_flow(struct span code, uint32_t pc);

/* switch_operands is where the operands of a switch at `pc` begin: aligned to 4 from the start of
   the code (JVM specification 6.5, tableswitch). */
uint32_t switch_operands(uint32_t pc);

#ifdef __cplusplus
}
#endif
