#pragma once
/* Functions that definitions.c and object_definitions.c call in each other. */
#include "agent/writer/definitions.h"

/* definitions_write_object writes the lines that the set lacks of the objects with this hash. Their
   time is at least `earliest`, and at most `latest` unless the last line of the file is already
   later. Returns false if no object with this hash is known. Hash 0 means "none": true. */
bool definitions_write_object(struct definitions *d, uint32_t hash, ticks_t earliest,
                              ticks_t latest);

/* definitions_add_object adds an object that a producer has defined. */
void definitions_add_object(struct definitions *d, uint32_t hash, uint32_t class_id);

/* definitions_drop_objects drops the objects that no line can name any more. */
void definitions_drop_objects(struct definitions *d);

/* definitions_drop_objects_of_unloaded drops the objects of classes that definitions.c has dropped.
 */
void definitions_drop_objects_of_unloaded(struct definitions *d);

/* definitions_has_class returns whether the class is known. */
bool definitions_has_class(const struct definitions *d, uint32_t id);

/* definitions_write_class writes the line of a class if the set lacks it. */
void definitions_write_class(struct definitions *d, uint32_t id);
