#include "tests/agent/classfile/falsehoods.h"

#include <stdio.h>
#include <string.h>

#include "agent/classfile/big_endian.h"

#define MAX_METHODS 20000

bool falsehoods_begin(struct falsehoods *f) {
  f->file_start = f->descriptors.len;
  snprintf(f->class_name, sizeof f->class_name, "java/lang/RewriteFalsehoods%u", f->number);
  return f->num < MAX_METHODS;
}

static void put_utf8(struct builder *b, const char *text, size_t len) {
  put_u1(b, 1);
  put_u2(b, (uint32_t)len);
  builder_bytes(b, text, len);
}

static bool has_descriptor(const struct falsehoods *f, const struct builder *entry) {
  return f->descriptors.len > f->file_start &&
         memmem(f->descriptors.data + f->file_start, f->descriptors.len - f->file_start,
                entry->data, entry->len) != NULL;
}

struct weave_static falsehoods_for(struct falsehoods *f, const struct weave_method *m) {
  struct builder text = {0}, entry = {0};
  builder_string(&text, "(L");
  builder_bytes(&text, m->class_name.data, m->class_name.len);
  builder_char(&text, ';');
  builder_bytes(&text, m->descriptor.data + 1, m->descriptor.len - 2);
  builder_char(&text, 'Z');
  put_utf8(&entry, text.data, text.len);
  if (!has_descriptor(f, &entry)) {
    builder_bytes(&f->descriptors, entry.data, entry.len);
    f->num++;
  }
  builder_free(&text);
  builder_free(&entry);
  return (struct weave_static){f->class_name, "ask"};
}

static void put_method(struct builder *out, uint32_t descriptor) {
  put_u2(out, 0x0009); /* public static */
  put_u2(out, 5);      /* its name: "ask" */
  put_u2(out, descriptor);
  put_u2(out, 1); /* one attribute: Code, of 14 bytes */
  put_u2(out, 6);
  put_u4(out, 14);
  put_u2(out, 1); /* max_stack and max_locals */
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
  builder_bytes(out, f->descriptors.data, f->descriptors.len);
  put_u2(out, 0x0021); /* ACC_PUBLIC, ACC_SUPER */
  put_u2(out, 2);
  put_u2(out, 4);
  put_u4(out, 0); /* no interfaces, no fields */
  put_u2(out, f->num);
  for (uint32_t i = 0; i < f->num; i++) put_method(out, 7 + i);
  put_u2(out, 0);
}

void falsehoods_next(struct falsehoods *f) {
  builder_free(&f->descriptors);
  *f = (struct falsehoods){.number = f->number + 1};
}
