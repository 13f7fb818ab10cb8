/* arm64: a call leaves the return address in the link register, lr. A prologue stores it, and an
   epilogue loads it again, so the innermost frame is left by the instructions around `pc`. The
   instructions are those of build_frame, remove_frame and enter in HotSpot's
   macroAssembler_aarch64.cpp. */
#include "agent/hotspot/jvm_memory.h"
#include "sampler/walk.h"

#define PAIR (2 * WORD) /* frame pointer and lr, as stp stores them */
#define MAX_PROLOGUE 64 /* instructions */
#define MAX_EPILOGUE 10 /* instructions */
#define MAX_ADAPTED 64  /* pairs that an adapter pushes for arguments */
#define ADDRESS_BITS 48 /* the bits above may contain a signature of a return address */
#define INSTRUCTION sizeof(uint32_t)

/* Instructions, and the bits in which their operands are. */
enum {
  IMM12 = 0x7FFC00, /* with the bit that shifts the operand by 12 */
  IMM7 = 0x3F8000,
  IMM16 = 0x7FFFE0, /* with the bits that shift it */
};
#define ADD_SP_IMM UINT32_C(0x910003FF)   /* add sp, sp, #imm */
#define SUB_SP_IMM UINT32_C(0xD10003FF)   /* sub sp, sp, #imm */
#define ADD_SP_X8 UINT32_C(0x8B2863FF)    /* add sp, sp, x8 */
#define SUB_SP_X8 UINT32_C(0xCB2863FF)    /* sub sp, sp, x8 */
#define PUSH_PAIR UINT32_C(0xA9BF7BFD)    /* stp x29, x30, [sp, #-16]! */
#define POP_PAIR UINT32_C(0xA8C17BFD)     /* ldp x29, x30, [sp], #16 */
#define LOAD_PAIR UINT32_C(0xA9407BFD)    /* ldp x29, x30, [sp, #imm] */
#define MOV_FP_SP UINT32_C(0x910003FD)    /* mov x29, sp */
#define MOVZ_X8 UINT32_C(0xD2800008)      /* mov x8, #imm: the size of a large frame */
#define MOVK_X8 UINT32_C(0xF2800008)      /* movk x8, #imm */
#define LOAD_POLL UINT32_C(0xF9400388)    /* ldr x8, [x28, #imm]: a field of the JavaThread */
#define COMPARE_POLL UINT32_C(0xEB2863FF) /* cmp sp, x8 */
#define JUMP_POLL UINT32_C(0x54000008)    /* b.hi */
#define READ_POLL UINT32_C(0xB940011F)    /* ldr wzr, [x8]: older JVMs */
#define RET UINT32_C(0xD65F03C0)

static uintptr_t get_imm12(uint32_t instruction) {
  uintptr_t imm = instruction >> 10 & 0xFFF;
  return (instruction >> 22 & 1) != 0 ? imm << 12 : imm;
}

/* Only epilogues are asked for, whose operands are not negative. */
static uintptr_t get_imm7(uint32_t instruction) { return (instruction >> 15 & 0x3F) * WORD; }

static bool read_instruction(uintptr_t pc, uint32_t *out) {
  return pc % INSTRUCTION == 0 && jvm_memory_read(pc, out, sizeof *out);
}

/* bl, or blr with a register. */
static bool is_after_call(uintptr_t pc) {
  uint32_t i;
  if (!read_instruction(pc - INSTRUCTION, &i)) return false;
  return (i & 0xFC000000) == 0x94000000 || (i & 0xFFFFFC1F) == 0xD63F0000;
}

/* --- the link register ---------------------------------------------------------------------- */

/* Moves to the caller that lr names; its frame begins at `sp`, or above what an adapter pushed. */
static bool to_link(struct walk *w, uintptr_t sp) {
  uintptr_t lr = w->c->lr & walk_arm64.address_mask;
  for (int i = 0; i < MAX_ADAPTED; i++, sp += PAIR) {
    if (walk_is_plausible(w, lr, sp)) return walk_to(w, lr, sp, w->fp);
  }
  return false;
}

/* Returns whether the pair of frame pointer and lr is at `at`: lr is not yet used for another call.
 */
static bool has_link_at(const struct walk *w, uintptr_t at) {
  uintptr_t word;
  return walk_read(w, at + WORD, &word) && word == w->c->lr && word != 0;
}

/* Leaves code that may have pushed the pair, or may not, or may have called other code since. */
static bool leave_called(struct walk *w) {
  uintptr_t fp;
  if (w->fp >= w->sp && has_link_at(w, w->fp) && walk_to_pair(w, w->fp + WORD)) return true;
  bool is_pushed = has_link_at(w, w->sp) && walk_read(w, w->sp, &fp) && fp == w->fp;
  if (is_pushed && walk_to_pair(w, w->sp + WORD)) return true;
  return to_link(w, w->sp);
}

/* --- prologue and epilogue ------------------------------------------------------------------ */

/* Undoes the instructions from the beginning of the code to `pc`, and moves to the caller. */
static bool leave_prologue(struct walk *w, const struct blob *b) {
  uintptr_t sp = w->sp, fp = w->fp, from = b->code_begin;
  bool has_moved_fp = false;
  if (w->pc - from > MAX_PROLOGUE * INSTRUCTION) from = w->pc - MAX_PROLOGUE * INSTRUCTION;
  for (; from < w->pc; from += INSTRUCTION) {
    uint32_t i;
    if (!read_instruction(from, &i)) return false;
    if ((i & ~(uint32_t)IMM12) == SUB_SP_IMM) sp += get_imm12(i);
    if (i == SUB_SP_X8) sp += (uintptr_t)b->frame_bytes - PAIR;
    if (i == PUSH_PAIR) sp += PAIR;
    if (i == MOV_FP_SP) has_moved_fp = true;
  }
  if (has_moved_fp && !walk_read(w, w->fp, &fp)) return false;
  return walk_to(w, w->c->lr & walk_arm64.address_mask, sp, fp);
}

static bool is_poll(uint32_t i) {
  return (i & ~(uint32_t)IMM12) == (LOAD_POLL & ~(uint32_t)IMM12) || i == COMPARE_POLL ||
         (i & 0xFF00001F) == JUMP_POLL || i == READ_POLL;
}

/* Runs the instructions from `pc` to the ret that ends the method, and moves to the caller. Returns
   false if there are others before a ret. */
static bool leave_epilogue(struct walk *w, const struct blob *b) {
  uintptr_t sp = w->sp, fp = w->fp, lr = w->c->lr, at;
  for (uintptr_t pc = w->pc; pc < w->pc + MAX_EPILOGUE * INSTRUCTION; pc += INSTRUCTION) {
    uint32_t i;
    if (!read_instruction(pc, &i)) return false;
    bool is_load = (i & ~(uint32_t)IMM7) == LOAD_PAIR;
    if (i == RET) return walk_to(w, lr & walk_arm64.address_mask, sp, fp);
    if (is_load || i == POP_PAIR) {
      at = sp + (is_load ? get_imm7(i) : 0);
      if (!walk_read(w, at, &fp) || !walk_read(w, at + WORD, &lr)) return false;
      if (!is_load) sp += PAIR;
    } else if ((i & ~(uint32_t)IMM12) == ADD_SP_IMM) {
      sp += get_imm12(i);
    } else if (i == ADD_SP_X8) {
      sp += (uintptr_t)b->frame_bytes - PAIR;
    } else if (!is_poll(i) && (i & ~(uint32_t)IMM16) != MOVZ_X8 &&
               (i & ~(uint32_t)IMM16) != MOVK_X8) {
      return false;
    }
  }
  return false;
}

/* --- the innermost frame -------------------------------------------------------------------- */

static bool leave_compiled(struct walk *w, const struct blob *b) {
  bool in_prologue = b->frame_complete >= 0 && w->pc < b->code_begin + (uintptr_t)b->frame_complete;
  if (in_prologue && leave_prologue(w, b)) return true;
  if (leave_epilogue(w, b)) return true;
  return (!in_prologue && walk_out_of(w, b)) || walk_scan(w);
}

static bool leave_stub(struct walk *w, const struct blob *b) {
  if (w->kind == PC_NEXT && leave_called(w)) return true;
  uintptr_t at = w->sp + (uintptr_t)b->frame_bytes - WORD;
  if (b->frame_bytes >= (int32_t)PAIR && walk_to_pair(w, at)) return true;
  if (w->fp >= w->sp && walk_to_pair(w, w->fp + WORD)) return true;
  return walk_scan(w);
}

static bool leave_unknown(struct walk *w) { return leave_called(w) || walk_scan(w); }

const struct walk_cpu walk_arm64 = {.address_mask = (UINT64_C(1) << ADDRESS_BITS) - 1,
                                    .is_after_call = is_after_call,
                                    .leave_compiled = leave_compiled,
                                    .leave_stub = leave_stub,
                                    .leave_unknown = leave_unknown};
