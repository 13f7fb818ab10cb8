/* The lines of .orca. */
#include "agent/event/line.h"

#include <string.h>

#include "agent/event/fields.h"

/* The largest size of a line without the event's name, the stack and the name. */
#define MAX_FIXED \
  (TEXT_MAX_NUMBER + 3 * sizeof ",00000000" + 3 * TEXT_MAX_NUMBER + sizeof ",,,,,\n")

/* `bytes` may be NULL when n is 0; memcpy does not allow NULL. */
static char *append(char *to, const char *bytes, size_t n) {
  *to++ = ',';
  if (n > 0) memcpy(to, bytes, n);
  return to + n;
}

static char *append_hash(char *to, uint32_t hash) {
  *to++ = ',';
  return text_put_hash(to, hash);
}

static char *append_number(char *to, int64_t number) {
  *to++ = ',';
  return text_put_decimal(to, number);
}

static char *append_size(char *to, const struct pool_size *size) {
  to = append_number(to, size->core);
  to = append_number(to, size->maximum);
  return append_number(to, size->capacity);
}

static char *append_parties(char *to, const struct missing_parties *parties) {
  to = append_number(to, parties->missing);
  return append_number(to, parties->of);
}

/* Most lines of a dump are events, so room is made once for the whole line, and each field is
   written to its final place. */
void event_line_write(struct builder *b, const struct event_line *line) {
  const struct event_info *info = &event_infos[line->kind];
  char *start = builder_room(b, MAX_FIXED + info->name_len + line->stack.len + line->name.len);
  if (start == NULL) return;
  char *at = text_put_ticks(start, line->time);
  at = append(at, info->name, info->name_len);
  at = append_hash(at, line->thread);
  if (shape_has_object(info->shape)) at = append_hash(at, line->object);
  if (shape_has_class(info->shape)) at = append_hash(at, line->class_id);
  if (shape_has_owner(info->shape)) at = append_hash(at, line->owner);
  if (shape_has_executor(info->shape)) at = append_hash(at, line->executor);
  if (shape_has_outcome(info->shape)) at = append_number(at, line->cpu_ns);
  if (shape_has_size(info->shape)) at = append_size(at, &line->size);
  if (shape_has_parties(info->shape)) at = append_parties(at, &line->parties);
  if (shape_has_stack(info->shape)) at = append(at, line->stack.data, line->stack.len);
  if (shape_has_name(info->shape)) at = append(at, line->name.data, line->name.len);
  *at++ = '\n';
  b->len += (size_t)(at - start);
}

/* Takes the whole rest of the line, without a check. The stack is always the last field. */
static struct span take_rest(struct fields *f) {
  struct span last = f->rest;
  if (f->fault == NULL && last.data == NULL) f->fault = "a field is missing";
  f->rest.data = NULL;
  return last;
}

/* Lines of earlier agents have no executor. No valid stack has eight characters without a ';'. */
static bool has_executor(const struct fields *f) {
  struct span rest = f->rest, field;
  return span_cut(&rest, ',', &field) && field.len == 8 && memchr(field.data, ';', 8) == NULL;
}

static int32_t take_number(struct fields *f, int32_t least, fault_t fault) {
  int64_t number = take_decimal(f, least, fault);
  if (number > INT32_MAX) f->fault = fault;
  return (int32_t)number;
}

static int32_t take_size(struct fields *f, int32_t least) {
  return take_number(f, least, "a size of the pool is not decimal, too small or too large");
}

static int32_t take_parties(struct fields *f, int32_t least) {
  return take_number(f, least, "a number of parties is not decimal, too small or too large");
}

fault_t event_line_split(struct span text, struct event_line *out) {
  struct fields f = {text, NULL};
  *out = (struct event_line){.time = take_ticks(&f)};
  if (!event_find(next_field(&f), &out->kind) && f.fault == NULL)
    f.fault = "no event has this name";
  if (f.fault != NULL) return f.fault;
  enum event_shape shape = event_infos[out->kind].shape;
  out->thread = take_hash(&f, "the thread is not eight hexadecimal digits");
  if (shape_has_object(shape)) {
    out->object = take_hash(&f, "the object is not eight hexadecimal digits");
  }
  if (shape_has_class(shape)) {
    out->class_id = take_hash(&f, "the class is not eight hexadecimal digits");
  }
  if (shape_has_owner(shape)) {
    out->owner = take_hash(&f, "the owner is not eight hexadecimal digits");
  }
  if (shape_has_executor(shape) && has_executor(&f)) {
    out->executor = take_hash(&f, "the executor is not eight hexadecimal digits");
  }
  if (shape_has_outcome(shape)) {
    out->cpu_ns = take_decimal(&f, -1, "the CPU time is neither decimal nor -1");
  }
  if (shape_has_size(shape)) {
    out->size.core = take_size(&f, 0);
    out->size.maximum = take_size(&f, 0);
    out->size.capacity = take_size(&f, -1);
  }
  if (shape_has_parties(shape)) {
    out->parties.missing = take_parties(&f, 1);
    out->parties.of = take_parties(&f, -1);
  }
  if (shape_has_stack(shape)) out->stack = take_rest(&f);
  if (shape_has_name(shape)) out->name = take_name(&f, "the name is not correctly escaped UTF-8");
  return check_end(&f);
}

fault_t event_line_check(const struct event_line *line) {
  struct fields f = {line->stack, NULL};
  if (!shape_has_stack(event_infos[line->kind].shape)) return NULL;
  take_stack(&f);
  return check_end(&f);
}

fault_t event_line_read(struct span text, struct event_line *out) {
  fault_t fault = event_line_split(text, out);
  return fault == NULL ? event_line_check(out) : fault;
}
