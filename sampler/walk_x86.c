/* x86-64: the return address is on the stack, from the call on. */
#include "agent/hotspot/jvm_memory.h"
#include "sampler/walk.h"

/* E8 rel32, or FF /2 with a register or a memory operand. */
static bool is_after_call(uintptr_t pc) {
  uint8_t b[7];
  if (!jvm_memory_read(pc - sizeof b, b, sizeof b)) return false;
  return b[2] == 0xE8 || (b[5] == 0xFF && (b[6] & 0xF8) == 0xD0) ||
         (b[1] == 0xFF && b[2] == 0x15) || (b[4] == 0xFF && (b[5] & 0x38) == 0x10) ||
         (b[1] == 0xFF && (b[2] & 0xF8) == 0x90);
}

/* Returns true if only the last instructions of a compiled method remain: pop rbp; poll for a
   safepoint; ret. The frame is then released, and the return address is at address `*out_at`. */
static bool is_in_epilogue(const struct walk *w, uintptr_t *out_at) {
  uint8_t b[8] = {0};
  if (!jvm_memory_read(w->pc, b, sizeof b)) return false;
  bool pops = b[0] == 0x5D, returns = b[0] == 0xC3;
  bool polls = b[0] == 0x49 && b[1] == 0x3B && (b[2] == 0xA7 || b[2] == 0x67); /* cmp rsp,[r15+…] */
  bool jumps = b[0] == 0x0F && b[1] == 0x87 && b[6] == 0xC3;                   /* ja …; ret */
  *out_at = w->sp + (pops ? WORD : 0);
  return pops || returns || polls || jumps;
}

/* The prologue may not have completed the frame, or the epilogue may have partly released it. */
static bool leave_compiled(struct walk *w, const struct blob *b) {
  uintptr_t at, return_address = w->sp + (uintptr_t)b->frame_bytes - WORD;
  bool has_frame = b->frame_bytes >= (int32_t)WORD;
  bool in_prologue = b->frame_complete < 0 || w->pc < b->code_begin + (uintptr_t)b->frame_complete;
  if (is_in_epilogue(w, &at)) {
    if (at == w->sp ? walk_to_word(w, at, w->fp) : walk_to_pair(w, at)) return true;
  }
  if (in_prologue && (walk_to_word(w, w->sp, w->fp) || walk_to_pair(w, w->sp + WORD))) return true;
  if (!in_prologue && walk_out_of(w, b)) return true;
  return (has_frame && walk_to_pair(w, return_address)) || walk_scan(w);
}

/* A stub has a frame of known size, a frame that rbp points to, or no frame. */
static bool leave_stub(struct walk *w, const struct blob *b) {
  if (w->kind == PC_NEXT && walk_to_word(w, w->sp, w->fp)) return true;
  uintptr_t at = w->sp + (uintptr_t)b->frame_bytes - WORD;
  if (b->frame_bytes >= (int32_t)WORD && walk_to_pair(w, at)) return true;
  if (w->fp >= w->sp && walk_to_pair(w, w->fp + WORD)) return true;
  return walk_scan(w);
}

const struct walk_cpu walk_x86 = {.address_mask = UINTPTR_MAX,
                                  .is_after_call = is_after_call,
                                  .leave_compiled = leave_compiled,
                                  .leave_stub = leave_stub,
                                  .leave_unknown = walk_scan};
