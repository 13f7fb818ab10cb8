#include "agent/classfile/weave.h"

#include <string.h>

#include "agent/classfile/annotations.h"
#include "agent/classfile/code.h"
#include "agent/classfile/method.h"
#include "agent/classfile/pool.h"

#define MAGIC 0xCAFEBABE
#define VERSION_WITH_FRAMES 50  /* JVM specification 4.10 */
#define VERSION_WITH_CLASSES 49 /* as constants: 4.4 */
#define ACC_STATIC 0x0008
#define ACC_SYNCHRONIZED 0x0020

/* A class on its way. What of it stays as it is is copied in pieces, when something new comes. */
struct work {
  struct cursor in;
  const struct weave_chooser *chooser;
  struct pool pool;
  struct hook_methods hooks;
  struct method shape;       /* what all methods of the class have in common */
  struct weave_method shown; /* and what the chooser is shown of that */
  struct builder members;    /* what stands behind the constant pool */
  size_t copied;             /* so much of `in` is in `members` */
  size_t num_woven;
  bool no_memory; /* for a piece of it: then nothing of the class is woven */
};

/* --- walking -------------------------------------------------------------------------- */

/* Takes attributes, and gives the bodies of some: {NULL, 0} for one that is not there. */
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

/* Fields or methods. */
static void skip_members(struct cursor *c) {
  for (uint32_t left = take_u2(c); left > 0 && !c->failed; left--) {
    take_span(c, 6); /* flags, name, descriptor */
    skip_attributes(c);
  }
}

static void read_version(struct work *w) {
  take_u2(&w->in); /* minor version */
  uint32_t version = take_u2(&w->in);
  w->shape.has_class = version >= VERSION_WITH_CLASSES;
  w->shape.has_frames = version >= VERSION_WITH_FRAMES;
}

/* The class's annotations stand behind its methods. */
static void look_ahead(struct work *w) {
  struct cursor ahead = w->in;
  struct span code;
  skip_members(&ahead);
  take_attributes(w, &ahead, &code, &w->shown.class_annotations);
}

static enum weave_status read_head(struct work *w) {
  struct cursor *c = &w->in;
  if (take_u4(c) != MAGIC) return WEAVE_MALFORMED;
  read_version(w);
  enum weave_status status = pool_read(&w->pool, c);
  if (status != WEAVE_WOVEN) return status;
  w->copied = c->at;
  w->shown.class_access = take_u2(c);
  w->shape.this_class = take_u2(c);
  w->shape.class_name = pool_class_name(&w->pool, w->shape.this_class);
  w->shape.has_super = take_u2(c) != 0;
  take_span(c, 2 * (size_t)take_u2(c)); /* interfaces */
  skip_members(c);
  look_ahead(w);
  return w->shape.class_name.data == NULL ? WEAVE_MALFORMED : WEAVE_WOVEN;
}

/* Takes a method; without a Code attribute `out->code` is {NULL, 0}. */
static void take_method(struct work *w, struct method *out, struct weave_method *out_shown) {
  struct cursor *c = &w->in;
  *out = w->shape;
  *out_shown = w->shown;
  out_shown->class_name = out->class_name;
  out_shown->pool = &w->pool;
  out_shown->access = take_u2(c);
  out_shown->name = out->name = pool_utf8(&w->pool, take_u2(c));
  out_shown->descriptor = out->descriptor = pool_utf8(&w->pool, take_u2(c));
  out->is_static = out_shown->access & ACC_STATIC;
  out->is_synchronized = out_shown->access & ACC_SYNCHRONIZED;
  take_attributes(w, c, &out->code, &out_shown->annotations);
}

bool weave_method_annotated(const struct weave_method *m, const char *type) {
  return annotations_have(m->annotations, m->pool, type);
}

bool weave_class_annotated(const struct weave_method *m, const char *type) {
  return annotations_have(m->class_annotations, m->pool, type);
}

/* --- weaving --------------------------------------------------------------------------- */

static void copy_until(struct work *w, size_t end) {
  builder_bytes(&w->members, w->in.data + w->copied, end - w->copied);
  w->copied = end;
}

/* Puts the new Code attribute in place of the old, whose body is `m->code`. */
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
    struct weave_method shown;
    struct weave_hooking hooking = {0};
    take_method(w, &m, &shown);
    if (w->in.failed || !chooser->choose(chooser->context, &shown, &hooking)) continue;
    chooser->done(chooser->context, &shown,
                  m.code.data == NULL ? WEAVE_NO_CODE : put_method(w, &m, &hooking));
  }
}

/* Magic and version, the pool, and the rest. */
static void put_class(struct work *w, struct builder *out) {
  copy_until(w, w->in.len);
  builder_bytes(out, w->in.data, 8);
  pool_put(&w->pool, out);
  builder_bytes(out, w->members.data, w->members.len);
  if (w->members.failed) out->failed = true;
}

static enum weave_status weave(struct work *w, struct builder *out) {
  size_t start = out->len;
  weave_methods(w);
  if (w->no_memory) return WEAVE_NO_MEMORY;
  skip_attributes(&w->in);
  if (!cursor_done(&w->in)) return WEAVE_MALFORMED;
  if (w->num_woven == 0) return WEAVE_ABSENT;
  put_class(w, out);
  if (!out->failed) return WEAVE_WOVEN;
  out->len = start;
  return WEAVE_NO_MEMORY;
}

enum weave_status weave_chosen(struct span class_file, const struct weave_hooks *hooks,
                               const struct weave_chooser *chooser, struct builder *out) {
  struct work w = {.in = cursor_over(class_file), .hooks = {.names = hooks}, .chooser = chooser};
  if (class_file.len > INT32_MAX) return WEAVE_MALFORMED;
  enum weave_status status = read_head(&w);
  if (status == WEAVE_WOVEN) status = weave(&w, out);
  builder_free(&w.members);
  pool_free(&w.pool);
  return status;
}

/* --- a list of requests ------------------------------------------------------------------ */

struct list {
  struct weave_request *requests;
  size_t num;
};

static struct weave_request *request_for(const struct list *list, const struct weave_method *m) {
  for (size_t i = 0; i < list->num; i++) {
    struct weave_request *r = &list->requests[i];
    if (span_is(m->name, r->name) && span_is(m->descriptor, r->descriptor)) return r;
  }
  return NULL;
}

static bool choose_listed(void *context, const struct weave_method *m, struct weave_hooking *out) {
  const struct weave_request *r = request_for(context, m);
  if (r != NULL) *out = r->hooking;
  return r != NULL;
}

static void note_answer(void *context, const struct weave_method *m, enum weave_status status) {
  request_for(context, m)->status = status;
}

static void answer_all(struct list *list, enum weave_status status) {
  for (size_t i = 0; i < list->num; i++) list->requests[i].status = status;
}

enum weave_status weave_class(struct span class_file, const struct weave_hooks *hooks,
                              struct weave_request *requests, size_t num_requests,
                              struct builder *out) {
  struct list list = {requests, num_requests};
  struct weave_chooser chooser = {choose_listed, note_answer, &list};
  answer_all(&list, WEAVE_ABSENT);
  enum weave_status status = weave_chosen(class_file, hooks, &chooser, out);
  if (status != WEAVE_WOVEN && status != WEAVE_ABSENT) answer_all(&list, status);
  return status;
}
