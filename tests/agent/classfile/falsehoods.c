#include "tests/agent/classfile/falsehoods.h"

#include <stdio.h>
#include <string.h>

#include "agent/classfile/big_endian.h"

#define MAX_METHODS 20000

bool falsehoods_begin(struct falsehoods *f) {
  f->since = f->names.len;
  snprintf(f->class_name, sizeof f->class_name, "java/lang/RewriteFalsehoods%u", f->number);
  return f->num < MAX_METHODS;
}

static void put_utf8(struct builder *b, const char *text, size_t len) {
  put_u1(b, 1);
  put_u2(b, (uint32_t)len);
  builder_bytes(b, text, len);
}

static bool is_there(const struct falsehoods *f, const struct builder *name) {
  return f->names.len > f->since &&
         memmem(f->names.data + f->since, f->names.len - f->since, name->data, name->len) != NULL;
}

struct weave_static falsehoods_for(struct falsehoods *f, const struct weave_method *m) {
  struct builder text = {0}, name = {0};
  builder_string(&text, "(L");
  builder_bytes(&text, m->class_name.data, m->class_name.len);
  builder_char(&text, ';');
  builder_bytes(&text, m->descriptor.data + 1, m->descriptor.len - 2);
  builder_char(&text, 'Z');
  put_utf8(&name, text.data, text.len);
  if (!is_there(f, &name)) {
    builder_bytes(&f->names, name.data, name.len);
    f->num++;
  }
  builder_free(&text);
  builder_free(&name);
  return (struct weave_static){f->class_name, "ask"};
}

static void put_method(struct builder *out, uint32_t descriptor) {
  put_u2(out, 0x0009); /* public static */
  put_u2(out, 5);
  put_u2(out, descriptor);
  put_u2(out, 1);
  put_u2(out, 6);
  put_u4(out, 14);
  put_u2(out, 1); /* the stack, and the locals */
  put_u2(out, 255);
  put_u4(out, 2);
  put_u2(out, 0x03AC); /* iconst_0, ireturn */
  put_u4(out, 0);      /* no handlers, no attributes */
}

void falsehoods_put(const struct falsehoods *f, struct builder *out) {
  put_u4(out, 0xCAFEBABE);
  put_u4(out, 52);
  put_u2(out, 7 + f->num);
  put_utf8(out, f->class_name, strlen(f->class_name));
  put_u1(out, 7);
  put_u2(out, 1);
  put_utf8(out, "java/lang/Object", 16);
  put_u1(out, 7);
  put_u2(out, 3);
  put_utf8(out, "ask", 3);
  put_utf8(out, "Code", 4);
  builder_bytes(out, f->names.data, f->names.len);
  put_u2(out, 0x0021); /* public, and as all classes are */
  put_u2(out, 2);
  put_u2(out, 4);
  put_u4(out, 0); /* no interfaces, no fields */
  put_u2(out, f->num);
  for (uint32_t i = 0; i < f->num; i++) put_method(out, 7 + i);
  put_u2(out, 0);
}

void falsehoods_next(struct falsehoods *f) {
  builder_free(&f->names);
  *f = (struct falsehoods){.number = f->number + 1};
}
