/* The objects of known.h. Who says which class an object has is its producer, once; the files have
   its line once a set. Objects go in waves: when there are many, the producers are made to define
   each anew that they name from then on, and what was not defined since the wave before is dropped.
   A line that is on its way meanwhile names an object of the last wave; one whose pair began long
   ago, a thread, and a lock that is counted are held for themselves. */
#include <stdlib.h>

#include "agent/base/memory.h"
#include "agent/writer/definitions_internal.h"

static struct definitions_object *at(const struct definitions *k, uint64_t place) {
  return place == 0 ? NULL : &k->objects[place - 1];
}

static struct definitions_object *first_of(const struct definitions *k, uint32_t hash) {
  uint64_t place = 0;
  hashmap_get(&k->by_hash, hash, &place);
  return at(k, place);
}

/* --- in and out -------------------------------------------------------------------------- */

static bool has_room(struct definitions *k) {
  if (k->num_objects < k->capacity) return true;
  size_t capacity = k->capacity == 0 ? 256 : k->capacity * 2;
  struct definitions_object *objects =
      capacity > UINT32_MAX ? NULL : memory_resize(k->objects, capacity * sizeof *objects);
  if (objects == NULL) return false;
  k->objects = objects;
  k->capacity = capacity;
  return true;
}

/* Links the object at the end of the array into those of its hash. */
static bool link_last(struct definitions *k) {
  struct definitions_object *o = &k->objects[k->num_objects];
  uint64_t *place = hashmap_at(&k->by_hash, o->hash);
  if (place == NULL) return false;
  o->next = (uint32_t)*place;
  *place = ++k->num_objects;
  return true;
}

void definitions_add_object(struct definitions *k, uint32_t hash, uint32_t class_id) {
  struct definitions_object *o = first_of(k, hash);
  while (o != NULL && o->class_id != class_id) o = at(k, o->next);
  if (o != NULL) {
    o->wave = k->wave;
    return;
  }
  bool good = has_room(k);
  if (good)
    k->objects[k->num_objects] = (struct definitions_object){hash, class_id, .wave = k->wave};
  if (!good || !link_last(k)) definitions_failed(k, OBJECTS);
}

static bool is_needed(const struct definitions *k, const struct definitions_object *o) {
  return o->wave == k->wave || o->open > 0 || o->holds != 0;
}

void definitions_drop_objects(struct definitions *k) {
  struct definitions_object *old = k->objects;
  size_t num = k->num_objects;
  k->forget_objects(k->arg);
  hashmap_free(&k->by_hash);
  k->objects = NULL;
  k->num_objects = k->capacity = 0;
  for (size_t i = 0; i < num; i++) {
    if (!is_needed(k, &old[i])) continue;
    bool good = has_room(k);
    if (good) k->objects[k->num_objects] = old[i];
    if (!good || !link_last(k)) definitions_failed(k, OBJECTS);
  }
  free(old);
  k->settled = k->num_objects;
  k->wave++;
}

bool definitions_is_full(const struct definitions *k) {
  return k->num_objects > k->settled + 2 * k->many;
}

/* --- lines --------------------------------------------------------------------------------- */

/* Later than the line before, where there is a tenth of a nanosecond left. */
static void write_line(struct definitions *k, struct definitions_object *o, ticks_t earliest,
                       ticks_t latest) {
  struct dump_file *f = &k->files[OBJECTS];
  if (f->last < latest) f->last++;
  if (f->last < earliest) f->last = earliest;
  definitions_class(k, o->class_id);
  text_ticks(&f->lines, f->last);
  builder_char(&f->lines, ',');
  object_body_write(&f->lines, o->hash, o->class_id);
  o->set = k->set;
}

bool definitions_object(struct definitions *k, uint32_t hash, ticks_t earliest, ticks_t latest) {
  if (hash == 0) return true;
  struct definitions_object *first = first_of(k, hash);
  if (first == NULL) {
    definitions_take(k);
    first = first_of(k, hash);
  }
  for (struct definitions_object *o = first; o != NULL; o = at(k, o->next)) {
    if (o->set != k->set) write_line(k, o, earliest, latest);
  }
  return first != NULL;
}

/* The time of the count is later than that of events which are still to be written. */
void definitions_count(struct definitions *k, const struct count_line *line) {
  definitions_object(k, line->object, 0, k->files[ORCA].last);
  struct definitions_object *o = first_of(k, line->object);
  if (o != NULL) o->holds |= OBJECT_IS_COUNTED;
}

/* --- what is held ---------------------------------------------------------------------------- */

static void follow_thread(struct definitions *k, const struct event_line *line) {
  struct definitions_object *o = first_of(k, line->thread);
  if (o == NULL) return;
  o->holds |= OBJECT_IS_THREAD;
  if (line->kind == EVENT_THREAD_ENDED) o->holds &= (uint8_t)~OBJECT_IS_THREAD;
}

void definitions_follow(struct definitions *k, const struct event_line *line) {
  const struct event_info *info = &event_infos[line->kind];
  follow_thread(k, line);
  struct definitions_object *o = shape_has_object(info->shape) ? first_of(k, line->object) : NULL;
  if (o == NULL) return;
  if (info->role == ROLE_BEGIN) o->open++;
  if (event_ends(line->kind) && o->open > 0) o->open--;
}
