#include "agent/classfile/frames.h"

#include <stdlib.h>

#include "agent/base/memory.h"
#include "agent/classfile/descriptor.h"

/* The type byte of an entry (JVM specification 4.7.4). */
enum {
  TYPE_STACK1 = 64,    /* 64 to 127: the delta plus 64, and one value on the stack */
  TYPE_RESERVED = 128, /* 128 to 246: invalid */
  TYPE_STACK1_EXTENDED = 247,
  TYPE_SAME_EXTENDED = 251, /* 248 to 250: chop (251 - type) locals */
  TYPE_FULL = 255,          /* 252 to 254: append (type - 251) locals */
};

#define SHORT_DELTA 64 /* a smaller delta is part of the type byte */

/* --- the frame at the entry ---------------------------------------------------- */

static bool add_local(struct frame_walk *w, struct vtype type) {
  if (w->types.num_locals == w->max_locals) return false;
  w->types.locals[w->types.num_locals++] = type;
  return true;
}

static struct vtype make_type(struct span field, struct pool *pool) {
  switch (field.data[0]) {
    case 'F':
      return (struct vtype){.tag = V_FLOAT};
    case 'D':
      return (struct vtype){.tag = V_DOUBLE};
    case 'J':
      return (struct vtype){.tag = V_LONG};
    case 'L': /* the constant pool spells this without L and ; but an array like here (4.4.1) */
      field = (struct span){field.data + 1, field.len - 2};
      break;
    case '[':
      break;
    default:
      return (struct vtype){.tag = V_INTEGER};
  }
  uint32_t index = pool == NULL ? 0 : pool_add_class(pool, field);
  return (struct vtype){V_OBJECT, (uint16_t)index};
}

static bool add_arguments(struct frame_walk *w, struct span descriptor, struct pool *pool) {
  struct cursor c = descriptor_open(descriptor);
  struct span field;
  while (descriptor_take_parameter(&c, &field)) {
    if (!add_local(w, make_type(field, pool))) return false;
  }
  return !c.failed;
}

enum weave_status frame_walk_start(struct frame_walk *w, const struct frame_origin *origin,
                                   struct pool *pool) {
  *w = (struct frame_walk){.table = cursor_over(origin->table),
                           .pc = -1,
                           .max_locals = origin->max_locals,
                           .max_stack = origin->max_stack};
  if (origin->table.data != NULL) w->left = take_u2(&w->table);
  w->types.locals = memory_new_zeroed(w->max_locals + 1, sizeof *w->types.locals);
  w->types.stack = memory_new_zeroed(w->max_stack + 1, sizeof *w->types.stack);
  if (w->types.locals == NULL || w->types.stack == NULL) return WEAVE_NO_MEMORY;
  bool good = (origin->is_static || add_local(w, origin->this_type)) &&
              add_arguments(w, origin->descriptor, pool);
  if (pool != NULL && pool->failed) return WEAVE_NO_MEMORY;
  if (pool != NULL && pool->full) return WEAVE_POOL_FULL;
  return good ? WEAVE_WOVEN : WEAVE_MALFORMED;
}

void frame_walk_end(struct frame_walk *w) {
  free(w->types.locals);
  free(w->types.stack);
  w->types = (struct frame_types){0};
}

/* --- reading ------------------------------------------------------------------- */

/* Takes `n` types and appends them to `list`, which has room for `max`. */
static void take_types(struct cursor *c, struct vtype *list, uint32_t *num, uint32_t n,
                       uint32_t max) {
  if (n > max - *num) c->failed = true;
  for (uint32_t i = 0; i < n && !c->failed; i++) {
    uint8_t tag = (uint8_t)take_u1(c);
    if (tag > V_UNINITIALIZED) c->failed = true;
    uint32_t operand = tag == V_OBJECT || tag == V_UNINITIALIZED ? take_u2(c) : 0;
    list[(*num)++] = (struct vtype){tag, (uint16_t)operand};
  }
}

static void take_locals(struct frame_walk *w, uint32_t n) {
  take_types(&w->table, w->types.locals, &w->types.num_locals, n, w->max_locals);
}

static void take_stack(struct frame_walk *w, uint32_t n) {
  take_types(&w->table, w->types.stack, &w->types.num_stack, n, w->max_stack);
}

static void chop_locals(struct frame_walk *w, uint32_t n) {
  if (n > w->types.num_locals) {
    w->table.failed = true;
  } else {
    w->types.num_locals -= n;
  }
}

/* Takes the rest of an entry after its type byte and its delta, and applies it to the current
   frame. */
static void apply_entry(struct frame_walk *w, uint32_t type) {
  struct frame_types *t = &w->types;
  t->num_stack = 0;
  t->num_changed =
      type > TYPE_SAME_EXTENDED ? type - TYPE_SAME_EXTENDED : TYPE_SAME_EXTENDED - type;
  if (type < TYPE_STACK1 || type == TYPE_SAME_EXTENDED) {
    t->form = FRAME_SAME;
  } else if (type < TYPE_RESERVED || type == TYPE_STACK1_EXTENDED) {
    t->form = FRAME_STACK1;
    take_stack(w, 1);
  } else if (type < TYPE_STACK1_EXTENDED) {
    w->table.failed = true;
  } else if (type < TYPE_SAME_EXTENDED) {
    t->form = FRAME_CHOP;
    chop_locals(w, t->num_changed);
  } else if (type < TYPE_FULL) {
    t->form = FRAME_APPEND;
    take_locals(w, t->num_changed);
  } else {
    t->form = FRAME_FULL;
    t->num_locals = 0;
    take_locals(w, take_u2(&w->table));
    take_stack(w, take_u2(&w->table));
  }
}

bool frame_walk_next(struct frame_walk *w) {
  if (w->left == 0 || w->table.failed) return false;
  w->left--;
  uint32_t type = take_u1(&w->table);
  uint32_t delta = type < TYPE_RESERVED ? type % SHORT_DELTA : take_u2(&w->table);
  w->pc += delta + 1;
  apply_entry(w, type);
  return !w->table.failed;
}

/* --- writing ------------------------------------------------------------------- */

static bool put_types(struct builder *b, const struct vtype *types, uint32_t num,
                      const struct layout *l) {
  for (uint32_t i = 0; i < num; i++) {
    uint32_t operand = types[i].operand;
    put_u1(b, types[i].tag);
    if (types[i].tag == V_UNINITIALIZED) {
      if (!layout_is_old_start(l, operand)) return false;
      operand = layout_new_pc(l, operand);
    }
    if (types[i].tag >= V_OBJECT) put_u2(b, operand);
  }
  return true;
}

/* Puts the type byte, and the delta unless it is part of the type byte. */
static void put_head(struct builder *b, const struct frame_types *t, uint32_t delta) {
  bool is_short = delta < SHORT_DELTA;
  uint32_t type = TYPE_FULL;
  switch (t->form) {
    case FRAME_SAME:
      type = is_short ? delta : TYPE_SAME_EXTENDED;
      break;
    case FRAME_STACK1:
      type = is_short ? TYPE_STACK1 + delta : TYPE_STACK1_EXTENDED;
      break;
    case FRAME_CHOP:
      type = TYPE_SAME_EXTENDED - t->num_changed;
      break;
    case FRAME_APPEND:
      type = TYPE_SAME_EXTENDED + t->num_changed;
      break;
    case FRAME_FULL:
      break;
  }
  put_u1(b, type);
  if (type >= TYPE_RESERVED) put_u2(b, delta);
}

bool frame_put(struct frame_table *t, uint32_t pc, const struct frame_types *types,
               const struct layout *l) {
  struct builder *b = &t->entries;
  uint32_t added = types->form == FRAME_APPEND ? types->num_changed : 0;
  put_head(b, types, pc - t->min_pc);
  t->min_pc = pc + 1;
  t->num++;
  if (types->form != FRAME_FULL) {
    return put_types(b, types->locals + types->num_locals - added, added, l) &&
           put_types(b, types->stack, types->num_stack, l);
  }
  put_u2(b, types->num_locals);
  if (!put_types(b, types->locals, types->num_locals, l)) return false;
  put_u2(b, types->num_stack);
  return put_types(b, types->stack, types->num_stack, l);
}
