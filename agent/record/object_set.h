#pragma once
/* The objects that are already defined in .objects: a hash set of (hash, ClassID) pairs of fixed
   size, and the outbox of their definitions. When the set is full it is cleared. An object that is
   used again after that gets a second definition, which is equal to the first. Any thread. */
#include <stdint.h>

#include "agent/base/extern_c.h"
#include "agent/record/outbox.h"
#include "agent/record/table_size.h"

BEGIN_C

struct object_set;

/* object_set_new makes an empty set, whose definitions go into `box`. NULL without memory. The
   caller frees it with free(). */
struct object_set *object_set_new(struct outbox *box);

/* object_set_define publishes the definition of an object if it is not in the set. Without memory
   it does nothing; the next call tries again. */
void object_set_define(struct object_set *s, uint32_t hash, uint32_t class_id);

/* object_set_epoch returns a number that changes with each object_set_clear, and that no other set
   has. What was defined in an earlier epoch may not be in the set any more. Not 0. */
uint32_t object_set_epoch(const struct object_set *s);

struct table_size object_set_size(const struct object_set *s);

/* object_set_clear makes each object be defined again when it is next named. The writer calls it
   when it drops objects, and the agent when a recording begins. */
void object_set_clear(struct object_set *s);

END_C
