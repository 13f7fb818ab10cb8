#include "agent/classfile/method.h"

#include "agent/classfile/attributes.h"
#include "agent/classfile/constructor.h"
#include "agent/classfile/stack_map.h"

/* --- reading the Code attribute (JVM specification 4.7.3) ---------------------------- */

struct code {
  uint32_t max_stack, max_locals;
  struct span bytes;
  struct span handlers; /* rows of start, end, handler, type */
  uint32_t num_attributes;
  struct span attributes;
  struct span frames; /* the body of the StackMapTable; {NULL, 0}: there is none */
};

#define HANDLER_ROW 8

struct attribute {
  uint32_t name_index;
  struct span name, body;
};

static struct attribute take_attribute(struct cursor *c, const struct pool *pool) {
  struct attribute a = {.name_index = take_u2(c)};
  a.name = pool_utf8(pool, a.name_index);
  a.body = take_span(c, take_u4(c));
  return a;
}

/* Looks for the StackMapTable; false where the attributes are malformed, or it is there twice. */
static bool read_attributes(struct code *code, struct cursor *c, const struct pool *pool) {
  code->num_attributes = take_u2(c);
  code->attributes = (struct span){c->data + c->at, c->len - c->at};
  for (uint32_t i = 0; i < code->num_attributes && !c->failed; i++) {
    struct attribute a = take_attribute(c, pool);
    if (!span_is(a.name, "StackMapTable")) continue;
    if (code->frames.data != NULL) return false;
    code->frames = a.body;
  }
  return cursor_done(c);
}

static bool read_code(struct code *code, struct span body, const struct pool *pool) {
  struct cursor c = cursor_over(body);
  *code = (struct code){.max_stack = take_u2(&c), .max_locals = take_u2(&c)};
  code->bytes = take_span(&c, take_u4(&c));
  code->handlers = take_span(&c, HANDLER_ROW * (size_t)take_u2(&c));
  return read_attributes(code, &c, pool);
}

/* --- where the hooks go ---------------------------------------------------------------- */

/* One method on its way. */
struct work {
  const struct method *method;
  const struct weave_hooking *hooking;
  struct pool *pool;
  struct code code;
  struct frame_origin origin;
  struct layout layout;
  struct snippets snippets;
  struct builder *out;
};

/* Whether `this` is not initialised at the entry. */
static bool begins_unborn(const struct method *m) {
  return m->has_super && !m->is_static && span_is(m->name, "<init>");
}

static struct frame_origin origin_of(const struct method *m, const struct code *code) {
  struct vtype initialised = {V_OBJECT, (uint16_t)m->this_class};
  struct vtype unborn = {V_UNINITIALIZED_THIS, 0};
  return (struct frame_origin){.descriptor = m->descriptor,
                               .is_static = m->is_static,
                               .this_type = begins_unborn(m) ? unborn : initialised,
                               .max_locals = code->max_locals,
                               .max_stack = code->max_stack,
                               .table = m->has_frames ? code->frames : (struct span){NULL, 0}};
}

static enum weave_status mark_constructor(struct work *w) {
  struct frame_walk frames;
  enum weave_status status = frame_walk_start(&frames, &w->origin, NULL);
  if (status == WEAVE_WOVEN) {
    status = constructor_mark(&w->layout, w->pool, &frames, w->code.handlers);
  }
  frame_walk_end(&frames);
  return status;
}

static enum weave_status mark_hooks(struct work *w) {
  struct layout *l = &w->layout;
  for (uint32_t pc = 0; w->hooking->has_exit && pc < l->code.len; pc = layout_next(l, pc)) {
    if (opcode_kind_at(l->code, pc) == OP_RETURN) l->marks[pc] |= MARK_EXIT;
  }
  if (begins_unborn(w->method)) return mark_constructor(w);
  l->marks[0] |= MARK_ENTER;
  return WEAVE_WOVEN;
}

/* Finds the next piece of the code that the handler is for, from `*pc` on: all but what stands
   before a constructor's ENTER, and the returns. (Once its EXIT has run, a return may still throw
   an IllegalMonitorStateException, and that must not call a second hook.) */
static bool next_piece(const struct layout *l, uint32_t *pc, uint32_t *out_start,
                       uint32_t *out_end) {
  const uint8_t outside = MARK_UNBORN | MARK_EXIT;
  while (*pc < l->code.len && l->marks[*pc] & outside) *pc = layout_next(l, *pc);
  *out_start = *pc;
  while (*pc < l->code.len && !(l->marks[*pc] & outside)) *pc = layout_next(l, *pc);
  *out_end = *pc;
  return *out_start < *out_end;
}

/* HotSpot's C2 crashes (seen in 17 and 25) on an exception handler in the constructor of
   java.lang.Object, where it registers finalizers; nothing in that throws anyway. */
static bool may_have_handler(const struct method *m) {
  return m->has_super || !span_is(m->name, "<init>");
}

static struct span span_of(const struct builder *b) { return (struct span){b->data, b->len}; }

static enum weave_status place(struct work *w, const struct hook_methods *hooks) {
  struct layout *l = &w->layout;
  bool has_this = w->hooking->pass_this && !w->method->is_static &&
                  (!begins_unborn(w->method) || constructor_keeps_this(l));
  enum weave_status status = snippets_make(&w->snippets, w->hooking, has_this, hooks, w->pool);
  if (status != WEAVE_WOVEN) return status;
  l->enter = span_of(&w->snippets.enter);
  l->exit = span_of(&w->snippets.exit);
  uint32_t pc = 0, start, end;
  if (may_have_handler(w->method) && next_piece(l, &pc, &start, &end)) {
    l->handler = span_of(&w->snippets.handler);
  }
  return layout_place(l);
}

/* By its finalize() having code or not the JVM decides whether an object needs finalization; one
   that is in java.lang.Object and not empty would bring that on every object. */
static bool is_empty_finalize(const struct work *w) {
  struct span code = w->code.bytes;
  return span_is(w->method->name, "finalize") && span_is(w->method->descriptor, "()V") &&
         code.len == 1 && (uint8_t)code.data[0] == OPCODE_return;
}

/* --- writing the Code attribute ---------------------------------------------------------- */

/* Writes over the two bytes at `at`, which were put before. */
static void patch_u2(struct builder *out, size_t at, uint32_t n) {
  if (!out->failed) poke_u2(out->data + at, n);
}

/* At a return the stack is as high as ever at most, and EXIT pushes one thing; behind a
   constructor's call of another it is lower by one at least, and ENTER pushes two. */
static enum weave_status put_limits(struct work *w) {
  uint32_t max_stack = w->code.max_stack < 1 ? 2 : w->code.max_stack + 1;
  if (max_stack > UINT16_MAX) return WEAVE_STACK_FULL;
  put_u2(w->out, max_stack);
  put_u2(w->out, w->code.max_locals);
  return WEAVE_WOVEN;
}

static enum weave_status put_code(struct work *w) {
  put_u4(w->out, layout_len(&w->layout));
  layout_put(&w->layout, w->out);
  return WEAVE_WOVEN;
}

static void put_handler(struct builder *out, uint32_t start, uint32_t end, uint32_t handler,
                        uint32_t type) {
  put_u2(out, start);
  put_u2(out, end);
  put_u2(out, handler);
  put_u2(out, type);
}

static bool put_old_handlers(struct work *w) {
  const struct layout *l = &w->layout;
  for (struct cursor c = cursor_over(w->code.handlers); c.at < c.len;) {
    uint32_t start = take_u2(&c), end = take_u2(&c), handler = take_u2(&c), type = take_u2(&c);
    bool good = layout_old_start(l, start) && layout_old_start(l, handler) && start < end &&
                (end == l->code.len || layout_old_start(l, end));
    if (!good) return false;
    put_handler(w->out, l->to[start], l->to[end], l->to[handler], type);
  }
  return true;
}

static uint32_t put_our_handlers(struct work *w) {
  const struct layout *l = &w->layout;
  uint32_t num = 0;
  if (l->handler.len == 0) return 0;
  for (uint32_t pc = 0, start, end; next_piece(l, &pc, &start, &end); num++) {
    put_handler(w->out, l->to[start], l->to[end], layout_handler(l), 0);
  }
  return num;
}

/* Ours are the last: the method's own go first (JVM specification 2.10). */
static enum weave_status put_handlers(struct work *w) {
  size_t at = w->out->len;
  put_u2(w->out, 0);
  if (!put_old_handlers(w)) return WEAVE_MALFORMED;
  uint32_t num = (uint32_t)(w->code.handlers.len / HANDLER_ROW) + put_our_handlers(w);
  if (num > UINT16_MAX) return WEAVE_HANDLERS_FULL;
  patch_u2(w->out, at, num);
  return WEAVE_WOVEN;
}

/* The attributes that are known, without the StackMapTable. */
static enum weave_status put_old_attributes(struct work *w, uint32_t *num) {
  struct cursor c = cursor_over(w->code.attributes);
  for (uint32_t i = 0; i < w->code.num_attributes; i++) {
    struct attribute a = take_attribute(&c, w->pool);
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
  patch_u2(w->out, at, num + (num_frames > 0));
  return status;
}

static enum weave_status put_all(struct work *w) {
  static enum weave_status (*const steps[])(struct work *) = {put_limits, put_code, put_handlers,
                                                              put_attributes};
  for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
    enum weave_status status = steps[i](w);
    if (status != WEAVE_WOVEN) return status;
  }
  return WEAVE_WOVEN;
}

enum weave_status method_put(const struct method *m, const struct weave_hooking *hooking,
                             const struct hook_methods *hooks, struct pool *pool,
                             struct builder *out) {
  struct work w = {.method = m, .hooking = hooking, .pool = pool, .out = out};
  if (!read_code(&w.code, m->code, pool)) return WEAVE_MALFORMED;
  if (is_empty_finalize(&w)) return WEAVE_EMPTY_FINALIZE;
  w.origin = origin_of(m, &w.code);
  enum weave_status status = layout_read(&w.layout, w.code.bytes);
  if (status == WEAVE_WOVEN) status = mark_hooks(&w);
  if (status == WEAVE_WOVEN) status = place(&w, hooks);
  if (status == WEAVE_WOVEN) status = put_all(&w);
  snippets_free(&w.snippets);
  layout_free(&w.layout);
  return status;
}
