#include "agent/classfile/pool.h"

#include <stdlib.h>
#include <string.h>

#include "agent/base/memory.h"

enum tag {
  TAG_UTF8 = 1,
  TAG_INTEGER = 3,
  TAG_LONG = 5,
  TAG_DOUBLE = 6,
  TAG_CLASS = 7,
  TAG_FIELD = 9,
  TAG_METHOD = 10,
  TAG_INTERFACE_METHOD = 11,
  TAG_NAME_AND_TYPE = 12,
};

/* The number of bytes after the tag of an entry (JVM specification 4.4). The text of a Utf8 entry
   follows these bytes. 0: no entry has this tag. */
static const uint8_t entry_sizes[] = {
    [TAG_UTF8] = 2,
    [TAG_INTEGER] = 4,
    [4] = 4 /* Float */,
    [TAG_LONG] = 8,
    [TAG_DOUBLE] = 8,
    [TAG_CLASS] = 2,
    [8] = 2 /* String */,
    [TAG_FIELD] = 4,
    [TAG_METHOD] = 4,
    [TAG_INTERFACE_METHOD] = 4,
    [TAG_NAME_AND_TYPE] = 4,
    [15] = 3 /* MethodHandle */,
    [16] = 2 /* MethodType */,
    [17] = 4 /* Dynamic */,
    [18] = 4 /* InvokeDynamic */,
    [19] = 2 /* Module */,
    [20] = 2 /* Package */,
};

/* Takes one entry, including its tag. Returns {NULL, 0} if it is malformed. */
static struct span take_entry(struct cursor *c) {
  size_t start = c->at;
  uint32_t tag = take_u1(c);
  size_t size = tag < sizeof entry_sizes ? entry_sizes[tag] : 0;
  struct span body = take_span(c, size);
  if (tag == TAG_UTF8 && body.data != NULL) take_span(c, peek_u2(body.data));
  if (size == 0) c->failed = true;
  if (c->failed) return (struct span){NULL, 0};
  return (struct span){c->data + start, c->at - start};
}

/* A Long or a Double uses two entry numbers (JVM specification 4.4.5). */
static uint32_t count_numbers(struct span entry) {
  return entry.data[0] == TAG_LONG || entry.data[0] == TAG_DOUBLE ? 2 : 1;
}

static bool read_entries(struct pool *p, struct cursor *c) {
  for (uint32_t i = 1; i < p->num_read;) {
    struct span entry = take_entry(c);
    if (entry.data == NULL) return false;
    p->starts[i] = (uint32_t)(entry.data - c->data);
    i += count_numbers(entry);
    if (i > p->num_read) return false;
  }
  return true;
}

enum weave_status pool_read(struct pool *p, struct cursor *c) {
  *p = (struct pool){.data = c->data, .num_read = take_u2(c)};
  p->num = p->num_read;
  p->begin = (uint32_t)c->at;
  if (c->failed || p->num_read == 0) return WEAVE_MALFORMED;
  p->starts = memory_new_zeroed(p->num_read, sizeof *p->starts);
  if (p->starts == NULL) return WEAVE_NO_MEMORY;
  if (!read_entries(p, c)) {
    pool_free(p);
    return WEAVE_MALFORMED;
  }
  p->end = (uint32_t)c->at;
  return WEAVE_WOVEN;
}

void pool_free(struct pool *p) {
  free(p->starts);
  builder_free(&p->added);
  *p = (struct pool){0};
}

/* --- reading ----------------------------------------------------------------- */

/* Returns the bytes after the tag of entry `index`; NULL if the entry does not have this tag.
   pool_read has checked that the entry is complete. */
static const char *find_body(const struct pool *p, uint32_t index, enum tag tag) {
  if (index >= p->num_read || p->starts[index] == 0) return NULL;
  const char *at = p->data + p->starts[index];
  return (uint8_t)at[0] == tag ? at + 1 : NULL;
}

struct span pool_utf8(const struct pool *p, uint32_t index) {
  const char *at = find_body(p, index, TAG_UTF8);
  if (at == NULL) return (struct span){NULL, 0};
  return (struct span){at + 2, peek_u2(at)};
}

struct span pool_class_name(const struct pool *p, uint32_t index) {
  const char *class = find_body(p, index, TAG_CLASS);
  return class ? pool_utf8(p, peek_u2(class)) : (struct span){NULL, 0};
}

/* Returns the body of a Methodref or InterfaceMethodref. */
static const char *find_method(const struct pool *p, uint32_t index) {
  const char *method = find_body(p, index, TAG_METHOD);
  return method != NULL ? method : find_body(p, index, TAG_INTERFACE_METHOD);
}

struct span pool_member_class(const struct pool *p, uint32_t index) {
  const char *member = find_body(p, index, TAG_FIELD);
  if (member == NULL) member = find_method(p, index);
  return member ? pool_class_name(p, peek_u2(member)) : (struct span){NULL, 0};
}

/* Returns the body of the NameAndType of a method. */
static const char *find_name_and_type(const struct pool *p, uint32_t index) {
  const char *method = find_method(p, index);
  return method ? find_body(p, peek_u2(method + 2), TAG_NAME_AND_TYPE) : NULL;
}

struct span pool_method_name(const struct pool *p, uint32_t index) {
  const char *names = find_name_and_type(p, index);
  return names ? pool_utf8(p, peek_u2(names)) : (struct span){NULL, 0};
}

struct span pool_method_descriptor(const struct pool *p, uint32_t index) {
  const char *names = find_name_and_type(p, index);
  return names ? pool_utf8(p, peek_u2(names + 2)) : (struct span){NULL, 0};
}

/* --- adding ------------------------------------------------------------------ */

/* Returns the number of the entry in `entries` that equals `wanted`; 0: no entry does. The first
   entry has the number `first`. */
static uint32_t find_in(struct span entries, uint32_t first, const struct builder *wanted) {
  struct cursor c = cursor_over(entries);
  for (uint32_t i = first; c.at < c.len;) {
    struct span found = take_entry(&c);
    if (found.data == NULL) return 0;
    if (span_same(found, (struct span){wanted->data, wanted->len})) return i;
    i += count_numbers(found);
  }
  return 0;
}

/* Finds or adds the entry in `b`, and frees `b`. No added entry uses two numbers. */
static uint32_t add_entry(struct pool *p, struct builder *b) {
  struct span read = {p->data + p->begin, p->end - p->begin};
  struct span added = {p->added.data, p->added.len};
  uint32_t index = b->failed ? 0 : find_in(read, 1, b);
  if (index == 0 && !b->failed && added.len > 0) index = find_in(added, p->num_read, b);
  if (index == 0 && !b->failed && p->num < POOL_MAX) {
    index = p->num++;
    builder_bytes(&p->added, b->data, b->len);
  }
  if (b->failed || p->added.failed) p->failed = true;
  if (index == 0) p->full = true;
  builder_free(b);
  return index;
}

/* Adds an entry that consists of a tag and the numbers of one or two other entries. Returns 0 if
   one of those numbers is 0, that is, was refused itself. */
static uint32_t add_reference(struct pool *p, enum tag tag, uint32_t first,
                              const uint32_t *second) {
  if (first == 0 || (second != NULL && *second == 0)) return 0;
  struct builder b = {0};
  put_u1(&b, tag);
  put_u2(&b, first);
  if (second != NULL) put_u2(&b, *second);
  return add_entry(p, &b);
}

uint32_t pool_add_utf8(struct pool *p, struct span text) {
  struct builder b = {0};
  put_u1(&b, TAG_UTF8);
  put_u2(&b, (uint32_t)text.len);
  builder_bytes(&b, text.data, text.len);
  return add_entry(p, &b);
}

uint32_t pool_add_class(struct pool *p, struct span name) {
  return add_reference(p, TAG_CLASS, pool_add_utf8(p, name), NULL);
}

uint32_t pool_add_integer(struct pool *p, int32_t n) {
  struct builder b = {0};
  put_u1(&b, TAG_INTEGER);
  put_u4(&b, (uint32_t)n);
  return add_entry(p, &b);
}

static uint32_t add_text(struct pool *p, const char *text) {
  return pool_add_utf8(p, (struct span){text, strlen(text)});
}

uint32_t pool_add_method(struct pool *p, const char *class_name, const char *name,
                         const char *descriptor) {
  uint32_t class_index = pool_add_class(p, (struct span){class_name, strlen(class_name)});
  uint32_t type = add_text(p, descriptor);
  uint32_t name_and_type = add_reference(p, TAG_NAME_AND_TYPE, add_text(p, name), &type);
  return add_reference(p, TAG_METHOD, class_index, &name_and_type);
}

void pool_put(const struct pool *p, struct builder *out) {
  put_u2(out, p->num);
  builder_bytes(out, p->data + p->begin, p->end - p->begin);
  builder_bytes(out, p->added.data, p->added.len);
  if (p->added.failed) out->failed = true;
}
