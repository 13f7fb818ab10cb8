#include "agent/classfile/layout.h"

#include <stdlib.h>
#include <string.h>

#include "agent/base/memory.h"
#include "agent/classfile/big_endian.h"

#define GOTO_W_LEN 5
#define NOP_LEN 1

/* --- reading ----------------------------------------------------------------- */

static enum opcode_kind kind_at(const struct layout *l, uint32_t pc) {
  return opcode_kind_at(l->code, pc);
}

bool layout_is_old_start(const struct layout *l, uint32_t pc) {
  return pc < l->code.len && l->marks[pc] & MARK_START;
}

uint32_t layout_next(const struct layout *l, uint32_t pc) {
  do {
    pc++;
  } while (pc < l->code.len && !(l->marks[pc] & MARK_START));
  return pc;
}

bool layout_has_insert(const struct layout *l, enum insert insert) {
  return memchr(l->between, (int)insert, l->code.len) ||
         memchr(l->before, (int)insert, l->code.len);
}

uint32_t layout_old_target(const struct layout *l, uint32_t pc, uint32_t i) {
  return (uint32_t)(pc + jump_offset(l->code, pc, i));
}

static enum weave_status mark_starts(struct layout *l) {
  uint32_t pc = 0, length = 0, last = 0;
  for (; pc < l->code.len; pc += length) {
    length = opcode_length(l->code, pc);
    if (length == 0) return WEAVE_MALFORMED;
    l->marks[pc] = MARK_START;
    last = pc;
  }
  /* Verified code never runs past its end. In the new code it would run into the handler. */
  return opcode_ends_flow(l->code, last) ? WEAVE_WOVEN : WEAVE_MALFORMED;
}

enum weave_status layout_read(struct layout *l, struct span code) {
  *l = (struct layout){.code = code};
  if (code.len == 0 || code.len > CODE_MAX) return WEAVE_MALFORMED;
  l->marks = memory_new_zeroed(code.len + 1, 3 * sizeof *l->marks);
  l->new_target = memory_new_zeroed(code.len + 1, sizeof *l->new_target);
  if (l->marks == NULL || l->new_target == NULL) return WEAVE_NO_MEMORY;
  l->between = l->marks + code.len + 1;
  l->before = l->between + code.len + 1;
  enum weave_status status = mark_starts(l);
  if (status != WEAVE_WOVEN) return status;
  /* A jump goes to the start of an instruction. */
  for (uint32_t pc = 0; pc < code.len; pc = layout_next(l, pc)) {
    uint32_t jumps = jump_count(code, pc);
    for (uint32_t i = 0; i < jumps; i++) {
      int64_t target = pc + jump_offset(code, pc, i);
      if (target < 0 || !layout_is_old_start(l, (uint32_t)target)) return WEAVE_MALFORMED;
    }
  }
  return WEAVE_WOVEN;
}

void layout_free(struct layout *l) {
  free(l->marks);
  free(l->new_target);
  *l = (struct layout){0};
}

/* --- placing ----------------------------------------------------------------- */

uint32_t layout_via_start(uint32_t k) { return GOTO_W_LEN * (k + 1); }

uint32_t layout_body(const struct layout *l) {
  return l->num_via_start == 0 ? 0 : layout_via_start(l->num_via_start);
}

uint32_t layout_entry(const struct layout *l) { return layout_body(l) + (uint32_t)l->shortcut.len; }

static struct span get_between(const struct layout *l, uint32_t pc) {
  return l->inserts[l->between[pc]];
}

static struct span get_before(const struct layout *l, uint32_t pc) {
  return l->inserts[l->before[pc]];
}

uint32_t layout_new_pc(const struct layout *l, uint32_t pc) {
  return l->new_target[pc] + (uint32_t)get_before(l, pc).len;
}

uint32_t layout_range_end(const struct layout *l, uint32_t pc) {
  return l->new_target[pc] - (uint32_t)get_between(l, pc).len;
}

uint32_t layout_range_start(const struct layout *l, uint32_t pc) {
  return l->between[pc] == INSERT_ENTER ? l->new_target[pc] : layout_range_end(l, pc);
}

uint32_t layout_handler(const struct layout *l) { return l->new_target[l->code.len]; }

uint32_t layout_via_end(const struct layout *l, uint32_t k) {
  return layout_handler(l) + (uint32_t)l->handler.len + GOTO_W_LEN * k;
}

uint32_t layout_new_len(const struct layout *l) { return layout_via_end(l, l->num_via_end); }

/* Returns the length that the instruction at the old `pc` has at the new pc `at`. */
static uint32_t find_new_length(const struct layout *l, uint32_t pc, uint32_t at) {
  uint32_t length = layout_next(l, pc) - pc;
  switch (kind_at(l, pc)) {
    case OP_GOTO:
    case OP_JSR:
      return l->marks[pc] & MARK_WIDE ? GOTO_W_LEN : length;
    case OP_TABLESWITCH:
    case OP_LOOKUPSWITCH:
      return length - (switch_operands(pc) - pc) + (switch_operands(at) - at);
    default:
      return length;
  }
}

static void assign_new_pcs(struct layout *l) {
  uint32_t at = layout_entry(l);
  if (at > 0) at += NOP_LEN;
  for (uint32_t pc = 0, next; pc < l->code.len; pc = next) {
    at += (uint32_t)get_between(l, pc).len;
    l->new_target[pc] = at;
    at = layout_new_pc(l, pc);
    at += find_new_length(l, pc, at);
    next = layout_next(l, pc);
    /* A line number may refer to a pc inside an instruction. */
    for (uint32_t inside = pc + 1; inside < next; inside++)
      l->new_target[inside] = l->new_target[pc];
  }
  l->new_target[l->code.len] = at;
}

/* Returns the new pc that the jump at the old `pc` jumps to: its target or its trampoline.
   `via_start` and `via_end` count the trampolines that earlier jumps use. */
static uint32_t find_landing(const struct layout *l, uint32_t pc, uint32_t *via_start,
                             uint32_t *via_end) {
  if (l->marks[pc] & MARK_VIA_START) return layout_via_start((*via_start)++);
  if (l->marks[pc] & MARK_VIA_END) return layout_via_end(l, (*via_end)++);
  return l->new_target[layout_old_target(l, pc, 0)];
}

/* Extends the reach of a jump that is too short. A jump becomes wide, or uses a trampoline at the
   start, or at the end. A jump in the first half of the code reaches the start, one in the second
   half the end. Returns false if a trampoline at the end is too far as well: the code is nearly
   full then. */
static bool extend_reach(struct layout *l, uint32_t pc) {
  uint8_t *marks = &l->marks[pc];
  if (kind_at(l, pc) != OP_IF) {
    *marks |= MARK_WIDE;
  } else if (*marks & MARK_VIA_END) {
    return false;
  } else if (*marks & MARK_VIA_START || layout_new_pc(l, pc) > INT16_MAX) {
    if (*marks & MARK_VIA_START) l->num_via_start--;
    *marks = (uint8_t)((*marks & ~MARK_VIA_START) | MARK_VIA_END);
    l->num_via_end++;
  } else {
    *marks |= MARK_VIA_START;
    l->num_via_start++;
  }
  return true;
}

/* Extends the reach of every jump that is too short. Sets `*out_done` if there was none. Returns
   false if the reach of a jump cannot be extended. */
static bool widen_jumps(struct layout *l, bool *out_done) {
  uint32_t via_start = 0, via_end = 0;
  *out_done = true;
  for (uint32_t pc = 0; pc < l->code.len; pc = layout_next(l, pc)) {
    enum opcode_kind kind = kind_at(l, pc);
    bool is_narrow_goto = (kind == OP_GOTO || kind == OP_JSR) && !(l->marks[pc] & MARK_WIDE);
    if (kind != OP_IF && !is_narrow_goto) continue;
    int64_t distance = (int64_t)find_landing(l, pc, &via_start, &via_end) - layout_new_pc(l, pc);
    if (distance >= INT16_MIN && distance <= INT16_MAX) continue;
    if (!extend_reach(l, pc)) return false;
    *out_done = false;
  }
  return true;
}

/* The loop terminates: every round except the last extends a jump, and a jump can be extended at
   most twice. */
enum weave_status layout_place(struct layout *l) {
  bool done;
  do {
    assign_new_pcs(l);
    if (layout_new_len(l) > CODE_MAX || !widen_jumps(l, &done)) return WEAVE_CODE_FULL;
  } while (!done);
  return WEAVE_WOVEN;
}

/* --- writing ----------------------------------------------------------------- */

static void put_goto_w(struct builder *out, uint32_t at, uint32_t target) {
  put_u1(out, OPCODE_goto_w);
  put_u4(out, target - at);
}

/* Copies the switch, then overwrites its offsets. */
static void put_switch(const struct layout *l, uint32_t pc, uint32_t at, struct builder *out) {
  uint32_t operands = switch_operands(pc), jumps = jump_count(l->code, pc);
  put_u1(out, (uint8_t)l->code.data[pc]);
  for (uint32_t pad = at + 1; pad < switch_operands(at); pad++) put_u1(out, 0);
  size_t start = out->len;
  builder_bytes(out, l->code.data + operands, layout_next(l, pc) - operands);
  for (uint32_t i = 0; i < jumps && !out->failed; i++) {
    char *place = out->data + start + (jump_place(l->code, pc, i) - operands);
    poke_u4(place, l->new_target[layout_old_target(l, pc, i)] - at);
  }
}

static void put_bytes(struct span bytes, struct builder *out) {
  builder_bytes(out, bytes.data, bytes.len);
}

static void put_instructions(const struct layout *l, struct builder *out) {
  uint32_t via_start = 0, via_end = 0;
  for (uint32_t pc = 0, next; pc < l->code.len; pc = next) {
    next = layout_next(l, pc);
    put_bytes(get_between(l, pc), out);
    put_bytes(get_before(l, pc), out);
    uint32_t jumps = jump_count(l->code, pc), at = layout_new_pc(l, pc);
    if (jumps == 0) {
      builder_bytes(out, l->code.data + pc, next - pc);
    } else if (kind_at(l, pc) == OP_TABLESWITCH || kind_at(l, pc) == OP_LOOKUPSWITCH) {
      put_switch(l, pc, at, out);
    } else {
      uint32_t opcode = (uint8_t)l->code.data[pc];
      if (l->marks[pc] & MARK_WIDE) opcode = opcode == OPCODE_goto ? OPCODE_goto_w : OPCODE_jsr_w;
      bool is_wide = opcode == OPCODE_goto_w || opcode == OPCODE_jsr_w;
      put_u1(out, opcode);
      (is_wide ? put_u4 : put_u2)(out, find_landing(l, pc, &via_start, &via_end) - at);
    }
  }
}

/* Puts the trampoline of every jump with this mark. `at` is the new pc of the first. */
static void put_trampolines(const struct layout *l, uint8_t mark, uint32_t at,
                            struct builder *out) {
  for (uint32_t pc = 0; pc < l->code.len; pc++) {
    if (!(l->marks[pc] & mark)) continue;
    put_goto_w(out, at, l->new_target[layout_old_target(l, pc, 0)]);
    at += GOTO_W_LEN;
  }
}

void layout_put(const struct layout *l, struct builder *out) {
  if (l->num_via_start > 0) {
    put_goto_w(out, 0, layout_body(l));
    put_trampolines(l, MARK_VIA_START, layout_via_start(0), out);
  }
  put_bytes(l->shortcut, out);
  if (layout_entry(l) > 0) put_u1(out, OPCODE_nop);
  put_instructions(l, out);
  put_bytes(l->handler, out);
  put_trampolines(l, MARK_VIA_END, layout_via_end(l, 0), out);
}
