#pragma once
/* What lines name, kept so that each set of files defines it anew at its first use there: classes
   and methods with the text of their definition, objects with their classes. Classes and methods
   are kept for good, as there are only so many; of objects, of which a program makes ever more,
   those that may still be named. Writer thread only. */
#include "agent/base/hashmap.h"
#include "agent/event/line.h"
#include "agent/record/outbox.h"
#include "agent/record/stack.h"
#include "agent/writer/dump_file.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Why an object has to be kept. */
enum object_hold {
  OBJECT_IS_THREAD = 1,  /* one that lives: each of its events names it */
  OBJECT_IS_COUNTED = 2, /* a lock whose acquisitions are counted */
};

struct definitions_object {
  uint32_t hash, class_id;
  uint32_t next; /* of the same hash, plus one: two objects may share one */
  uint32_t set;  /* in which its line was last written */
  uint32_t wave; /* in which its producer last defined it */
  uint32_t open; /* pairs that have begun and whose end will name it again */
  uint8_t holds; /* of enum object_hold */
};

/* All zero, then definitions_start; definitions_end gives the memory back, and definitions_start
 * may follow. */
struct definitions {
  struct dump_file *files;
  struct outbox *class_box, *method_box, *object_box;
  /* After this call the producers define each object anew when they next name it. */
  void (*forget_objects)(void *arg);
  void *arg;
  struct hashmap classes, methods; /* id -> its struct known_text */
  struct hashmap by_hash;          /* hash -> the first of its objects, plus one */
  struct definitions_object *objects;
  size_t num_objects, capacity;
  size_t many;    /* so many more objects, and those that cannot be named any more are dropped */
  size_t settled; /* objects that were left the last time */
  uint32_t wave;  /* counts those moments, from 1 */
  uint32_t set;   /* counts the sets of this process, from 1, through all recordings */
};

void definitions_start(struct definitions *k);
void definitions_end(struct definitions *k);

/* definitions_next_set: nothing is defined in the files yet. */
void definitions_next_set(struct definitions *k);

/* definitions_is_full: there are so many objects that a new set is wanted for their sake. */
bool definitions_is_full(const struct definitions *k);

/* definitions_take takes what the producers have defined up to now. Classes and methods are
 * written. */
void definitions_take(struct definitions *k);

/* definitions_event writes the definitions that the line needs and does not find in the set. An
   object that is not known any more becomes 0, as in a file. `stack` is the line's, NULL for none.
 */
void definitions_event(struct definitions *k, struct event_line *line, struct stack *stack);

/* definitions_stack does that for a stack alone, definitions_count for the object of a count at
 * that time. */
void definitions_stack(struct definitions *k, struct stack *stack);
void definitions_count(struct definitions *k, const struct count_line *line);

/* definitions_failed: memory ran out, so this file cannot be right: it fails when it is flushed. */
void definitions_failed(struct definitions *k, enum file file);

/* definitions_follow takes note of a line that was written: what it begins, or ends. */
void definitions_follow(struct definitions *k, const struct event_line *line);

#ifdef __cplusplus
}
#endif
