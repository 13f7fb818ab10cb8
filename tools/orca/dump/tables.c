#include "tools/orca/dump/tables.h"

#include <stdint.h>

#include "tools/orca/dump/digest.h"
#include "tools/orca/dump/origin.h"

/* Allocates a row and stores its address in `map`, unless `id` already has a row there. */
static void *add_row(struct tables *t, struct hashmap *map, uint32_t id, size_t size) {
  uint64_t *at = hashmap_at(map, id);
  void *row = at == NULL ? NULL : arena_take(&t->memory, size);
  if (row != NULL && *at == 0) *at = (uintptr_t)row;
  return row;
}

static bool keep_text(struct tables *t, struct span *s) {
  *s = arena_keep(&t->memory, *s);
  return s->data != NULL;
}

static bool has_row(const struct hashmap *map, uint32_t id) {
  uint64_t row;
  return hashmap_get(map, id, &row);
}

static bool load_classes(struct tables *t, struct stream *s) {
  for (struct class_line line; stream_class(s, &line);) {
    if (has_row(&t->classes, line.class_id)) continue;
    struct class_line *row = add_row(t, &t->classes, line.class_id, sizeof *row);
    if (row == NULL) return false;
    *row = line;
    if (!keep_text(t, &row->signature) || !keep_text(t, &row->source)) return false;
  }
  return true;
}

/* Adds a method to those that are alike. A method whose class is not known is like no other. A
   class that was redefined has two versions of a method, and counts once if it is the first one. */
static bool add_alike(struct tables *t, const struct method_line *method) {
  struct builder key = {0};
  uint64_t class_row = 0;
  if (!hashmap_get(&t->classes, method->class_id, &class_row)) return true;
  const struct class_line *c = (const struct class_line *)(uintptr_t)class_row;
  const struct span parts[] = {method->name, method->signature, method->lines};
  struct span name = c->signature;
  if (name.len > 0 && name.data[name.len - 1] == ';') name.len--;
  name = origin_cut_address(name);
  builder_bytes(&key, name.data, name.len);
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
    builder_char(&key, '\n');
    builder_bytes(&key, parts[i].data, parts[i].len);
  }
  uint64_t *at =
      key.failed ? NULL : hashmap_at(&t->origins, digest((struct span){key.data, key.len}));
  builder_free(&key);
  if (at == NULL) return false;
  struct alike_methods *row = (struct alike_methods *)(uintptr_t)*at;
  if (row == NULL) {
    row = arena_take(&t->memory, sizeof *row);
    if (row == NULL) return false;
    *row = (struct alike_methods){method->method_id, method->class_id, 1};
    *at = (uintptr_t)row;
  } else if (method->class_id != row->first_class) {
    row->classes++;
  }
  return hashmap_put(&t->alike, method->method_id, (uintptr_t)row);
}

static bool load_methods(struct tables *t, struct stream *s) {
  for (struct method_line line; stream_method(s, &line);) {
    if (has_row(&t->methods, line.method_id)) continue;
    struct method_line *row = add_row(t, &t->methods, line.method_id, sizeof *row);
    if (row == NULL) return false;
    *row = line;
    if (!keep_text(t, &row->name) || !keep_text(t, &row->signature) || !keep_text(t, &row->lines)) {
      return false;
    }
    if (!add_alike(t, row)) return false;
  }
  return true;
}

/* Sometimes two objects share a hash. A crafted file with thousands of them would take quadratic
   time, so the rest is ignored. */
#define MAX_OBJECTS_PER_HASH 16

/* An object may have several lines: one in each set, and more in a long recording. */
static bool has_object(const struct tables *t, const struct object_line *line) {
  uint64_t first = 0;
  unsigned num = 0;
  hashmap_get(&t->objects, line->hash, &first);
  const struct dump_object *o = (const struct dump_object *)(uintptr_t)first;
  for (; o != NULL && o->line.class_id != line->class_id; o = o->next) {
    if (++num == MAX_OBJECTS_PER_HASH) return true;
  }
  return o != NULL;
}

static bool load_objects(struct tables *t, struct stream *s) {
  for (struct object_line line; stream_object(s, &line);) {
    if (has_object(t, &line)) continue;
    struct dump_object *row = add_row(t, &t->objects, line.hash, sizeof *row);
    if (row == NULL) return false;
    row->line = line;
    struct dump_object *first =
        (struct dump_object *)(uintptr_t)*hashmap_at(&t->objects, line.hash);
    if (first == row) continue;
    row->next = first->next;
    first->next = row;
  }
  return true;
}

bool tables_put_info(struct tables *t, enum info_key key, struct span value) {
  struct info_row *row = arena_take(&t->memory, sizeof *row);
  if (row == NULL) return false;
  *row = (struct info_row){key, value, t->info};
  if (!keep_text(t, &row->value)) return false;
  t->info = row;
  return true;
}

static bool load_info(struct tables *t, struct stream *s) {
  for (struct span key, value; stream_info(s, &key, &value);) {
    enum info_key found = info_key_find(key);
    if (found != NUM_INFO_KEYS && !tables_put_info(t, found, value)) return false;
  }
  return true;
}

bool tables_load(struct tables *t, enum dump_file file, struct stream *s) {
  switch (file) {
    case DUMP_CLASSES:
      return load_classes(t, s);
    case DUMP_METHODS:
      return load_methods(t, s);
    case DUMP_OBJECTS:
      return load_objects(t, s);
    case DUMP_INFO:
      return load_info(t, s);
    default:
      return true; /* only streamed */
  }
}

void tables_free(struct tables *t) {
  hashmap_free(&t->classes);
  hashmap_free(&t->methods);
  hashmap_free(&t->objects);
  hashmap_free(&t->origins);
  hashmap_free(&t->alike);
  arena_free(&t->memory);
  t->info = NULL;
}
