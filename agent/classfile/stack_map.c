#include "agent/classfile/stack_map.h"

#include <string.h>

/* What is put together, and from what. */
struct maker {
  const struct frame_origin *origin;
  const struct layout *l;
  struct pool *pool;
  struct frame_table table;
};

static bool put(struct maker *m, uint32_t pc, const struct frame_types *types) {
  return frame_put(&m->table, pc, types, m->l);
}

/* Puts the frame that the walk stands at to the new pc `at`, not told from the one before. */
static bool put_full(struct maker *m, uint32_t at, const struct frame_walk *frames) {
  struct frame_types types = frames->types;
  types.form = FRAME_FULL;
  return put(m, at, &types);
}

/* Puts the frame of the old pc `target` to the new pc `at`. Code of version 50 may be without
   frames where it needs them, and is verified without them then: nothing to put. */
static enum weave_status put_frame_of(struct maker *m, uint32_t target, uint32_t at) {
  struct frame_walk frames;
  enum weave_status status = frame_walk_start(&frames, m->origin, m->pool);
  bool found = false;
  while (status == WEAVE_WOVEN && !found && frame_walk_next(&frames)) found = frames.pc == target;
  if (frames.table.failed || (found && !put_full(m, at, &frames))) status = WEAVE_MALFORMED;
  frame_walk_end(&frames);
  return status;
}

/* Each `goto_w T` has the frame of T. */
static enum weave_status put_start(struct maker *m) {
  enum weave_status status = WEAVE_WOVEN;
  uint32_t k = 0;
  for (uint32_t pc = 0; pc < m->l->code.len && status == WEAVE_WOVEN; pc++) {
    if (!(m->l->marks[pc] & MARK_VIA_START)) continue;
    status = put_frame_of(m, layout_jump(m->l, pc, 0), layout_via_start(k++));
  }
  return status;
}

static enum weave_status put_end(struct maker *m) {
  enum weave_status status = WEAVE_WOVEN;
  uint32_t k = 0;
  for (uint32_t pc = 0; pc < m->l->code.len && status == WEAVE_WOVEN; pc++) {
    if (!(m->l->marks[pc] & MARK_VIA_END)) continue;
    status = put_frame_of(m, layout_jump(m->l, pc, 0), layout_via_end(m->l, k++));
  }
  return status;
}

/* The body where it does not begin at 0, and the entry where the shortcut jumps to it. */
static bool put_entry(struct maker *m, const struct frame_walk *frames) {
  if (m->l->num_via_start > 0 && !put_full(m, layout_body(m->l), frames)) return false;
  return m->l->shortcut.len == 0 || put_full(m, layout_entry(m->l), frames);
}

/* That, and all that was there. */
static enum weave_status put_body(struct maker *m) {
  struct frame_walk frames;
  bool is_told = layout_entry(m->l) > 0;
  enum weave_status status = frame_walk_start(&frames, m->origin, is_told ? m->pool : NULL);
  if (status == WEAVE_WOVEN) {
    bool good = put_entry(m, &frames);
    while (good && frame_walk_next(&frames)) {
      good = frames.pc < UINT16_MAX && layout_old_start(m->l, (uint32_t)frames.pc) &&
             put(m, m->l->to[frames.pc], &frames.types);
    }
    if (!good || !cursor_done(&frames.table)) status = WEAVE_MALFORMED;
  }
  frame_walk_end(&frames);
  return status;
}

static struct vtype type_named(struct maker *m, const char *name) {
  return (struct vtype){V_OBJECT,
                        (uint16_t)pool_add_class(m->pool, (struct span){name, strlen(name)})};
}

/* As little as can be is said of the locals, so that any frame fits; on the stack is what was
   thrown. */
static enum weave_status put_handler(struct maker *m) {
  if (m->l->handler.len == 0) return WEAVE_WOVEN;
  struct vtype stack = type_named(m, "java/lang/Throwable"), first = {V_TOP, 0};
  struct frame_types types = {.form = FRAME_FULL, .stack = &stack, .num_stack = 1};
  if (m->l->handler_has_first) {
    first = type_named(m, "java/lang/Object");
    types.locals = &first;
    types.num_locals = 1;
  }
  put(m, layout_handler(m->l), &types);
  return WEAVE_WOVEN;
}

/* In the order of their new pcs. */
static enum weave_status put_all(struct maker *m) {
  static enum weave_status (*const steps[])(struct maker *) = {put_start, put_body, put_handler,
                                                               put_end};
  for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
    enum weave_status status = steps[i](m);
    if (status != WEAVE_WOVEN) return status;
  }
  return WEAVE_WOVEN;
}

static void put_attribute(const struct maker *m, struct builder *out) {
  static const char name[] = "StackMapTable";
  put_u2(out, pool_add_utf8(m->pool, (struct span){name, sizeof name - 1}));
  put_u4(out, (uint32_t)m->table.entries.len + 2);
  put_u2(out, m->table.num);
  builder_bytes(out, m->table.entries.data, m->table.entries.len);
  if (m->table.entries.failed) out->failed = true;
}

enum weave_status stack_map_put(const struct frame_origin *origin, const struct layout *l,
                                struct pool *pool, struct builder *out, uint32_t *out_num) {
  struct maker m = {.origin = origin, .l = l, .pool = pool};
  enum weave_status status = put_all(&m);
  if (m.table.entries.failed) status = WEAVE_NO_MEMORY;
  *out_num = m.table.num;
  if (status == WEAVE_WOVEN && m.table.num > 0) put_attribute(&m, out);
  builder_free(&m.table.entries);
  return status == WEAVE_WOVEN && pool->full ? WEAVE_POOL_FULL : status;
}
