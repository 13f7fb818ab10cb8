#pragma once
/* The classes that were loaded at a moment, as ClassIDs. So a table can drop the classes that were
   unloaded before it. The sweeper (agent/sweeper.c) makes them; the writer gets them by a slot. */
#include <stdbool.h>
#include <stdint.h>

#include "agent/base/extern_c.h"
#include "agent/base/hashmap.h"

BEGIN_C

struct living_classes {
  uint64_t time_ns;     /* CLOCK_MONOTONIC: a class defined later may live and not be in `ids` */
  uint32_t last_method; /* the same for a method with a greater MethodID */
  uint32_t stand_in;    /* ClassID of the stand-in for unloaded classes; 0: none */
  struct hashmap ids;   /* ClassID -> 1 */
};

/* living_classes_has returns whether the class lives. The stand-in always does. */
bool living_classes_has(const struct living_classes *l, uint32_t class_id);

/* living_classes_has_methods returns whether methods of the class may be called: it lives, and is
   not the stand-in. */
bool living_classes_has_methods(const struct living_classes *l, uint32_t class_id);

/* living_classes_put puts classes into a slot, or NULL. The slot owns them, and frees those that
   were in it before. living_classes_take empties the slot; the caller frees the result, which may
   be NULL. Any thread. */
void living_classes_put(struct living_classes **slot, struct living_classes *l);
struct living_classes *living_classes_take(struct living_classes **slot);

void living_classes_free(struct living_classes *l); /* NULL is allowed */

END_C
