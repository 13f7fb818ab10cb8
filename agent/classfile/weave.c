#include "agent/classfile/weave.h"

#include <string.h>

#include "agent/classfile/method.h"
#include "agent/classfile/pool.h"

#define MAGIC 0xCAFEBABE
#define VERSION_WITH_FRAMES 50 /* JVM specification 4.10 */
#define ACC_STATIC 0x0008

/* A class on its way. What of it stays as it is is copied in pieces, when something new comes. */
struct work {
  struct cursor in;
  const struct weave_hooks *hooks;
  const struct weave_chooser *chooser;
  struct pool pool;
  struct hook_methods hook_methods; /* zeros until a method is chosen */
  struct method shape;              /* what all methods of the class have in common */
  struct builder members;           /* what stands behind the constant pool */
  size_t copied;                    /* so much of `in` is in `members` */
  size_t num_woven;
};

/* --- walking -------------------------------------------------------------------------- */

static void skip_attributes(struct cursor *c) {
  for (uint32_t left = take_u2(c); left > 0 && !c->failed; left--) {
    take_u2(c);
    take_span(c, take_u4(c));
  }
}

static void skip_fields(struct cursor *c) {
  for (uint32_t left = take_u2(c); left > 0 && !c->failed; left--) {
    take_span(c, 6); /* flags, name, descriptor */
    skip_attributes(c);
  }
}

static enum weave_status read_head(struct work *w) {
  struct cursor *c = &w->in;
  if (take_u4(c) != MAGIC) return WEAVE_MALFORMED;
  take_u2(c); /* minor version */
  w->shape.has_frames = take_u2(c) >= VERSION_WITH_FRAMES;
  enum weave_status status = pool_read(&w->pool, c);
  if (status != WEAVE_WOVEN) return status;
  w->copied = c->at;
  take_u2(c); /* flags */
  w->shape.this_class = take_u2(c);
  w->shape.has_super = take_u2(c) != 0;
  take_span(c, 2 * (size_t)take_u2(c)); /* interfaces */
  skip_fields(c);
  return WEAVE_WOVEN;
}

/* Takes a method, with the body of its Code attribute; {NULL, 0} there: it has none. */
static struct method take_method(struct work *w) {
  struct cursor *c = &w->in;
  struct method m = w->shape;
  m.is_static = take_u2(c) & ACC_STATIC;
  m.name = pool_utf8(&w->pool, take_u2(c));
  m.descriptor = pool_utf8(&w->pool, take_u2(c));
  for (uint32_t left = take_u2(c); left > 0 && !c->failed; left--) {
    struct span name = pool_utf8(&w->pool, take_u2(c));
    struct span body = take_span(c, take_u4(c));
    if (span_is(name, "Code")) m.code = body;
  }
  return m;
}

/* --- weaving --------------------------------------------------------------------------- */

static bool find_hooks(struct work *w) {
  struct hook_methods *found = &w->hook_methods;
  const struct weave_hooks *h = w->hooks;
  if (found->enter != 0) return true;
  found->exit = pool_add_method(&w->pool, h->class_name, h->exit, "(I)V");
  found->exit_by_exception = pool_add_method(&w->pool, h->class_name, h->exit_by_exception, "(I)V");
  found->enter = pool_add_method(&w->pool, h->class_name, h->enter, "(Ljava/lang/Object;I)V");
  return !w->pool.full;
}

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
  enum weave_status status = method_put(m, hooking, &w->hook_methods, &w->pool, &w->members);
  if (w->members.failed) return WEAVE_NO_MEMORY;
  if (status != WEAVE_WOVEN) {
    w->members.len = length_at;
    return status;
  }
  poke_u4(w->members.data + length_at, (uint32_t)(w->members.len - length_at - 4));
  w->copied = body + m->code.len;
  w->num_woven++;
  return WEAVE_WOVEN;
}

static enum weave_status weave_method(struct work *w, const struct method *m,
                                      const struct weave_hooking *hooking) {
  if (m->code.data == NULL) return WEAVE_NO_CODE;
  return find_hooks(w) ? put_method(w, m, hooking) : WEAVE_POOL_FULL;
}

static void weave_methods(struct work *w) {
  for (uint32_t left = take_u2(&w->in); left > 0 && !w->in.failed; left--) {
    struct method m = take_method(w);
    struct weave_hooking hooking;
    if (w->in.failed) return;
    if (!w->chooser->choose(w->chooser->context, m.name, m.descriptor, &hooking)) continue;
    enum weave_status status = weave_method(w, &m, &hooking);
    w->chooser->done(w->chooser->context, m.name, m.descriptor, status);
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
  struct work w = {.in = cursor_over(class_file), .hooks = hooks, .chooser = chooser};
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

static struct weave_request *request_for(const struct list *list, struct span name,
                                         struct span descriptor) {
  for (size_t i = 0; i < list->num; i++) {
    struct weave_request *r = &list->requests[i];
    if (span_is(name, r->name) && span_is(descriptor, r->descriptor)) return r;
  }
  return NULL;
}

static bool choose_listed(void *context, struct span name, struct span descriptor,
                          struct weave_hooking *out) {
  const struct weave_request *r = request_for(context, name, descriptor);
  if (r != NULL) *out = r->hooking;
  return r != NULL;
}

static void note_answer(void *context, struct span name, struct span descriptor,
                        enum weave_status status) {
  request_for(context, name, descriptor)->status = status;
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
