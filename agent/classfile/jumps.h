#pragma once
/* Where an instruction jumps to. It must be one of some length (opcode_length). */
#include "agent/classfile/opcodes.h"

#ifdef __cplusplus
extern "C" {
#endif

/* jump_count is how many places the instruction at `pc` may jump to; the first of a switch's is its
   default. */
uint32_t jump_count(struct span code, uint32_t pc);

/* jump_place is where in the code the i-th offset stands, jump_offset the offset, from `pc`. */
uint32_t jump_place(struct span code, uint32_t pc, uint32_t i);
int64_t jump_offset(struct span code, uint32_t pc, uint32_t i);

#ifdef __cplusplus
}
#endif
