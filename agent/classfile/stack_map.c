#include "agent/classfile/stack_map.h"

#include <string.h>

/* The inputs, and the table under construction. */
struct maker {
  const struct frame_origin *origin;
  const struct layout *l;
  struct pool *pool;
  struct frame_table table;
};

static bool put_frame(struct maker *m, uint32_t pc, const struct frame_types *types) {
  return frame_put(&m->table, pc, types, m->l);
}

/* Puts the current frame of the walk at the new pc `at`, as a full frame. */
static bool put_full_frame(struct maker *m, uint32_t at, const struct frame_walk *frames) {
  struct frame_types types = frames->types;
  types.form = FRAME_FULL;
  return put_frame(m, at, &types);
}

/* Puts a copy of the frame of the old pc `target` at the new pc `at`. A class of version 50 may
   lack frames; the JVM then verifies it without frames. So if there is no frame, none is put. */
static enum weave_status copy_frame(struct maker *m, uint32_t target, uint32_t at) {
  struct frame_walk frames;
  enum weave_status status = frame_walk_start(&frames, m->origin, m->pool);
  bool found = false;
  while (status == WEAVE_WOVEN && !found && frame_walk_next(&frames)) found = frames.pc == target;
  if (frames.table.failed || (found && !put_full_frame(m, at, &frames))) status = WEAVE_MALFORMED;
  frame_walk_end(&frames);
  return status;
}

/* Puts the frames of the trampolines at the start. A trampoline has the frame of its target. */
static enum weave_status put_start_frames(struct maker *m) {
  enum weave_status status = WEAVE_WOVEN;
  uint32_t k = 0;
  for (uint32_t pc = 0; pc < m->l->code.len && status == WEAVE_WOVEN; pc++) {
    if (!(m->l->marks[pc] & MARK_VIA_START)) continue;
    status = copy_frame(m, layout_old_target(m->l, pc, 0), layout_via_start(k++));
  }
  return status;
}

static enum weave_status put_end_frames(struct maker *m) {
  enum weave_status status = WEAVE_WOVEN;
  uint32_t k = 0;
  for (uint32_t pc = 0; pc < m->l->code.len && status == WEAVE_WOVEN; pc++) {
    if (!(m->l->marks[pc] & MARK_VIA_END)) continue;
    status = copy_frame(m, layout_old_target(m->l, pc, 0), layout_via_end(m->l, k++));
  }
  return status;
}

/* Puts the frames of the body, if a jump over the trampolines goes to it, and of the entry, if the
   shortcut jumps to it. */
static bool put_entry_frames(struct maker *m, const struct frame_walk *frames) {
  if (m->l->num_via_start > 0 && !put_full_frame(m, layout_body(m->l), frames)) return false;
  return m->l->shortcut.len == 0 || put_full_frame(m, layout_entry(m->l), frames);
}

/* Puts the frames of the entry and the original frames. */
static enum weave_status put_body_frames(struct maker *m) {
  struct frame_walk frames;
  bool has_entry_frame = layout_entry(m->l) > 0;
  enum weave_status status = frame_walk_start(&frames, m->origin, has_entry_frame ? m->pool : NULL);
  if (status == WEAVE_WOVEN) {
    bool good = put_entry_frames(m, &frames);
    while (good && frame_walk_next(&frames)) {
      good = frames.pc < UINT16_MAX && layout_is_old_start(m->l, (uint32_t)frames.pc) &&
             put_frame(m, m->l->new_target[frames.pc], &frames.types);
    }
    if (!good || !cursor_is_done(&frames.table)) status = WEAVE_MALFORMED;
  }
  frame_walk_end(&frames);
  return status;
}

static struct vtype make_class_type(struct maker *m, const char *name) {
  return (struct vtype){V_OBJECT,
                        (uint16_t)pool_add_class(m->pool, (struct span){name, strlen(name)})};
}

/* The frame of the handler declares as few locals as possible, so that every frame in its range is
   compatible with it. The exception is on the stack. */
static enum weave_status put_handler_frame(struct maker *m) {
  if (m->l->handler.len == 0) return WEAVE_WOVEN;
  struct vtype stack = make_class_type(m, "java/lang/Throwable"), local_zero = {V_TOP, 0};
  struct frame_types types = {.form = FRAME_FULL, .stack = &stack, .num_stack = 1};
  if (m->l->handler_has_local_zero) {
    local_zero = make_class_type(m, "java/lang/Object");
    types.locals = &local_zero;
    types.num_locals = 1;
  }
  put_frame(m, layout_handler(m->l), &types);
  return WEAVE_WOVEN;
}

enum weave_status stack_map_put(const struct frame_origin *origin, const struct layout *l,
                                struct pool *pool, struct builder *out, uint32_t *out_num) {
  /* The frames are put in the order of their new pcs. */
  static enum weave_status (*const steps[])(struct maker *) = {put_start_frames, put_body_frames,
                                                               put_handler_frame, put_end_frames};
  struct maker m = {.origin = origin, .l = l, .pool = pool};
  enum weave_status status = WEAVE_WOVEN;
  for (size_t i = 0; i < sizeof steps / sizeof *steps && status == WEAVE_WOVEN; i++) {
    status = steps[i](&m);
  }
  if (m.table.entries.failed) status = WEAVE_NO_MEMORY;
  *out_num = m.table.num;
  if (status == WEAVE_WOVEN && m.table.num > 0) {
    static const char name[] = "StackMapTable";
    put_u2(out, pool_add_utf8(pool, (struct span){name, sizeof name - 1}));
    put_u4(out, (uint32_t)m.table.entries.len + 2);
    put_u2(out, m.table.num);
    builder_bytes(out, m.table.entries.data, m.table.entries.len);
    if (m.table.entries.failed) out->failed = true;
  }
  builder_free(&m.table.entries);
  return status == WEAVE_WOVEN && pool->full ? WEAVE_POOL_FULL : status;
}
