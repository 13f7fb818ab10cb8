/* Locks, places and stacks as objects of JSON. */
#include "tools/orca/model/names.h"
#include "tools/orca/render/view/view.h"

typedef void (*put_function)(struct builder *b, const struct dump *d, place_t place);

/* Appends a member with the text of `put`, or null if that is empty. */
static void put_member(struct json *j, const char *key, const struct dump *d, place_t place,
                       put_function put) {
  struct builder text = {0};
  put(&text, d, place);
  json_key(j, key);
  if (text.len > 0) {
    json_string(j, (struct span){text.data, text.len});
  } else {
    json_null(j);
  }
  j->out->failed |= text.failed;
  builder_free(&text);
}

static void put_class(struct builder *b, const struct dump *d, place_t place) {
  const struct method_line *method = dump_method(d, place_method(place));
  if (method != NULL) names_class(b, d, method->class_id);
}

/* A pseudo frame has only a name. */
static void put_method(struct builder *b, const struct dump *d, place_t place) {
  const struct method_line *method = dump_method(d, place_method(place));
  if (method != NULL) {
    text_plain(b, method->name);
  } else {
    names_method(b, d, place_method(place));
  }
}

static void put_file(struct builder *b, const struct dump *d, place_t place) {
  names_source(b, d, place_method(place) == 0 ? 0 : (place_t)place_method(place) << 32);
}

void view_place_members(struct json *j, const struct dump *d, place_t place) {
  put_member(j, "class", d, place, put_class);
  put_member(j, "method", d, place, put_method);
  put_member(j, "file", d, place, put_file);
  json_key(j, "line");
  if (place_line(place) == 0) {
    json_null(j);
  } else {
    json_unsigned(j, place_line(place));
  }
}

void view_place_object(struct json *j, const struct dump *d, place_t place) {
  if (place == 0) {
    json_null(j);
    return;
  }
  json_begin_object(j);
  view_place_members(j, d, place);
  json_end_object(j);
}

void view_lock_members(struct json *j, const struct dump *d, const char *kind, uint32_t object,
                       uint32_t class_id, uint64_t num_objects) {
  struct builder text = {0};
  const struct dump_object *of_object = object == 0 ? NULL : dump_objects(d, object);
  uint32_t id = object == 0 ? class_id : of_object == NULL ? 0 : of_object->line.class_id;
  json_key(j, "kind");
  if (kind == NULL) {
    json_null(j);
  } else {
    json_text(j, kind);
  }
  json_key(j, "class");
  if (id != 0) names_class(&text, d, id);
  if (id != 0) {
    json_string(j, (struct span){text.data, text.len});
  } else {
    json_null(j);
  }
  json_key(j, "hash");
  text.len = 0;
  if (object != 0) text_hash(&text, object);
  if (object != 0) {
    json_string(j, (struct span){text.data, text.len});
  } else {
    json_null(j);
  }
  json_unsigned_member(j, "objects", object != 0 ? 1 : num_objects);
  j->out->failed |= text.failed;
  builder_free(&text);
}

void view_lock_object(struct json *j, const struct dump *d, const char *kind, uint32_t object,
                      uint32_t class_id, uint64_t num_objects) {
  json_begin_object(j);
  view_lock_members(j, d, kind, object, class_id, num_objects);
  json_end_object(j);
}

/* --- cells ---------------------------------------------------------------------------- */

void view_put_place_object(const struct cell *c, const struct dump *d, place_t place) {
  struct json j = {.out = c->text};
  if (place != 0) view_place_object(&j, d, place);
}

void view_put_lock_object(const struct cell *c, const struct dump *d, const char *kind,
                          uint32_t object, uint32_t class_id, uint64_t num_objects) {
  struct json j = {.out = c->text};
  view_lock_object(&j, d, kind, object, class_id, num_objects);
}

void view_put_stack_objects(const struct cell *c, const struct model *m, stack_id_t stack) {
  struct json j = {.out = c->text};
  size_t depth;
  const struct frame *frames = stacks_frames(&m->stacks, stack, &depth);
  json_begin_array(&j);
  for (size_t i = 0; i < depth; i++) {
    view_place_object(&j, m->dump, place_of_frame(m->dump, frames[i]));
  }
  json_end_array(&j);
}
