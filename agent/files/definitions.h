#pragma once
/* The definitions of classes, methods and objects, in the current set of files and in later ones.
   Each set has the lines that its other lines need, so this module keeps the text of each
   definition (`keeps_texts`) and writes it at its first use in a set:
   - Classes and methods are kept until the class is unloaded and no line can name it any more.
   - Objects are kept only as long as a line may still name them. A program creates them without
     limit, so they belong to generations. When there are too many, a new generation begins. From
     then on the producers define each object again that they name. At the same time, objects that
     no producer defined in the generation that ends are dropped. Events that are still in the queue
     can only name the objects that are kept.
   - Some objects are named without a new definition, and are kept anyway: a living thread, the
     object of a begin event whose end event is still to come, and a lock that is counted.
   If no later set can begin, nothing is kept: a definition is written when it is taken.
   Writer thread only. */
#include "agent/base/extern_c.h"
#include "agent/base/hashmap.h"
#include "agent/event/line.h"
#include "agent/files/dump_file.h"
#include "agent/record/living_classes.h"
#include "agent/record/lock_counts.h"
#include "agent/record/object_set.h"
#include "agent/record/outbox.h"
#include "agent/record/stack.h"

BEGIN_C

/* Reasons to keep an object, besides recent use. */
enum object_hold {
  OBJECT_IS_THREAD = 1,  /* a living thread: each of its events names it */
  OBJECT_IS_COUNTED = 2, /* a lock whose acquisitions are counted */
};

struct definitions_object {
  uint32_t hash, class_id;
  uint32_t next;       /* index of the next object with this hash, plus 1; 0: none */
  uint32_t set;        /* last set that contains its line; 0: none */
  uint32_t generation; /* in which a producer last defined it */
  uint32_t open_pairs; /* begin events whose end event will name it again */
  uint8_t holds;       /* bits of enum object_hold */
};

/* All zero, then the caller sets the fields up to `keeps_texts` and calls definitions_start. */
struct definitions {
  struct dump_file *files; /* of the current set */
  struct outbox *class_box, *method_box, *object_box;
  struct lock_counts *lock_counts;    /* it says which locks are counted */
  struct object_set *defined_objects; /* of the producers; cleared when objects are dropped */
  bool keeps_texts;                   /* there may be a next set */
  struct hashmap classes, methods;    /* id -> its struct text_definition */
  struct hashmap by_hash;             /* hash -> index of its first object, plus 1 */
  struct definitions_object *objects;
  size_t num_objects, capacity;
  size_t max_growth; /* more new objects than this: drop those that no line can name any more */
  size_t num_kept;   /* objects that the last such drop kept */
  size_t class_bytes, method_bytes; /* of the texts */
  uint32_t generation;              /* counts the recordings and these drops, from 1 */
  uint32_t set;                     /* number of the set, from 1, counted through all recordings */
};

/* definitions_start begins a recording, whose lines are later than `time`. definitions_end ends it
   and frees the memory; another definitions_start may follow. */
void definitions_start(struct definitions *d, ticks_t time);
void definitions_end(struct definitions *d);

/* definitions_next_set begins a new set, whose files define nothing yet. */
void definitions_next_set(struct definitions *d);

/* definitions_is_full returns whether there are so many objects that a new set should begin, since
   objects can be dropped only then. */
bool definitions_is_full(const struct definitions *d);

/* definitions_take takes the definitions that producers have published up to now. It writes those
   of classes and methods to the files, and without `keeps_texts` those of objects, too. */
void definitions_take(struct definitions *d);

/* definitions_write_for_event writes the definitions that the line needs and the set lacks. It sets
   the object or owner of the line to 0 if it is not known any more, and updates which objects later
   lines may still name. `stack`: of the line; NULL: none. */
void definitions_write_for_event(struct definitions *d, struct event_line *line,
                                 struct stack *stack);

/* definitions_write_for_stack and definitions_write_for_count do the same for a stack (NULL: do
   nothing) and for the object of a count. */
void definitions_write_for_stack(struct definitions *d, struct stack *stack);
void definitions_write_for_count(struct definitions *d, const struct count_line *line);

/* definitions_write_for_short does it for a line of short calls. */
void definitions_write_for_short(struct definitions *d, struct count_line *line,
                                 struct stack *stack);

/* definitions_find appends the text of a class or a method after "timestamp,". Without
   `keeps_texts` it reads the file again. False if the text is not known. `file`: FILE_CLASSES or
   FILE_METHODS. */
bool definitions_find(struct definitions *d, enum file file, uint32_t id, struct builder *out);

/* definitions_drop_unloaded drops the classes that do not live, with their methods and objects. No
   line that is written later names them, except by a stack that definitions_keep_stack was called
   for directly before (NULL: does nothing). */
void definitions_keep_stack(struct definitions *d, const struct stack *stack);
void definitions_drop_unloaded(struct definitions *d, const struct living_classes *l);

/* definitions_fail_file marks a file as incomplete because memory ran out: its next flush fails. */
void definitions_fail_file(struct definitions *d, enum file file);

END_C
