#include "agent/classfile/constructor.h"

#include "agent/classfile/code.h"
#include "agent/classfile/jumps.h"

/* What is known on the way through the code, from its start to its end. */
struct state {
  bool is_unborn;
  uint32_t pending; /* objects from `new` whose constructor was not called yet; never too few */
};

/* --- the walk ------------------------------------------------------------------ */

/* A frame says how many objects are pending. Two references to one lie side by side, mostly; where
   they do not, the count is too large, and the call is not found rather than a wrong one. */
static struct state state_of(const struct frame_types *types) {
  struct state s = {false, 0};
  uint32_t last = UINT32_MAX;
  for (uint32_t i = 0; i < types->num_locals + types->num_stack; i++) {
    const struct vtype *t =
        i < types->num_locals ? &types->locals[i] : &types->stack[i - types->num_locals];
    if (t->tag == V_UNINITIALIZED_THIS) s.is_unborn = true;
    if (t->tag == V_UNINITIALIZED && t->operand != last) {
      s.pending++;
      last = t->operand;
    }
  }
  return s;
}

static bool calls_constructor(const struct layout *l, const struct pool *pool, uint32_t pc) {
  if (opcode_kind_at(l->code, pc) != OP_INVOKESPECIAL) return false;
  return span_is(pool_method_name(pool, peek_u2(l->code.data + pc + 1)), "<init>");
}

/* The instruction at `pc` was passed; `next` stands behind it. */
static void pass(struct layout *l, const struct pool *pool, uint32_t pc, uint32_t next,
                 struct state *s) {
  if (opcode_kind_at(l->code, pc) == OP_NEW) s->pending++;
  if (!calls_constructor(l, pool, pc)) return;
  if (s->pending > 0) {
    s->pending--;
  } else if (s->is_unborn) {
    s->is_unborn = false;
    l->between[next] = INSERT_ENTER;
  }
}

/* Code that is not reached from the instruction before has a frame, or else (in old classes) goes
   on as what stands before it: so do compilers lay out their code. */
static enum weave_status mark(struct layout *l, const struct pool *pool,
                              struct frame_walk *frames) {
  struct state s = state_of(&frames->types);
  bool has_frame = frame_walk_next(frames);
  for (uint32_t pc = 0, next; pc < l->code.len; pc = next) {
    next = layout_next(l, pc);
    if (has_frame && frames->pc == pc) {
      s = state_of(&frames->types);
      has_frame = frame_walk_next(frames);
    }
    if (s.is_unborn) l->marks[pc] |= MARK_UNBORN;
    pass(l, pool, pc, next, &s);
  }
  return frames->table.failed ? WEAVE_MALFORMED : WEAVE_WOVEN;
}

/* --- does it all fit? ------------------------------------------------------------ */

static bool is_unborn(const struct layout *l, uint32_t pc) { return l->marks[pc] & MARK_UNBORN; }

static bool jumps_fit(const struct layout *l, uint32_t pc) {
  uint32_t jumps = jump_count(l->code, pc);
  for (uint32_t i = 0; i < jumps; i++) {
    if (is_unborn(l, layout_jump(l, pc, i)) != is_unborn(l, pc)) return false;
  }
  return true;
}

/* Whether what is behind the instruction at `pc` goes on from it: `this` is initialised on the way
   just where ENTER stands. */
static bool flow_fits(const struct layout *l, uint32_t pc) {
  if (opcode_kind_at(l->code, pc) == OP_RETURN) return !is_unborn(l, pc);
  if (opcode_ends_flow(l->code, pc)) return true;
  uint32_t next = layout_next(l, pc);
  bool is_entered = l->between[next] == INSERT_ENTER;
  return is_unborn(l, next) == (is_unborn(l, pc) && !is_entered);
}

static bool handlers_fit(const struct layout *l, struct span handlers) {
  struct handler h;
  for (struct cursor c = cursor_over(handlers); handler_take(&c, &h);) {
    if (!layout_old_start(l, h.start) || !layout_old_start(l, h.pc)) return false;
    if (is_unborn(l, h.start) != is_unborn(l, h.pc)) return false;
  }
  return true;
}

/* Where every way through the code fits, each that returns has passed one ENTER, and just one. */
static bool fits(const struct layout *l, struct span handlers) {
  bool is_entered = false;
  for (uint32_t pc = 0; pc < l->code.len; pc = layout_next(l, pc)) {
    if (!jumps_fit(l, pc) || !flow_fits(l, pc)) return false;
    if (l->between[pc] == INSERT_ENTER) is_entered = true;
  }
  return is_entered && handlers_fit(l, handlers);
}

enum weave_status constructor_mark(struct layout *l, const struct pool *pool,
                                   struct frame_walk *frames, struct span handlers) {
  enum weave_status status = mark(l, pool, frames);
  if (status != WEAVE_WOVEN) return status;
  return fits(l, handlers) ? WEAVE_WOVEN : WEAVE_CONSTRUCTOR;
}
