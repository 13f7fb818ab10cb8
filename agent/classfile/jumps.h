#pragma once
/* The jump targets of an instruction. The opcode_length of the instruction must not be 0. */
#include "agent/base/extern_c.h"
#include "agent/classfile/opcodes.h"

BEGIN_C

/* jump_count returns how many jump targets the instruction at `pc` has. The first target of a
   switch is its default. */
uint32_t jump_count(struct span code, uint32_t pc);

/* jump_place returns the position in `code` of the i-th jump offset. jump_offset returns that
   offset itself, which is relative to `pc`. */
uint32_t jump_place(struct span code, uint32_t pc, uint32_t i);
int64_t jump_offset(struct span code, uint32_t pc, uint32_t i);

END_C
