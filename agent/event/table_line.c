/* The lines of .classtable, .methods, .objects and .counts. */
#include <string.h>

#include "agent/event/fields.h"

void class_body_write(struct builder *b, uint32_t class_id, const char *signature,
                      const char *source) {
  text_hash(b, class_id);
  builder_char(b, ',');
  text_name(b, signature, strlen(signature));
  builder_char(b, ',');
  text_name(b, source, strlen(source));
  builder_char(b, '\n');
}

fault_t class_line_read(struct span text, struct class_line *out) {
  struct fields f = {text, NULL};
  out->time = take_ticks(&f);
  out->class_id = take_hash(&f, "the class id is not eight hexadecimal digits");
  out->signature = take_name(&f, "the class's signature is not correctly escaped UTF-8");
  out->source = take_name(&f, "the source file's name is not correctly escaped UTF-8");
  return check_end(&f);
}

bool is_platform_type(struct span signature) {
  static const char *const roots[] = {"Ljava/", "Ljavax/", "Ljdk/", "Lsun/", "Lcom/sun/", "["};
  for (size_t i = 0; i < sizeof roots / sizeof *roots; i++) {
    if (span_starts(signature, roots[i])) return true;
  }
  return false;
}

void method_body_write(struct builder *b, uint32_t method_id, const char *name,
                       const char *signature, uint32_t class_id, const struct line_entry *entries,
                       int num_entries) {
  text_hash(b, method_id);
  builder_char(b, ',');
  text_name(b, name, strlen(name));
  builder_char(b, ',');
  text_name(b, signature, strlen(signature));
  put_hash(b, class_id);
  put_decimal(b, num_entries);
  for (int i = 0; i < num_entries; i++) put_pair(b, entries[i].location, entries[i].line);
  builder_char(b, '\n');
}

fault_t method_line_read(struct span text, struct method_line *out) {
  struct fields f = {text, NULL};
  size_t entries;
  out->time = take_ticks(&f);
  out->method_id = take_hash(&f, "the method id is not eight hexadecimal digits");
  out->name = take_name(&f, "the method's name is not correctly escaped UTF-8");
  out->signature = take_name(&f, "the method's signature is not correctly escaped UTF-8");
  out->class_id = take_hash(&f, "the class id is not eight hexadecimal digits");
  out->lines = next_field(&f);
  if (f.fault == NULL) f.fault = lines_check(out->lines, &entries);
  return check_end(&f);
}

void object_body_write(struct builder *b, uint32_t hash, uint32_t class_id) {
  text_hash(b, hash);
  put_hash(b, class_id);
  builder_char(b, '\n');
}

fault_t object_line_read(struct span text, struct object_line *out) {
  struct fields f = {text, NULL};
  out->time = take_ticks(&f);
  out->hash = take_hash(&f, "the object is not eight hexadecimal digits");
  out->class_id = take_hash(&f, "the class id is not eight hexadecimal digits");
  return check_end(&f);
}

/* --- .counts ------------------------------------------------------------------------------ */

void count_line_write(struct builder *b, const struct count_line *line) {
  put_time(b, line->time);
  builder_string(b, event_infos[line->kind].name);
  put_hash(b, line->object);
  if (line->is_more) {
    builder_string(b, ",+");
    text_decimal(b, line->count);
  } else {
    put_decimal(b, line->count);
  }
  if (line->is_short) {
    put_decimal(b, line->total_ns);
    put_decimal(b, line->longest_ns);
    put_span(b, line->stack);
  }
  builder_char(b, '\n');
}

static void take_short(struct fields *f, struct count_line *out) {
  out->is_short = true;
  out->total_ns = take_decimal(f, 0, "the total time is not a decimal number");
  out->longest_ns = take_decimal(f, 0, "the longest time is not a decimal number");
  out->stack = take_stack(f);
}

static bool take_plus(struct fields *f) {
  if (f->fault != NULL || f->rest.len == 0 || f->rest.data[0] != '+') return false;
  f->rest = (struct span){f->rest.data + 1, f->rest.len - 1};
  return true;
}

fault_t count_line_read(struct span text, struct count_line *out) {
  struct fields f = {text, NULL};
  *out = (struct count_line){.time = take_ticks(&f)};
  if (!event_find(next_field(&f), &out->kind) && f.fault == NULL)
    f.fault = "no event has this name";
  out->object = take_hash(&f, "the object is not eight hexadecimal digits");
  out->is_more = take_plus(&f);
  out->count = take_decimal(&f, 0, "the count is not a decimal number");
  if (f.fault == NULL && f.rest.data != NULL && !out->is_more) take_short(&f, out);
  return check_end(&f);
}
