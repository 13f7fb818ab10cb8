#include "agent/writer/definitions.h"

#include <stdlib.h>

#include "agent/base/memory.h"
#include "agent/writer/definitions_internal.h"

/* The definition of a class or a method. */
struct text_definition {
  struct definition *text;
  uint32_t set;   /* last set that contains its line; 0: none */
  bool is_needed; /* see definitions_keep_stack */
};

/* A table twice as large as this is some 8 MB. A smaller one costs a program with many living
   objects more time, as it defines them all again. */
#define MAX_GROWTH ((size_t)1 << 16)

void definitions_start(struct definitions *d) {
  if (d->max_growth == 0) d->max_growth = MAX_GROWTH;
  d->generation++;
  d->set++;
}

static size_t get_text_size(const struct text_definition *row) {
  return sizeof *row + sizeof *row->text + row->text->len;
}

/* Returns the size of the texts. */
static size_t free_texts(struct hashmap *rows) {
  struct hashmap_slot slot;
  size_t bytes = 0;
  for (size_t cursor = 0; hashmap_next(rows, &cursor, &slot);) {
    struct text_definition *row = (struct text_definition *)(uintptr_t)slot.value;
    if (row == NULL) continue;
    bytes += get_text_size(row);
    free(row->text);
    free(row);
  }
  hashmap_free(rows);
  return bytes;
}

void definitions_end(struct definitions *d) {
  d->class_bytes -= free_texts(&d->classes);
  d->method_bytes -= free_texts(&d->methods);
  hashmap_free(&d->by_hash);
  free(d->objects);
  d->objects = NULL;
  d->num_objects = d->capacity = d->num_kept = 0;
}

void definitions_next_set(struct definitions *d) {
  d->set++;
  if (d->num_objects > d->num_kept + d->max_growth) definitions_drop_objects(d);
}

/* --- classes and methods -------------------------------------------------------------- */

void definitions_fail_file(struct definitions *d, enum file file) {
  d->files[file].lines.failed = true;
}

static void write_text(struct definitions *d, enum file file, struct text_definition *row) {
  struct dump_file *f = &d->files[file];
  text_ticks(&f->lines, dump_file_next_time(f, row->text->time_ns));
  builder_char(&f->lines, ',');
  builder_bytes(&f->lines, row->text->body, row->text->len);
  row->set = d->set;
}

static struct text_definition *find_text(const struct hashmap *rows, uint32_t id) {
  uint64_t row = 0;
  hashmap_get(rows, id, &row);
  return (struct text_definition *)(uintptr_t)row;
}

void definitions_write_class(struct definitions *d, uint32_t id) {
  struct text_definition *row = find_text(&d->classes, id);
  if (row != NULL && row->set != d->set) write_text(d, FILE_CLASSES, row);
}

void definitions_write_for_stack(struct definitions *d, struct stack *stack) {
  if (stack == NULL || stack->set == d->set) return;
  struct span frames = stack_frames((struct span){stack->text, stack->text_len});
  for (struct frame frame; stack_next(&frames, &frame);) {
    if (frame.method == METHOD_CUT) continue;
    struct text_definition *row = find_text(&d->methods, frame.method);
    if (row == NULL) {
      definitions_take(d);
      row = find_text(&d->methods, frame.method);
    }
    if (row == NULL || row->set == d->set) continue;
    definitions_write_class(d, row->text->class_id);
    write_text(d, FILE_METHODS, row);
  }
  stack->set = d->set;
}

/* --- definitions of the producers ------------------------------------------------------- */

/* Takes the text over. */
static void take_text_definition(struct definitions *d, enum file file, struct hashmap *rows,
                                 struct definition *text) {
  uint64_t *at = hashmap_at(rows, text->id);
  if (at != NULL && *at == 0) *at = (uintptr_t)memory_new_zeroed(1, sizeof(struct text_definition));
  struct text_definition *row = at == NULL ? NULL : (struct text_definition *)(uintptr_t)*at;
  if (row == NULL) {
    definitions_fail_file(d, file);
    free(text);
    return;
  }
  size_t *bytes = file == FILE_CLASSES ? &d->class_bytes : &d->method_bytes;
  if (row->text != NULL) *bytes -= get_text_size(row);
  free(row->text);
  row->text = text;
  *bytes += get_text_size(row);
  if (row->set != d->set) write_text(d, file, row);
}

/* A producer publishes a class before the methods and objects that name it. So this takes objects
   and methods before classes: the classes that they name are published by then. */
void definitions_take(struct definitions *d) {
  struct definition *objects = outbox_take(d->object_box), *next;
  struct definition *methods = outbox_take(d->method_box);
  struct definition *classes = outbox_take(d->class_box);
  for (; classes != NULL; classes = next) {
    next = classes->next;
    take_text_definition(d, FILE_CLASSES, &d->classes, classes);
  }
  for (; methods != NULL; methods = next) {
    next = methods->next;
    definitions_write_class(d, methods->class_id);
    take_text_definition(d, FILE_METHODS, &d->methods, methods);
  }
  for (; objects != NULL; objects = next) {
    next = objects->next;
    definitions_add_object(d, objects->id, objects->class_id);
    free(objects);
  }
}

struct span definitions_find(struct definitions *d, enum file file, uint32_t id) {
  definitions_take(d);
  const struct text_definition *row =
      find_text(file == FILE_CLASSES ? &d->classes : &d->methods, id);
  return row == NULL ? (struct span){NULL, 0} : (struct span){row->text->body, row->text->len};
}

/* --- lines -------------------------------------------------------------------------------- */

/* An event may name three objects, so their lines need up to three times that are not later than
   its own. */
static bool write_missing_object(struct definitions *d, uint32_t hash, ticks_t time) {
  return definitions_write_object(d, hash, time - 2, time);
}

void definitions_write_for_event(struct definitions *d, struct event_line *line,
                                 struct stack *stack) {
  enum event_shape shape = event_infos[line->kind].shape;
  write_missing_object(d, line->thread, line->time);
  if (shape_has_object(shape) && !write_missing_object(d, line->object, line->time))
    line->object = 0;
  if (shape_has_owner(shape) && !write_missing_object(d, line->owner, line->time)) line->owner = 0;
  if (shape_has_outcome(shape)) {
    if (line->thrown != 0 && find_text(&d->classes, line->thrown) == NULL) definitions_take(d);
    definitions_write_class(d, line->thrown);
  }
  definitions_write_for_stack(d, stack);
}

/* --- unloaded classes --------------------------------------------------------------------- */

bool definitions_has_class(const struct definitions *d, uint32_t id) {
  return find_text(&d->classes, id) != NULL;
}

void definitions_keep_stack(struct definitions *d, const struct stack *stack) {
  if (stack == NULL) return;
  struct span frames = stack_frames((struct span){stack->text, stack->text_len});
  for (struct frame frame; stack_next(&frames, &frame);) {
    struct text_definition *method = find_text(&d->methods, frame.method), *klass;
    if (method == NULL) continue;
    method->is_needed = true;
    klass = find_text(&d->classes, method->text->class_id);
    if (klass != NULL) klass->is_needed = true;
  }
}

static bool lives_class(const struct living_classes *l, const struct definition *text) {
  return text->time_ns >= l->time_ns || living_classes_has(l, text->id);
}

static bool lives_method(const struct living_classes *l, const struct definition *text) {
  return text->time_ns >= l->time_ns || living_classes_has_methods(l, text->class_id);
}

/* Returns the size of the dropped texts. Without memory it drops nothing. */
static size_t drop_texts(struct hashmap *rows, const struct living_classes *l,
                         bool (*lives)(const struct living_classes *, const struct definition *)) {
  struct hashmap kept = {0}, dropped = {0};
  struct hashmap_slot slot;
  bool good = true;
  for (size_t cursor = 0; good && hashmap_next(rows, &cursor, &slot);) {
    struct text_definition *row = (struct text_definition *)(uintptr_t)slot.value;
    bool stays = row == NULL || row->is_needed || lives(l, row->text);
    good = hashmap_put(stays ? &kept : &dropped, slot.key, slot.value);
    if (row != NULL) row->is_needed = false;
  }
  if (good) {
    hashmap_free(rows);
    *rows = kept;
    return free_texts(&dropped);
  }
  hashmap_free(&kept);
  hashmap_free(&dropped);
  return 0;
}

void definitions_drop_unloaded(struct definitions *d, const struct living_classes *l) {
  d->method_bytes -= drop_texts(&d->methods, l, lives_method);
  d->class_bytes -= drop_texts(&d->classes, l, lives_class);
  definitions_drop_objects_of_unloaded(d);
}
