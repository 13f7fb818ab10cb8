#pragma once
/* The instructions of the JVM: the length, the kind and the jump targets of each. A `pc` is the
   offset of an instruction in the code of a method, in bytes. */
#include <stdbool.h>
#include <stdint.h>

#include "agent/base/bytes.h"
#include "agent/base/extern_c.h"

BEGIN_C

enum opcode {
#define OPCODE(code, name, length, kind) OPCODE_##name = code,
#include "agent/classfile/opcodes.def"
#undef OPCODE
};

enum opcode_kind {
  OP_UNKNOWN, /* no instruction has this opcode */
  OP_PLAIN,
  OP_STORE,   /* stores into the local variable that its operand names */
  OP_STORE_0, /* stores into local variable 0 */
  OP_NEW,
  OP_INVOKESPECIAL,
  OP_RETURN,
  OP_THROW,
  OP_IF, /* conditional jump; this one and the next two have an offset of 16 bits */
  OP_GOTO,
  OP_JSR,
  OP_GOTO_W, /* this one and the next have an offset of 32 bits */
  OP_JSR_W,
  OP_TABLESWITCH, /* this one and the next have a list of 32-bit offsets */
  OP_LOOKUPSWITCH,
  OP_RET,
  OP_WIDE,
};

struct opcode_info {
  const char *name;
  uint8_t length; /* in bytes; 0: it depends on the operands */
  enum opcode_kind kind;
};

extern const struct opcode_info opcode_infos[256];

/* opcode_kind_at returns the kind of the instruction at `pc`, which must lie inside `code`. */
enum opcode_kind opcode_kind_at(struct span code, uint32_t pc);

/* opcode_length returns the length in bytes of the instruction at `pc`. Returns 0 if the opcode is
   unknown, if the instruction runs past the end of the code, or if a switch has wrong bounds. */
uint32_t opcode_length(struct span code, uint32_t pc);

/* opcode_ends_flow tells whether the instruction at `pc` never continues with the next one. Its
   opcode_length must not be 0. */
bool opcode_ends_flow(struct span code, uint32_t pc);

/* switch_operands returns the pc where the operands of a switch at `pc` begin. They are aligned to
   4 bytes from the start of the code (JVM specification 6.5, tableswitch). */
uint32_t switch_operands(uint32_t pc);

/* The jump targets of an instruction, whose opcode_length must not be 0. jump_count returns how
   many jump targets the instruction at `pc` has. The first target of a switch is its default. */
uint32_t jump_count(struct span code, uint32_t pc);

/* jump_place returns the position in `code` of the i-th jump offset. jump_offset returns that
   offset itself, which is relative to `pc`. */
uint32_t jump_place(struct span code, uint32_t pc, uint32_t i);
int64_t jump_offset(struct span code, uint32_t pc, uint32_t i);

END_C
