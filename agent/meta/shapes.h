#pragma once
/* A cache: from the physical frames of a thread (agent/hotspot/physical.h), or a method, to what is
   known about them, one word. It is in the cache after the JVM was asked for it once. The table has
   a fixed size; a new shape may replace another one. Any thread, no lock. */
#include <stdbool.h>
#include <stdint.h>

#include "agent/base/extern_c.h"
#include "agent/hotspot/physical.h"
#include "agent/record/table_size.h"

BEGIN_C

struct shapes;

struct shapes *shapes_new(void); /* NULL without memory; never freed */

/* shapes_get returns the word of a key, 0 if it is not known. */
uintptr_t shapes_get(const struct shapes *s, const struct physical_key *key);

/* shapes_put stores the word of a key, which is not 0. If another thread writes to the same place
   at this moment, does nothing. */
void shapes_put(struct shapes *s, const struct physical_key *key, uintptr_t word);

/* shapes_size returns the number of shapes, and the memory of the table. */
struct table_size shapes_size(const struct shapes *s);

END_C
