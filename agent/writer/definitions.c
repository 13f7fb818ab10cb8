#include "agent/writer/definitions.h"

#include <stdlib.h>

#include "agent/base/memory.h"
#include "agent/writer/definitions_internal.h"

/* A class or a method, and the set in which its line was last written. */
struct known_text {
  struct definition *text;
  uint32_t set;
  uint32_t class_id; /* of a method */
};

#define MANY ((size_t)1 << 18)

void definitions_start(struct definitions *k) {
  if (k->many == 0) k->many = MANY;
  k->wave++;
  k->set++;
}

static void free_texts(struct hashmap *rows) {
  struct hashmap_slot slot;
  for (size_t cursor = 0; hashmap_next(rows, &cursor, &slot);) {
    struct known_text *row = (struct known_text *)(uintptr_t)slot.value;
    if (row != NULL) free(row->text);
    free(row);
  }
  hashmap_free(rows);
}

void definitions_end(struct definitions *k) {
  free_texts(&k->classes);
  free_texts(&k->methods);
  hashmap_free(&k->by_hash);
  free(k->objects);
  k->objects = NULL;
  k->num_objects = k->capacity = k->settled = 0;
}

void definitions_next_set(struct definitions *k) {
  k->set++;
  if (k->num_objects > k->settled + k->many) definitions_drop_objects(k);
}

/* --- classes and methods -------------------------------------------------------------- */

void definitions_failed(struct definitions *k, enum file file) {
  k->files[file].lines.failed = true;
}

static void write_text(struct definitions *k, enum file file, struct known_text *row) {
  struct dump_file *f = &k->files[file];
  text_ticks(&f->lines, dump_file_time(f, row->text->time_ns));
  builder_char(&f->lines, ',');
  builder_bytes(&f->lines, row->text->body, row->text->len);
  row->set = k->set;
}

static struct known_text *find(const struct hashmap *rows, uint32_t id) {
  uint64_t row = 0;
  hashmap_get(rows, id, &row);
  return (struct known_text *)(uintptr_t)row;
}

void definitions_class(struct definitions *k, uint32_t id) {
  struct known_text *row = find(&k->classes, id);
  if (row != NULL && row->set != k->set) write_text(k, CLASSTABLE, row);
}

static void define_method(struct definitions *k, uint32_t id) {
  if (id == METHOD_CUT) return;
  struct known_text *row = find(&k->methods, id);
  if (row == NULL) {
    definitions_take(k);
    row = find(&k->methods, id);
  }
  if (row == NULL || row->set == k->set) return;
  definitions_class(k, row->class_id);
  write_text(k, METHODS, row);
}

void definitions_stack(struct definitions *k, struct stack *stack) {
  if (stack == NULL || stack->set == k->set) return;
  struct span frames = stack_frames((struct span){stack->text, stack->text_len});
  for (struct frame frame; stack_next(&frames, &frame);) define_method(k, frame.method);
  stack->set = k->set;
}

/* --- taking ----------------------------------------------------------------------------- */

/* The row of an id, which a later definition takes over. */
static struct known_text *row_of(struct hashmap *rows, uint32_t id) {
  uint64_t *at = hashmap_at(rows, id);
  if (at != NULL && *at == 0) *at = (uintptr_t)memory_new_zeroed(1, sizeof(struct known_text));
  return at == NULL ? NULL : (struct known_text *)(uintptr_t)*at;
}

static uint32_t field(const struct definition *d, int number) {
  struct span rest = {d->body, d->len > 0 ? d->len - 1 : 0}, out = {NULL, 0};
  uint32_t hash = 0;
  for (int i = 0; i <= number; i++) span_cut(&rest, ',', &out);
  text_parse_hash(out, &hash);
  return hash;
}

static void take_text(struct definitions *k, enum file file, struct hashmap *rows,
                      struct definition *d) {
  struct known_text *row = row_of(rows, field(d, 0));
  if (row == NULL) {
    definitions_failed(k, file);
    free(d);
    return;
  }
  free(row->text);
  row->text = d;
  if (file == METHODS) row->class_id = field(d, 3);
  if (row->set != k->set) write_text(k, file, row);
}

static void take_object(struct definitions *k, struct definition *d) {
  definitions_add_object(k, field(d, 0), field(d, 1));
  free(d);
}

/* What defines is published before what names it: so it is taken after that. */
void definitions_take(struct definitions *k) {
  struct definition *objects = outbox_take(k->object_box), *next;
  struct definition *methods = outbox_take(k->method_box);
  struct definition *classes = outbox_take(k->class_box);
  for (; classes != NULL; classes = next) {
    next = classes->next;
    take_text(k, CLASSTABLE, &k->classes, classes);
  }
  for (; methods != NULL; methods = next) {
    next = methods->next;
    definitions_class(k, field(methods, 3));
    take_text(k, METHODS, &k->methods, methods);
  }
  for (; objects != NULL; objects = next) {
    next = objects->next;
    take_object(k, objects);
  }
}

/* --- lines -------------------------------------------------------------------------------- */

static void define_thrown(struct definitions *k, uint32_t class_id) {
  if (class_id != 0 && find(&k->classes, class_id) == NULL) definitions_take(k);
  definitions_class(k, class_id);
}

/* An event may name three objects. */
static bool define_object(struct definitions *k, uint32_t hash, ticks_t time) {
  return definitions_object(k, hash, time - 2, time);
}

void definitions_event(struct definitions *k, struct event_line *line, struct stack *stack) {
  enum event_shape shape = event_infos[line->kind].shape;
  define_object(k, line->thread, line->time);
  if (shape_has_object(shape) && !define_object(k, line->object, line->time)) line->object = 0;
  if (shape_has_owner(shape) && !define_object(k, line->owner, line->time)) line->owner = 0;
  if (shape_has_outcome(shape)) define_thrown(k, line->thrown);
  definitions_stack(k, stack);
}
