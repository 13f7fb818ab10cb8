#include "agent/classfile/monitors.h"

#include <string.h>

#include "agent/classfile/code.h"

static bool is_at(const struct layout *l, uint32_t pc, enum opcode op) {
  return layout_old_start(l, pc) && (uint8_t)l->code.data[pc] == op;
}

/* The instruction at `pc`, if that is one. */
static struct span instruction(const struct layout *l, uint32_t pc) {
  if (!layout_old_start(l, pc)) return (struct span){NULL, 0};
  return (struct span){l->code.data + pc, layout_next(l, pc) - pc};
}

static bool is_same(struct span a, struct span b) { return a.len > 0 && span_same(a, b); }

static bool is_store(const struct layout *l, uint32_t pc) {
  enum opcode op = layout_old_start(l, pc) ? (uint8_t)l->code.data[pc] : OPCODE_nop;
  return op == OPCODE_astore || (op >= OPCODE_astore_0 && op <= OPCODE_astore_3);
}

/* Whether a handler begins with the release of the monitor that `load` loads; before that it may
   put the exception away. */
static bool releases(const struct layout *l, uint32_t pc, struct span load) {
  if (is_store(l, pc)) pc = layout_next(l, pc);
  return is_same(instruction(l, pc), load) && is_at(l, layout_next(l, pc), OPCODE_monitorexit);
}

/* Whether an exception at the monitorexit at `pc`, behind the instruction `load`, goes on to
   another one, further down, of the same monitor. */
static bool is_released_below(const struct layout *l, struct span handlers, uint32_t pc,
                              struct span load) {
  struct handler h;
  for (struct cursor c = cursor_over(handlers); handler_take(&c, &h);) {
    if (h.start > pc || pc >= h.end) continue;
    return h.type == 0 && h.pc > pc && releases(l, h.pc, load);
  }
  return false;
}

static bool is_range_start(struct span handlers, uint32_t pc) {
  struct handler h;
  for (struct cursor c = cursor_over(handlers); handler_take(&c, &h);) {
    if (h.type == 0 && h.start == pc) return true;
  }
  return false;
}

static void mark_exit(struct layout *l, struct span handlers, uint32_t pc, struct span load) {
  bool is_below = is_released_below(l, handlers, pc, load);
  l->before[pc] = is_below ? INSERT_UNLOCK : INSERT_RELEASE;
  if (!is_below) l->between[layout_next(l, pc)] = INSERT_RELEASED;
}

enum weave_status monitors_mark(struct layout *l, struct span handlers) {
  struct span last = {NULL, 0};
  for (uint32_t pc = 0, next; pc < l->code.len; pc = next) {
    next = layout_next(l, pc);
    if (is_at(l, pc, OPCODE_monitorenter)) {
      if (!is_range_start(handlers, next)) return WEAVE_MONITOR;
      l->before[pc] = INSERT_LOCK;
      l->between[next] = INSERT_LOCKED;
    } else if (is_at(l, pc, OPCODE_monitorexit)) {
      mark_exit(l, handlers, pc, last);
    }
    last = instruction(l, pc);
  }
  return WEAVE_WOVEN;
}
