#include "agent/classfile/method.h"

#include "agent/classfile/attributes.h"
#include "agent/classfile/code.h"
#include "agent/classfile/constructor.h"
#include "agent/classfile/descriptor.h"
#include "agent/classfile/handlers.h"
#include "agent/classfile/local_zero.h"
#include "agent/classfile/monitors.h"
#include "agent/classfile/shortcut.h"
#include "agent/classfile/stack_map.h"

/* The state of the weaving of one method. */
struct work {
  const struct method *method;
  const struct weave_hooking *hooking;
  struct hook_methods *hooks;
  struct pool *pool;
  struct code code;
  struct frame_origin origin;
  struct layout layout;
  struct method_plan plan;
  struct hook_code hook_code;
  struct builder *out;
};

/* A stage of the weaving. Any result except WEAVE_WOVEN ends the weaving with this result. */
typedef enum weave_status stage(struct work *w);

/* --- reading the method ----------------------------------------------------------------- */

bool method_is_special(const struct method *m) { return m->name.len > 0 && m->name.data[0] == '<'; }

/* Is `this` uninitialized at the entry? */
static bool has_uninitialized_this(const struct method *m) {
  return m->has_super && !m->is_static && span_is(m->name, "<init>");
}

/* The JVM registers an object for finalization if its finalize() is not empty. Hooks in the empty
   finalize() of java.lang.Object would register every object. */
static bool is_empty_finalize(const struct work *w) {
  struct span code = w->code.bytes;
  return span_is(w->method->name, "finalize") && span_is(w->method->descriptor, "()V") &&
         code.len == 1 && (uint8_t)code.data[0] == OPCODE_return;
}

static enum weave_status read_code(struct work *w) {
  if (!code_read(&w->code, w->method->code, w->pool)) return WEAVE_MALFORMED;
  if (is_empty_finalize(w)) return WEAVE_EMPTY_FINALIZE;
  const struct method *m = w->method;
  struct vtype initialized = {V_OBJECT, (uint16_t)m->this_class};
  struct vtype uninitialized = {V_UNINITIALIZED_THIS, 0};
  w->origin =
      (struct frame_origin){.descriptor = m->descriptor,
                            .is_static = m->is_static,
                            .this_type = has_uninitialized_this(m) ? uninitialized : initialized,
                            .max_locals = w->code.max_locals,
                            .max_stack = w->code.max_stack,
                            .table = m->has_frames ? w->code.frames : (struct span){NULL, 0}};
  return layout_read(&w->layout, w->code.bytes);
}

/* --- planning the hooks ----------------------------------------------------------------- */

static enum weave_status make_plan(struct work *w) {
  const struct method *m = w->method;
  /* The JVM enters no monitor for a constructor or a class initializer, whatever their flags. */
  bool has_monitor = w->hooking->monitors && m->is_synchronized && !method_is_special(m);
  enum own_monitor of_method = m->is_static ? OWN_CLASS : OWN_LOCAL_ZERO;
  w->plan =
      (struct method_plan){.hooking = w->hooking,
                           .return_type = descriptor_return_type(m->descriptor),
                           .has_local_zero = local_zero_is_reference(m->is_static, m->descriptor),
                           .has_local_one = !m->is_static && !method_is_special(m) &&
                                            descriptor_has_reference_first(m->descriptor),
                           .own_monitor = has_monitor ? of_method : OWN_NONE,
                           .this_class = m->this_class};
  if (has_uninitialized_this(m) && local_zero_is_written(&w->layout)) {
    w->plan.has_local_zero = false;
  }
  if (w->plan.return_type == 0) return WEAVE_MALFORMED;
  return w->plan.own_monitor == OWN_CLASS && !m->has_class ? WEAVE_OLD_CLASS : WEAVE_WOVEN;
}

static enum weave_status check_local_zero(struct work *w) {
  bool at_returns =
      w->hooking->at_returns.class_name != NULL || w->plan.own_monitor == OWN_LOCAL_ZERO;
  bool at_entry = w->hooking->at_entry.class_name != NULL;
  if (!at_returns) return at_entry && !w->plan.has_local_zero ? WEAVE_NO_OBJECT : WEAVE_WOVEN;
  /* Local variable 0 must hold its object until the method returns. */
  if (!w->plan.has_local_zero || local_zero_is_written(&w->layout)) return WEAVE_NO_OBJECT;
  struct frame_walk frames;
  enum weave_status status = frame_walk_start(&frames, &w->origin, NULL);
  if (status == WEAVE_WOVEN && !local_zero_is_in_all_frames(&frames)) status = WEAVE_NO_OBJECT;
  frame_walk_end(&frames);
  return status;
}

static enum weave_status mark_enter(struct work *w) {
  bool needs_enter = method_plan_needs_enter(&w->plan);
  bool needs_hooks = needs_enter || method_plan_needs_handler(&w->plan);
  if (!needs_hooks || !has_uninitialized_this(w->method)) {
    if (needs_enter) w->layout.between[0] = INSERT_ENTER;
    return WEAVE_WOVEN;
  }
  struct frame_walk frames;
  enum weave_status status = frame_walk_start(&frames, &w->origin, NULL);
  if (status == WEAVE_WOVEN) {
    status = constructor_mark(&w->layout, w->pool, &frames, w->code.handlers);
  }
  frame_walk_end(&frames);
  return status;
}

static enum weave_status mark_exits(struct work *w) {
  struct layout *l = &w->layout;
  if (!method_plan_needs_exit(&w->plan)) return WEAVE_WOVEN;
  for (uint32_t pc = 0; pc < l->code.len; pc = layout_next(l, pc)) {
    if (opcode_kind_at(l->code, pc) == OP_RETURN) l->before[pc] = INSERT_EXIT;
  }
  return WEAVE_WOVEN;
}

static enum weave_status mark_monitors(struct work *w) {
  return w->hooking->monitors ? monitors_mark(&w->layout, w->code.handlers) : WEAVE_WOVEN;
}

static enum weave_status mark_handler(struct work *w) {
  uint32_t pc = 0, start, end;
  /* HotSpot's C2 registers finalizers in the constructor of java.lang.Object. It crashes (seen in
     17 and 25) if that constructor has an exception handler. No code in it throws, so no handler is
     needed. */
  bool can_have_handler = w->method->has_super || !span_is(w->method->name, "<init>");
  w->plan.has_handler = method_plan_needs_handler(&w->plan) && can_have_handler &&
                        handlers_find_range(&w->layout, &pc, &start, &end);
  w->layout.handler_has_local_zero = w->plan.own_monitor == OWN_LOCAL_ZERO;
  return WEAVE_WOVEN;
}

static enum weave_status make_hook_code(struct work *w) {
  enum weave_status status = WEAVE_WOVEN;
  hook_code_make(&w->hook_code, &w->plan, &w->layout, w->hooks, w->pool);
  if (w->hooking->shortcut.class_name != NULL) {
    status = shortcut_make(&w->hook_code.shortcut, w->method, &w->hooking->shortcut, w->pool);
  }
  if (status != WEAVE_WOVEN) return status;
  if (w->pool->failed) return WEAVE_NO_MEMORY;
  if (w->pool->full) return WEAVE_POOL_FULL;
  return hook_code_attach(&w->hook_code, &w->layout) ? WEAVE_WOVEN : WEAVE_NO_MEMORY;
}

static enum weave_status place_code(struct work *w) {
  enum weave_status status = layout_place(&w->layout);
  if (status != WEAVE_WOVEN) return status;
  return layout_new_len(&w->layout) == w->code.bytes.len ? WEAVE_NOTHING : WEAVE_WOVEN;
}

/* --- writing the Code attribute ---------------------------------------------------------- */

static enum weave_status put_limits(struct work *w) {
  uint32_t max_stack = hook_code_max_stack(&w->hook_code, w->code.max_stack);
  if (max_stack > UINT16_MAX) return WEAVE_STACK_FULL;
  put_u2(w->out, max_stack);
  put_u2(w->out, w->code.max_locals);
  return WEAVE_WOVEN;
}

static enum weave_status put_code(struct work *w) {
  put_u4(w->out, layout_new_len(&w->layout));
  layout_put(&w->layout, w->out);
  return WEAVE_WOVEN;
}

static enum weave_status put_handlers(struct work *w) {
  return handlers_put(&w->layout, w->code.handlers, w->out);
}

/* Puts the attributes that the rewriter can move. The StackMapTable is put separately; attributes
   of other names are dropped. */
static enum weave_status put_old_attributes(struct work *w, uint32_t *num) {
  struct cursor c = cursor_over(w->code.attributes);
  for (uint32_t i = 0; i < w->code.num_attributes; i++) {
    struct attribute a = attribute_take(&c, w->pool);
    if (!attribute_is_kept(a.name)) continue;
    put_u2(w->out, a.name_index);
    put_u4(w->out, (uint32_t)a.body.len);
    if (!attribute_put(a.name, a.body, &w->layout, w->out)) return WEAVE_MALFORMED;
    ++*num;
  }
  return WEAVE_WOVEN;
}

static enum weave_status put_attributes(struct work *w) {
  size_t at = w->out->len;
  uint32_t num = 0, num_frames = 0;
  put_u2(w->out, 0);
  enum weave_status status = put_old_attributes(w, &num);
  if (status == WEAVE_WOVEN && w->method->has_frames) {
    status = stack_map_put(&w->origin, &w->layout, w->pool, w->out, &num_frames);
  }
  if (!w->out->failed) poke_u2(w->out->data + at, num + (num_frames > 0));
  return status;
}

enum weave_status method_put(const struct method *m, const struct weave_hooking *hooking,
                             struct hook_methods *hooks, struct pool *pool, struct builder *out) {
  static stage *const stages[] = {read_code,     make_plan,     check_local_zero, mark_enter,
                                  mark_exits,    mark_monitors, mark_handler,     make_hook_code,
                                  place_code,    put_limits,    put_code,         put_handlers,
                                  put_attributes};
  struct work w = {.method = m, .hooking = hooking, .hooks = hooks, .pool = pool, .out = out};
  enum weave_status status = WEAVE_WOVEN;
  for (size_t i = 0; i < sizeof stages / sizeof *stages && status == WEAVE_WOVEN; i++) {
    status = stages[i](&w);
  }
  hook_code_free(&w.hook_code);
  layout_free(&w.layout);
  return status;
}
