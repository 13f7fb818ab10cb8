#include "tools/orca/model/titles.h"

#include "agent/event/line.h"
#include "agent/event/meaning.h"
#include "tools/orca/model/model.h"
#include "tools/orca/model/names.h"

/* The value of an object. */
enum {
  TITLE_KNOWN = 1,       /* its class was looked up */
  TITLE_BY_PLACE = 2,    /* its class says nothing about the program */
  TITLE_IS_INTS = 4,     /* it is an int[] */
  TITLE_INITIALIZES = 8, /* it is the monitor of a class that the JVM initializes */
  TITLE_SORT = 16,       /* times 1 << enum lock_sort */
};

/* All objects with the hash have to be of the JDK, so that no title hides a class of the program.
 */
static uint64_t look_up_class(const struct dump *d, uint32_t object) {
  const struct dump_object *o = dump_objects(d, object);
  uint64_t bits = TITLE_KNOWN | (o == NULL ? 0 : TITLE_BY_PLACE | TITLE_IS_INTS);
  for (; o != NULL; o = o->next) {
    const struct class_line *c = dump_represented(d, o);
    if (c == NULL) c = dump_class(d, o->line.class_id);
    if (c == NULL || !is_platform_type(c->signature)) return TITLE_KNOWN;
    if (!span_is(c->signature, "[I")) bits &= ~(uint64_t)TITLE_IS_INTS;
  }
  return bits;
}

/* HotSpot locks an int[] of its own while it links or initializes a class. The JDK's code never
   locks an int[]. Code of the program may, but not with its first bytecode: that one has no
   operand. So a thread that blocks on an int[] there, or in code of the JDK, blocks on HotSpot's.
 */
static bool shows_initialization(const struct dump *d, const struct stacks *stacks,
                                 enum event_kind kind, stack_id_t stack) {
  size_t depth;
  const struct frame *frames = stacks_frames(stacks, stack, &depth);
  return kind == EVENT_MONITOR_CONTENDED_ENTER && depth > 0 &&
         (frames[0].location == 0 || place_is_platform(d, frames[0].method));
}

/* Notes that threads did something with the lock, `times` times. */
static bool add_place(struct titles *t, const struct dump *d, const struct stacks *stacks,
                      enum event_kind kind, uint32_t object, stack_id_t stack, uint64_t times) {
  if (object == 0) return true;
  uint64_t *bits = hashmap_at(&t->objects, object);
  if (bits == NULL) return false;
  if (*bits == 0) *bits = look_up_class(d, object);
  if ((*bits & TITLE_BY_PLACE) == 0) return true;
  place_t place = stacks_place(stacks, stack);
  if (place == 0) return true;
  *bits |= (uint64_t)TITLE_SORT << lock_events[kind].sort;
  if ((*bits & TITLE_IS_INTS) != 0 && shows_initialization(d, stacks, kind, stack)) {
    *bits |= TITLE_INITIALIZES;
  }
  return tally_add(&t->places, object, place, times, times);
}

/* Takes each event about a lock. */
static bool titles_event(struct titles *t, const struct dump *d, const struct stacks *stacks,
                         const struct event_line *line, stack_id_t stack) {
  bool is_about_lock = lock_event_asks(line->kind) || lock_events[line->kind].act == LOCK_ACT_GOT;
  return !is_about_lock || add_place(t, d, stacks, line->kind, line->object, stack, 1);
}

static bool titles_short_calls(struct titles *t, const struct dump *d, const struct stacks *stacks,
                               const struct count_line *line, stack_id_t stack) {
  return !lock_event_asks(line->kind) ||
         add_place(t, d, stacks, line->kind, line->object, stack, (uint64_t)line->count);
}

void titles_end(struct titles *t) { tally_sort(&t->places); }

bool titles_has(const struct titles *t, uint32_t object) {
  return tally_best(&t->places, object) != 0;
}

/* A lock of java.util.concurrent that is also a monitor is a "lock". */
static const char *find_sort_word(uint64_t bits) {
  enum lock_sort found = LOCK_MONITOR;
  for (int sort = 0; sort < NUM_LOCK_SORTS; sort++) {
    if ((bits & (uint64_t)TITLE_SORT << sort) != 0) found = (enum lock_sort)sort;
  }
  return lock_sorts[found].noun;
}

/* Appends "monitor in ". */
static void put_phrase(struct builder *b, const struct titles *t, uint32_t object) {
  uint64_t bits = 0;
  hashmap_get(&t->objects, object, &bits);
  if ((bits & TITLE_INITIALIZES) != 0) {
    builder_string(b, "initialization of a class at ");
  } else {
    builder_string(b, find_sort_word(bits));
    builder_string(b, " in ");
  }
}

bool titles_is_class(const struct titles *t, const struct dump *d, uint32_t object) {
  const struct dump_object *o = titles_has(t, object) ? NULL : dump_objects(d, object);
  return o != NULL && o->next == NULL && dump_represented(d, o) != NULL;
}

void titles_write(struct builder *b, const struct titles *t, const struct dump *d,
                  uint32_t object) {
  place_t place = tally_best(&t->places, object);
  if (titles_is_class(t, d, object)) {
    names_object_class(b, d, dump_objects(d, object));
    return;
  }
  if (place == 0) {
    names_object(b, d, object);
    return;
  }
  put_phrase(b, t, object);
  names_short_place(b, d, place);
  builder_string(b, " (");
  names_short_object(b, d, object);
  builder_char(b, ')');
}

/* Without a line in .objects the class is not known. */
static void put_class_of(struct builder *b, const struct dump *d, uint32_t object) {
  const struct dump_object *o = dump_objects(d, object);
  if (o == NULL) {
    builder_string(b, "(unknown class)");
  } else {
    names_object_class(b, d, o);
  }
}

void titles_write_name(struct builder *b, const struct titles *t, const struct dump *d,
                       uint32_t object) {
  place_t place = tally_best(&t->places, object);
  if (place == 0) {
    put_class_of(b, d, object);
    return;
  }
  put_phrase(b, t, object);
  names_full_method(b, d, place_method(place));
  builder_string(b, " (");
  put_class_of(b, d, object);
  builder_char(b, ')');
}

void titles_free(struct titles *t) {
  hashmap_free(&t->objects);
  tally_free(&t->places);
}

/* --- the analysis ------------------------------------------------------------------------ */

static bool is_title_event(enum event_kind kind) {
  enum lock_act act = lock_events[kind].act;
  return act == LOCK_ACT_WAITS || act == LOCK_ACT_TRIES || act == LOCK_ACT_GOT;
}

/* A lock has the same title whatever the filter, so every event counts. */
static bool take_title(void *arg, const struct step *step) {
  struct model *m = arg;
  if (step->event != NULL)
    return titles_event(&m->titles, m->dump, &m->stacks, step->event, step->stack);
  return !step->count->is_short ||
         titles_short_calls(&m->titles, m->dump, &m->stacks, step->count, step->stack);
}

static bool end_titles(struct model *m) {
  titles_end(&m->titles);
  return true;
}

const struct analysis analysis_titles = {
    .listener = {"titles", PASS_EVENTS | PASS_COUNTS, is_title_event, .take = take_title},
    .end = end_titles};
