/* The objects of definitions.h. A producer defines an object once, and each set of files that names
   the object contains its line once. Objects belong to generations, so that the table does not grow
   forever:
   - When there are too many objects, a new generation begins. From then on the producers define
     each object again that they name.
   - At the same time, objects that no producer defined in the generation that ends are dropped.
     Events that are still in the queue can only name the objects that are kept.
   - Some objects are named without a new definition, and are kept anyway: a living thread, the
     object of a begin event whose end event is still to come, and a lock that is counted. */
#include <stdlib.h>

#include "agent/base/memory.h"
#include "agent/writer/definitions_internal.h"

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

/* --- adding and dropping ----------------------------------------------------------------- */

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

void definitions_add_object(struct definitions *d, uint32_t hash, uint32_t class_id) {
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

void definitions_drop_objects(struct definitions *d) {
  object_set_clear(d->defined_objects);
  hold_counted_objects(d);
  keep_objects(d, is_needed);
  d->num_kept = d->num_objects;
  d->generation++;
}

/* The class of a living object lives. So the producers, whose set still has the objects, name none
   of them again. */
static bool has_class(const struct definitions *d, const struct definitions_object *o) {
  return definitions_has_class(d, o->class_id);
}

void definitions_drop_objects_of_unloaded(struct definitions *d) {
  keep_objects(d, has_class);
  if (d->num_kept > d->num_objects) d->num_kept = d->num_objects;
}

bool definitions_is_full(const struct definitions *d) {
  return d->num_objects > d->num_kept + 2 * d->max_growth;
}

/* --- lines --------------------------------------------------------------------------------- */

bool definitions_write_object(struct definitions *d, uint32_t hash, ticks_t earliest,
                              ticks_t latest) {
  struct dump_file *f = &d->files[FILE_OBJECTS];
  if (hash == 0) return true;
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
    definitions_write_class(d, o->class_id);
    text_ticks(&f->lines, f->last_line_time);
    builder_char(&f->lines, ',');
    object_body_write(&f->lines, o->hash, o->class_id);
    o->set = d->set;
  }
  return first != NULL;
}

/* The time of the count may be later than that of the next event to be written, which may name the
   same object. So the line of the object gets the time of the last event that was written. */
void definitions_write_for_count(struct definitions *d, const struct count_line *line) {
  definitions_write_object(d, line->object, 0, d->files[FILE_EVENTS].last_line_time);
}

void definitions_write_for_short(struct definitions *d, struct count_line *line,
                                 struct stack *stack) {
  if (!definitions_write_object(d, line->object, 0, d->files[FILE_EVENTS].last_line_time))
    line->object = 0;
  definitions_write_for_stack(d, stack);
}

/* --- objects that later lines may name ------------------------------------------------------- */

void definitions_follow(struct definitions *d, const struct event_line *line) {
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
