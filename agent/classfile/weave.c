#include "agent/classfile/weave.h"

#include "agent/classfile/annotations.h"
#include "agent/classfile/code.h"
#include "agent/classfile/method.h"
#include "agent/classfile/pool.h"

#define MAGIC 0xCAFEBABE
#define VERSION_WITH_FRAMES 50          /* JVM specification 4.10 */
#define VERSION_WITH_CLASS_CONSTANTS 49 /* JVM specification 4.4 */
#define ACC_STATIC 0x0008
#define ACC_SYNCHRONIZED 0x0020

/* The state of the weaving of one class. Bytes that do not change are copied to `members` lazily:
   up to the next changed method, when that method is written. */
struct work {
  struct cursor in;
  const struct weave_chooser *chooser;
  struct pool pool;
  struct hook_methods hooks;
  struct method method_template;     /* the fields that all methods of the class share */
  struct weave_method view_template; /* the same for the chooser's view of a method */
  struct builder members;            /* the new bytes after the constant pool */
  size_t copied;                     /* the offset in `in` up to which `members` is complete */
  size_t num_woven;
  bool no_memory; /* memory ran out for a method, so the whole class is refused */
};

/* --- reading -------------------------------------------------------------------------- */

/* Takes the attributes of a member or class. Sets `*out_code` and `*out_annotations` to the bodies
   of those two; leaves an output unchanged if there is no such attribute. */
static void take_attributes(struct work *w, struct cursor *c, struct span *out_code,
                            struct span *out_annotations) {
  for (uint32_t left = take_u2(c); left > 0 && !c->failed; left--) {
    struct attribute a = attribute_take(c, &w->pool);
    if (span_is(a.name, "Code")) *out_code = a.body;
    if (span_is(a.name, "RuntimeVisibleAnnotations")) *out_annotations = a.body;
  }
}

static void skip_attributes(struct cursor *c) {
  for (uint32_t left = take_u2(c); left > 0 && !c->failed; left--) {
    take_u2(c);
    take_span(c, take_u4(c));
  }
}

/* Skips all fields, or all methods. */
static void skip_members(struct cursor *c) {
  for (uint32_t left = take_u2(c); left > 0 && !c->failed; left--) {
    take_span(c, 6); /* flags, name, descriptor */
    skip_attributes(c);
  }
}

/* Reads the class file up to its methods. */
static enum weave_status read_header(struct work *w) {
  struct method *m = &w->method_template;
  struct cursor *c = &w->in;
  if (take_u4(c) != MAGIC) return WEAVE_MALFORMED;
  take_u2(c); /* minor version */
  uint32_t version = take_u2(c);
  m->has_class = version >= VERSION_WITH_CLASS_CONSTANTS;
  m->has_frames = version >= VERSION_WITH_FRAMES;
  enum weave_status status = pool_read(&w->pool, c);
  if (status != WEAVE_WOVEN) return status;
  w->copied = c->at;
  w->view_template.class_access = take_u2(c);
  m->this_class = take_u2(c);
  m->class_name = pool_class_name(&w->pool, m->this_class);
  m->has_super = take_u2(c) != 0;
  take_span(c, 2 * (size_t)take_u2(c)); /* interfaces */
  skip_members(c);                      /* fields */
  /* The class's annotations come after its methods, but the chooser needs them for each method. */
  struct cursor ahead = *c;
  struct span code;
  skip_members(&ahead);
  take_attributes(w, &ahead, &code, &w->view_template.class_annotations);
  return m->class_name.data == NULL ? WEAVE_MALFORMED : WEAVE_WOVEN;
}

/* Takes a method. `out->code` is {NULL, 0} if it has no Code attribute. */
static void take_method(struct work *w, struct method *out, struct weave_method *out_view) {
  struct cursor *c = &w->in;
  *out = w->method_template;
  *out_view = w->view_template;
  out_view->class_name = out->class_name;
  out_view->pool = &w->pool;
  out_view->access = take_u2(c);
  out_view->name = out->name = pool_utf8(&w->pool, take_u2(c));
  out_view->descriptor = out->descriptor = pool_utf8(&w->pool, take_u2(c));
  out->is_static = out_view->access & ACC_STATIC;
  out->is_synchronized = out_view->access & ACC_SYNCHRONIZED;
  take_attributes(w, c, &out->code, &out_view->annotations);
}

bool weave_method_has_annotation(const struct weave_method *m, const char *type) {
  return annotations_contain(m->annotations, m->pool, type);
}

bool weave_class_has_annotation(const struct weave_method *m, const char *type) {
  return annotations_contain(m->class_annotations, m->pool, type);
}

/* --- weaving --------------------------------------------------------------------------- */

/* Copies the bytes of `in` before the offset `end` that were not copied yet. */
static void copy_until(struct work *w, size_t end) {
  builder_bytes(&w->members, w->in.data + w->copied, end - w->copied);
  w->copied = end;
}

/* Puts the woven Code attribute instead of the original one, whose body is `m->code`. */
static enum weave_status put_method(struct work *w, const struct method *m,
                                    const struct weave_hooking *hooking) {
  size_t body = (size_t)(m->code.data - w->in.data);
  copy_until(w, body - 4);
  size_t length_at = w->members.len;
  put_u4(&w->members, 0);
  enum weave_status status = method_put(m, hooking, &w->hooks, &w->pool, &w->members);
  if (w->members.failed || w->pool.failed) status = WEAVE_NO_MEMORY;
  if (status == WEAVE_NO_MEMORY) {
    w->no_memory = true;
    return status;
  }
  if (status != WEAVE_WOVEN) {
    w->members.len = length_at;
    return status;
  }
  poke_u4(w->members.data + length_at, (uint32_t)(w->members.len - length_at - 4));
  w->copied = body + m->code.len;
  w->num_woven++;
  return WEAVE_WOVEN;
}

static void weave_methods(struct work *w) {
  const struct weave_chooser *chooser = w->chooser;
  for (uint32_t left = take_u2(&w->in); left > 0 && !w->in.failed && !w->no_memory; left--) {
    struct method m;
    struct weave_method view;
    struct weave_hooking hooking = {0};
    take_method(w, &m, &view);
    if (w->in.failed || !chooser->choose(chooser->context, &view, &hooking)) continue;
    chooser->done(chooser->context, &view,
                  m.code.data == NULL ? WEAVE_NO_CODE : put_method(w, &m, &hooking));
  }
}

static enum weave_status weave_and_put(struct work *w, struct builder *out) {
  size_t start = out->len;
  weave_methods(w);
  if (w->no_memory) return WEAVE_NO_MEMORY;
  skip_attributes(&w->in);
  if (!cursor_is_done(&w->in)) return WEAVE_MALFORMED;
  if (w->num_woven == 0) return WEAVE_ABSENT;
  copy_until(w, w->in.len);
  builder_bytes(out, w->in.data, 8); /* magic and version */
  pool_put(&w->pool, out);
  builder_bytes(out, w->members.data, w->members.len);
  if (w->members.failed) out->failed = true;
  if (!out->failed) return WEAVE_WOVEN;
  out->len = start;
  return WEAVE_NO_MEMORY;
}

enum weave_status weave_class(struct span class_file, const struct weave_hooks *hooks,
                              const struct weave_chooser *chooser, struct builder *out) {
  struct work w = {.in = cursor_over(class_file), .hooks = {.names = hooks}, .chooser = chooser};
  if (class_file.len > INT32_MAX) return WEAVE_MALFORMED;
  enum weave_status status = read_header(&w);
  if (status == WEAVE_WOVEN) status = weave_and_put(&w, out);
  builder_free(&w.members);
  pool_free(&w.pool);
  return status;
}

const char *weave_status_text(enum weave_status status) {
  static const char *const texts[] = {
#define STATUS(name, text) text,
#include "agent/classfile/status.def"
#undef STATUS
  };
  return texts[status];
}
