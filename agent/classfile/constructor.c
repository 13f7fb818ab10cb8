#include "agent/classfile/constructor.h"

#include "agent/classfile/code.h"

/* The state at an instruction, on a linear pass from the start of the code to its end. */
struct state {
  bool is_uninitialized; /* `this` is */
  uint32_t pending;      /* other objects whose constructor was not called yet; may be too large */
};

/* --- the pass over the code ---------------------------------------------------- */

/* Returns the state that a frame describes. References to the same pending object are usually
   adjacent in a frame. If they are not, `pending` is too large. Then the constructor is refused; a
   wrong call is never taken for the right one. */
static struct state read_state(const struct frame_types *types) {
  struct state s = {false, 0};
  uint32_t last = UINT32_MAX;
  for (uint32_t i = 0; i < types->num_locals + types->num_stack; i++) {
    const struct vtype *t =
        i < types->num_locals ? &types->locals[i] : &types->stack[i - types->num_locals];
    if (t->tag == V_UNINITIALIZED_THIS) s.is_uninitialized = true;
    if (t->tag == V_UNINITIALIZED && t->operand != last) {
      s.pending++;
      last = t->operand;
    }
  }
  return s;
}

static bool is_constructor_call(const struct layout *l, const struct pool *pool, uint32_t pc) {
  if (opcode_kind_at(l->code, pc) != OP_INVOKESPECIAL) return false;
  return span_is(pool_method_name(pool, peek_u2(l->code.data + pc + 1)), "<init>");
}

/* Code that the preceding instruction does not reach has a frame, which gives its state. Classes
   before version 50 have no frames. There the state of the preceding instruction is used, which
   is right for the order in which compilers lay out code. */
static enum weave_status mark_code(struct layout *l, const struct pool *pool,
                                   struct frame_walk *frames) {
  struct state s = read_state(&frames->types);
  bool has_frame = frame_walk_next(frames);
  for (uint32_t pc = 0, next; pc < l->code.len; pc = next) {
    next = layout_next(l, pc);
    if (has_frame && frames->pc == pc) {
      s = read_state(&frames->types);
      has_frame = frame_walk_next(frames);
    }
    if (s.is_uninitialized) l->marks[pc] |= MARK_UNINITIALIZED;
    if (opcode_kind_at(l->code, pc) == OP_NEW) s.pending++;
    if (!is_constructor_call(l, pool, pc)) continue;
    if (s.pending > 0) {
      s.pending--;
    } else if (s.is_uninitialized) {
      s.is_uninitialized = false;
      l->between[next] = INSERT_ENTER;
    }
  }
  return frames->table.failed ? WEAVE_MALFORMED : WEAVE_WOVEN;
}

/* --- the check of the marks ------------------------------------------------------ */

static bool is_uninitialized(const struct layout *l, uint32_t pc) {
  return l->marks[pc] & MARK_UNINITIALIZED;
}

/* Does the mark change between the instruction at `pc` and the next one exactly if INSERT_ENTER is
   there? And is `this` initialized if the instruction returns? */
static bool has_valid_flow(const struct layout *l, uint32_t pc) {
  if (opcode_kind_at(l->code, pc) == OP_RETURN) return !is_uninitialized(l, pc);
  if (opcode_ends_flow(l->code, pc)) return true;
  uint32_t next = layout_next(l, pc);
  bool is_entered = l->between[next] == INSERT_ENTER;
  return is_uninitialized(l, next) == (is_uninitialized(l, pc) && !is_entered);
}

/* If the marks are consistent, every path from the entry to a return passes INSERT_ENTER exactly
   once. The target of a jump has the same mark as the jump, and a handler the same mark as the
   start of its range. */
static bool is_consistent(const struct layout *l, struct span handlers) {
  bool is_entered = false;
  for (uint32_t pc = 0; pc < l->code.len; pc = layout_next(l, pc)) {
    uint32_t jumps = jump_count(l->code, pc);
    for (uint32_t i = 0; i < jumps; i++) {
      if (is_uninitialized(l, layout_old_target(l, pc, i)) != is_uninitialized(l, pc)) return false;
    }
    if (!has_valid_flow(l, pc)) return false;
    if (l->between[pc] == INSERT_ENTER) is_entered = true;
  }
  struct handler h;
  for (struct cursor c = cursor_over(handlers); handler_take(&c, &h);) {
    if (!layout_is_old_start(l, h.start) || !layout_is_old_start(l, h.pc)) return false;
    if (is_uninitialized(l, h.start) != is_uninitialized(l, h.pc)) return false;
  }
  return is_entered;
}

enum weave_status constructor_mark(struct layout *l, const struct pool *pool,
                                   struct frame_walk *frames, struct span handlers) {
  enum weave_status status = mark_code(l, pool, frames);
  if (status != WEAVE_WOVEN) return status;
  return is_consistent(l, handlers) ? WEAVE_WOVEN : WEAVE_CONSTRUCTOR;
}
