#pragma once
/* A cache: from the physical frames of a thread (agent/hotspot/physical.h) to its stack. A stack is
   in it after the JVM has walked the same physical frames once. The table has a fixed size; a new
   shape may replace another one. Only stacks that are never freed go in. Any thread, no lock. */
#include <stdbool.h>
#include <stdint.h>

#include "agent/hotspot/physical.h"
#include "agent/record/table_size.h"

#ifdef __cplusplus
extern "C" {
#endif

struct stack;
struct shapes;

struct shapes *shapes_new(void); /* NULL without memory; never freed */

/* shapes_get returns the stack of a key, NULL if it is not known. */
struct stack *shapes_get(const struct shapes *s, const struct physical_key *key);

/* shapes_put stores the stack of a key. If another thread writes to the same place at this moment,
   does nothing. */
void shapes_put(struct shapes *s, const struct physical_key *key, struct stack *stack);

/* shapes_size returns the number of shapes, and the memory of the table. */
struct table_size shapes_size(const struct shapes *s);

#ifdef __cplusplus
}
#endif
