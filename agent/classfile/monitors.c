#include "agent/classfile/monitors.h"

#include <string.h>

#include "agent/classfile/code.h"

static bool is_at(const struct layout *l, uint32_t pc, enum opcode op) {
  return layout_is_old_start(l, pc) && (uint8_t)l->code.data[pc] == op;
}

/* Returns the bytes of the instruction at `pc`; {NULL, 0} if no instruction starts there. */
static struct span get_instruction(const struct layout *l, uint32_t pc) {
  if (!layout_is_old_start(l, pc)) return (struct span){NULL, 0};
  return (struct span){l->code.data + pc, layout_next(l, pc) - pc};
}

/* Does the handler at `pc` start by releasing the monitor that the instruction `load` loads? It may
   store the exception first. */
static bool is_release(const struct layout *l, uint32_t pc, struct span load) {
  enum opcode op = layout_is_old_start(l, pc) ? (uint8_t)l->code.data[pc] : OPCODE_nop;
  bool is_store = op == OPCODE_astore || (op >= OPCODE_astore_0 && op <= OPCODE_astore_3);
  if (is_store) pc = layout_next(l, pc);
  struct span first = get_instruction(l, pc);
  return first.len > 0 && span_same(first, load) &&
         is_at(l, layout_next(l, pc), OPCODE_monitorexit);
}

/* Does an exception of the monitorexit at `pc` reach a later handler that releases the same
   monitor? `load` is the instruction before the monitorexit, which loads the monitor. */
static bool is_released_later(const struct layout *l, struct span handlers, uint32_t pc,
                              struct span load) {
  struct handler h;
  for (struct cursor c = cursor_over(handlers); handler_take(&c, &h);) {
    if (h.start > pc || pc >= h.end) continue;
    return h.type == 0 && h.pc > pc && is_release(l, h.pc, load);
  }
  return false;
}

/* Does the range of a handler for every exception start at `pc`? */
static bool is_range_start(struct span handlers, uint32_t pc) {
  struct handler h;
  for (struct cursor c = cursor_over(handlers); handler_take(&c, &h);) {
    if (h.type == 0 && h.start == pc) return true;
  }
  return false;
}

enum weave_status monitors_mark(struct layout *l, struct span handlers) {
  struct span previous = {NULL, 0};
  for (uint32_t pc = 0, next; pc < l->code.len; pc = next) {
    next = layout_next(l, pc);
    if (is_at(l, pc, OPCODE_monitorenter)) {
      if (!is_range_start(handlers, next)) return WEAVE_MONITOR;
      l->before[pc] = INSERT_BEFORE_LOCK;
      l->between[next] = INSERT_AFTER_LOCK;
    } else if (is_at(l, pc, OPCODE_monitorexit)) {
      bool is_later = is_released_later(l, handlers, pc, previous);
      l->before[pc] = is_later ? INSERT_BEFORE_UNLOCK : INSERT_COPY_MONITOR;
      if (!is_later) l->between[next] = INSERT_AFTER_UNLOCK;
    }
    previous = get_instruction(l, pc);
  }
  return WEAVE_WOVEN;
}
