#include "agent/classfile/descriptor.h"

#include <string.h>

struct cursor descriptor_open(struct span descriptor) {
  struct cursor c = cursor_over(descriptor);
  if (take_u1(&c) != '(') c.failed = true;
  return c;
}

/* Takes one field type (JVM specification 4.3.2). */
static struct span take_field(struct cursor *c) {
  size_t start = c->at;
  uint32_t first;
  do {
    first = take_u1(c);
  } while (first == '[');
  if (first == 'L') {
    while (!c->failed && take_u1(c) != ';') continue;
    if (c->at - start < 3) c->failed = true;
  } else if (first == 0 || strchr("BCDFIJSZ", (int)first) == NULL) {
    c->failed = true;
  }
  if (c->failed) return (struct span){NULL, 0};
  return (struct span){c->data + start, c->at - start};
}

bool descriptor_take_parameter(struct cursor *c, struct span *out_field) {
  if (c->at < c->len && c->data[c->at] == ')') {
    take_u1(c);
    return false;
  }
  *out_field = take_field(c);
  return !c->failed;
}

uint32_t descriptor_slots(struct span field) {
  return field.data[0] == 'J' || field.data[0] == 'D' ? 2 : 1;
}

bool descriptor_is_reference(struct span field) {
  return field.data[0] == 'L' || field.data[0] == '[';
}

bool descriptor_has_reference_first(struct span descriptor) {
  struct cursor c = descriptor_open(descriptor);
  struct span field;
  return descriptor_take_parameter(&c, &field) && descriptor_is_reference(field);
}

char descriptor_return_type(struct span descriptor) {
  struct cursor c = descriptor_open(descriptor);
  struct span field;
  while (descriptor_take_parameter(&c, &field)) continue;
  return (char)take_u1(&c);
}
