#pragma once
/* What known.c and known_objects.c know of each other. */
#include "agent/writer/known.h"

/* known_object writes the lines of the objects of this hash that the set lacks, if that can be not
   before `earliest`, and not after `latest`. False where there is none; 0 names nothing and is well
   known. */
bool known_object(struct known *k, uint32_t hash, ticks_t earliest, ticks_t latest);

/* known_add_object: this is what a producer says. */
void known_add_object(struct known *k, uint32_t hash, uint32_t class_id);

/* known_drop_objects drops those that no line can name any more. */
void known_drop_objects(struct known *k);

/* known_class writes the line of a class that the set lacks. */
void known_class(struct known *k, uint32_t id);
