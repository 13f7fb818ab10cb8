#pragma once
/* What known.c and known_objects.c know of each other. */
#include "agent/writer/definitions.h"

/* definitions_object writes the lines of the objects of this hash that the set lacks, if that can
   be not before `earliest`, and not after `latest`. False where there is none; 0 names nothing and
   is well known. */
bool definitions_object(struct definitions *k, uint32_t hash, ticks_t earliest, ticks_t latest);

/* definitions_add_object: this is what a producer says. */
void definitions_add_object(struct definitions *k, uint32_t hash, uint32_t class_id);

/* definitions_drop_objects drops those that no line can name any more. */
void definitions_drop_objects(struct definitions *k);

/* definitions_class writes the line of a class that the set lacks. */
void definitions_class(struct definitions *k, uint32_t id);
