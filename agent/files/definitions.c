#include "agent/files/definitions.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent/base/memory.h"

/* The definition of a class or a method. */
struct text_definition {
  struct definition *text;
  uint32_t set;   /* last set that contains its line; 0: none */
  bool is_needed; /* see definitions_keep_stack */
};

/* A table twice as large as this is some 8 MB. A smaller one costs a program with many living
   objects more time, as it defines them all again. */
#define MAX_GROWTH ((size_t)1 << 16)

void definitions_start(struct definitions *d, ticks_t time) {
  if (d->max_growth == 0) d->max_growth = MAX_GROWTH;
  d->generation++;
  d->set++;
  if (d->keeps_texts)
    d->files[FILE_OBJECTS].last_line_time = d->files[FILE_EVENTS].last_line_time = time;
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

/* --- lines -------------------------------------------------------------------------------- */

void definitions_fail_file(struct definitions *d, enum file file) {
  d->files[file].lines.failed = true;
}

static void write_line(struct definitions *d, enum file file, const struct definition *text) {
  struct dump_file *f = &d->files[file];
  text_ticks(&f->lines, dump_file_next_time(f, text->time_ns));
  builder_char(&f->lines, ',');
  builder_bytes(&f->lines, text->body, text->len);
}

static void write_text(struct definitions *d, enum file file, struct text_definition *row) {
  write_line(d, file, row->text);
  row->set = d->set;
}

static struct text_definition *find_text(const struct hashmap *rows, uint32_t id) {
  uint64_t row = 0;
  hashmap_get(rows, id, &row);
  return (struct text_definition *)(uintptr_t)row;
}

static void write_class(struct definitions *d, uint32_t id) {
  struct text_definition *row = find_text(&d->classes, id);
  if (row != NULL && row->set != d->set) write_text(d, FILE_CLASSES, row);
}

/* `ref`: the index of an object, plus 1; 0: NULL. */
static struct definitions_object *get_object(const struct definitions *d, uint64_t ref) {
  return ref == 0 ? NULL : &d->objects[ref - 1];
}

/* Returns the first object with this hash, NULL without one. */
static struct definitions_object *find_first_object(const struct definitions *d, uint32_t hash) {
  uint64_t ref = 0;
  hashmap_get(&d->by_hash, hash, &ref);
  return get_object(d, ref);
}

/* --- objects ------------------------------------------------------------------------------ */

/* Makes room for one more object. False without memory. */
static bool reserve_object(struct definitions *d) {
  if (d->num_objects < d->capacity) return true;
  size_t capacity = d->capacity == 0 ? 256 : d->capacity * 2;
  struct definitions_object *objects =
      capacity > UINT32_MAX ? NULL : memory_resize(d->objects, capacity * sizeof *objects);
  if (objects == NULL) return false;
  d->objects = objects;
  d->capacity = capacity;
  return true;
}

/* Adds the object after the last one of the array, which the caller has filled in. False without
   memory. */
static bool link_last_object(struct definitions *d) {
  struct definitions_object *o = &d->objects[d->num_objects];
  uint64_t *first = hashmap_at(&d->by_hash, o->hash);
  if (first == NULL) return false;
  o->next = (uint32_t)*first;
  *first = ++d->num_objects;
  return true;
}

static void add_object(struct definitions *d, uint32_t hash, uint32_t class_id) {
  struct definitions_object *o = find_first_object(d, hash);
  while (o != NULL && o->class_id != class_id) o = get_object(d, o->next);
  if (o != NULL) {
    o->generation = d->generation;
    return;
  }
  bool good = reserve_object(d);
  if (good) {
    d->objects[d->num_objects] =
        (struct definitions_object){hash, class_id, .generation = d->generation};
  }
  if (!good || !link_last_object(d)) definitions_fail_file(d, FILE_OBJECTS);
}

static bool is_needed(const struct definitions *d, const struct definitions_object *o) {
  return o->generation == d->generation || o->open_pairs > 0 || o->holds != 0;
}

static void keep_objects(struct definitions *d, bool (*keeps)(const struct definitions *,
                                                              const struct definitions_object *)) {
  struct definitions_object *old = d->objects;
  size_t num = d->num_objects;
  hashmap_free(&d->by_hash);
  d->objects = NULL;
  d->num_objects = d->capacity = 0;
  for (size_t i = 0; i < num; i++) {
    if (!keeps(d, &old[i])) continue;
    bool good = reserve_object(d);
    if (good) d->objects[d->num_objects] = old[i];
    if (!good || !link_last_object(d)) definitions_fail_file(d, FILE_OBJECTS);
  }
  free(old);
}

static void hold_counted_object(void *arg, uint32_t hash) {
  struct definitions_object *o = find_first_object(arg, hash);
  if (o != NULL) o->holds |= OBJECT_IS_COUNTED;
}

/* The table of counts forgets locks that died, so it is asked each time. */
static void hold_counted_objects(struct definitions *d) {
  for (size_t i = 0; i < d->num_objects; i++) d->objects[i].holds &= (uint8_t)~OBJECT_IS_COUNTED;
  lock_counts_visit(d->lock_counts, hold_counted_object, d);
}

static void drop_objects(struct definitions *d) {
  object_set_clear(d->defined_objects);
  hold_counted_objects(d);
  keep_objects(d, is_needed);
  d->num_kept = d->num_objects;
  d->generation++;
}

bool definitions_is_full(const struct definitions *d) {
  return d->num_objects > d->num_kept + 2 * d->max_growth;
}

void definitions_next_set(struct definitions *d) {
  d->set++;
  if (d->num_objects > d->num_kept + d->max_growth) drop_objects(d);
}

/* --- definitions of the producers ------------------------------------------------------- */

/* Takes the text over. */
static void take_text(struct definitions *d, enum file file, struct hashmap *rows,
                      struct definition *text) {
  if (!d->keeps_texts) {
    write_line(d, file, text);
    free(text);
    return;
  }
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
    take_text(d, FILE_CLASSES, &d->classes, classes);
  }
  for (; methods != NULL; methods = next) {
    next = methods->next;
    write_class(d, methods->class_id);
    take_text(d, FILE_METHODS, &d->methods, methods);
  }
  for (; objects != NULL; objects = next) {
    next = objects->next;
    if (d->keeps_texts) add_object(d, objects->id, objects->class_id);
    if (!d->keeps_texts) write_line(d, FILE_OBJECTS, objects);
    free(objects);
  }
}

/* --- lines that name them ------------------------------------------------------------------ */

void definitions_write_for_stack(struct definitions *d, struct stack *stack) {
  if (!d->keeps_texts || stack == NULL || stack->set == d->set) return;
  struct span frames = stack_frames((struct span){stack->text, stack->text_len});
  for (struct frame frame; stack_next(&frames, &frame);) {
    if (frame.method == METHOD_CUT) continue;
    struct text_definition *row = find_text(&d->methods, frame.method);
    if (row == NULL) {
      definitions_take(d);
      row = find_text(&d->methods, frame.method);
    }
    if (row == NULL || row->set == d->set) continue;
    write_class(d, row->text->class_id);
    write_text(d, FILE_METHODS, row);
  }
  stack->set = d->set;
}

/* Writes the lines that the set lacks of the objects with this hash. Their time is at least
   `earliest`, and at most `latest` unless the last line of the file is already later. Returns false
   if no object with this hash is known. Hash 0 means "none": true. */
static bool write_object(struct definitions *d, uint32_t hash, ticks_t earliest, ticks_t latest) {
  struct dump_file *f = &d->files[FILE_OBJECTS];
  if (hash == 0 || !d->keeps_texts) return true;
  struct definitions_object *first = find_first_object(d, hash);
  if (first == NULL) {
    definitions_take(d);
    first = find_first_object(d, hash);
  }
  for (struct definitions_object *o = first; o != NULL; o = get_object(d, o->next)) {
    if (o->set == d->set) continue;
    /* The time is later than that of the last line, unless that is at least `latest`. */
    if (f->last_line_time < latest) f->last_line_time++;
    if (f->last_line_time < earliest) f->last_line_time = earliest;
    write_class(d, o->class_id);
    write_class(d, o->hash); /* if the object represents a class, this is it: see object_class */
    text_ticks(&f->lines, f->last_line_time);
    builder_char(&f->lines, ',');
    object_body_write(&f->lines, o->hash, o->class_id);
    o->set = d->set;
  }
  return first != NULL;
}

/* An event may name three objects, so their lines need up to three times that are not later than
   its own. */
static bool write_missing_object(struct definitions *d, uint32_t hash, ticks_t time) {
  return write_object(d, hash, time - 2, time);
}

/* Updates which objects later lines may still name. */
static void follow_line(struct definitions *d, const struct event_line *line) {
  const struct event_info *info = &event_infos[line->kind];
  struct definitions_object *thread = find_first_object(d, line->thread);
  if (thread != NULL) thread->holds |= OBJECT_IS_THREAD;
  if (thread != NULL && line->kind == EVENT_THREAD_ENDED) {
    thread->holds &= (uint8_t)~OBJECT_IS_THREAD;
  }
  struct definitions_object *o =
      shape_has_object(info->shape) ? find_first_object(d, line->object) : NULL;
  if (o == NULL) return;
  if (info->role == ROLE_BEGIN) o->open_pairs++;
  if (event_is_end(line->kind) && o->open_pairs > 0) o->open_pairs--;
}

void definitions_write_for_event(struct definitions *d, struct event_line *line,
                                 struct stack *stack) {
  enum event_shape shape = event_infos[line->kind].shape;
  if (!d->keeps_texts) return;
  write_missing_object(d, line->thread, line->time);
  if (shape_has_object(shape) && !write_missing_object(d, line->object, line->time))
    line->object = 0;
  if (shape_has_owner(shape) && !write_missing_object(d, line->owner, line->time)) line->owner = 0;
  if (shape_has_executor(shape) && !write_missing_object(d, line->executor, line->time))
    line->executor = 0;
  if (shape_has_class(shape)) {
    if (line->class_id != 0 && find_text(&d->classes, line->class_id) == NULL) definitions_take(d);
    write_class(d, line->class_id);
  }
  definitions_write_for_stack(d, stack);
  follow_line(d, line);
}

/* The time of the count may be later than that of the next event to be written, which may name the
   same object. So the line of the object gets the time of the last event that was written. */
void definitions_write_for_count(struct definitions *d, const struct count_line *line) {
  write_object(d, line->object, 0, d->files[FILE_EVENTS].last_line_time);
}

void definitions_write_for_short(struct definitions *d, struct count_line *line,
                                 struct stack *stack) {
  if (!write_object(d, line->object, 0, d->files[FILE_EVENTS].last_line_time)) line->object = 0;
  definitions_write_for_stack(d, stack);
}

/* --- unloaded classes --------------------------------------------------------------------- */

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

/* The class of a living object lives. So the producers, whose set still has the objects, name none
   of them again. */
static bool has_class(const struct definitions *d, const struct definitions_object *o) {
  return find_text(&d->classes, o->class_id) != NULL;
}

static void drop_objects_of_unloaded(struct definitions *d) {
  keep_objects(d, has_class);
  if (d->num_kept > d->num_objects) d->num_kept = d->num_objects;
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
  drop_objects_of_unloaded(d);
}

/* --- texts in the files ------------------------------------------------------------------- */

#define BLOCK_BYTES (64 * 1024)

/* Cuts the first whole line of `*lines`. Returns whether it defines this id; `*body`: its text
   after "timestamp,". */
static bool cut_line(struct span *lines, uint32_t id, bool *is_found, struct span *body) {
  uint32_t found;
  const char *end = lines->len == 0 ? NULL : memchr(lines->data, '\n', lines->len);
  if (end == NULL) return false;
  struct span line = {lines->data, (size_t)(end - lines->data)}, time;
  *lines = (struct span){end + 1, lines->len - line.len - 1};
  span_cut(&line, ',', &time);
  *is_found = line.data != NULL && line.len > 8 &&
              text_parse_hash((struct span){line.data, 8}, &found) && found == id;
  *body = line;
  return true;
}

/* Searches whole lines. `*rest` becomes the bytes after the last one. */
static bool search_lines(struct span lines, uint32_t id, struct builder *out, struct span *rest) {
  bool is_found = false;
  struct span body;
  while (!is_found && cut_line(&lines, id, &is_found, &body)) continue;
  if (is_found) builder_bytes(out, body.data, body.len);
  *rest = lines;
  return is_found;
}

/* A pipe is never read: its lines are for somebody else. */
static int open_again(const struct dump_file *f) {
  char path[64];
  struct stat st;
  if (f->fd < 0 || fstat(f->fd, &st) != 0 || !S_ISREG(st.st_mode)) return -1;
  snprintf(path, sizeof path, "/proc/self/fd/%d", f->fd);
  return open(path, O_RDONLY | O_CLOEXEC);
}

/* Appends the next block. False at the end of the file. */
static bool read_block(int fd, struct builder *text) {
  char *room = builder_room(text, BLOCK_BYTES);
  ssize_t n;
  if (room == NULL) return false;
  do {
    n = read(fd, room, BLOCK_BYTES);
  } while (n < 0 && errno == EINTR);
  text->len += n > 0 ? (size_t)n : 0;
  return n > 0;
}

/* Also finds lines that are not in the file yet. */
static bool search_file(const struct dump_file *f, uint32_t id, struct builder *out) {
  struct builder text = {0};
  struct span rest;
  bool is_found = search_lines((struct span){f->lines.data, f->lines.len}, id, out, &rest);
  int fd = is_found ? -1 : open_again(f);
  while (fd >= 0 && !is_found && read_block(fd, &text)) {
    is_found = search_lines((struct span){text.data, text.len}, id, out, &rest);
    if (rest.len > 0) memmove(text.data, rest.data, rest.len);
    text.len = rest.len;
  }
  if (fd >= 0) close(fd);
  builder_free(&text);
  return is_found;
}

bool definitions_find(struct definitions *d, enum file file, uint32_t id, struct builder *out) {
  definitions_take(d);
  if (!d->keeps_texts) return search_file(&d->files[file], id, out);
  const struct text_definition *row =
      find_text(file == FILE_CLASSES ? &d->classes : &d->methods, id);
  if (row != NULL) builder_bytes(out, row->text->body, row->text->len);
  return row != NULL;
}
