#pragma once
/* Records of several lanes, put in order of time. Within a lane they are nearly in order already:
   threads of one lane may overtake each other by moments. Writer thread only. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "agent/record/record.h"

#ifdef __cplusplus
extern "C" {
#endif

struct order;

struct order *order_new(unsigned num_lanes); /* NULL without memory */
void order_free(struct order *o);

/* order_room gives room for `*n` records of a lane, or less: then `*n` is changed, to 0 when the
   lane holds all it may. The caller fills some and says how many by order_add. */
struct record *order_room(struct order *o, unsigned lane, size_t *n);
void order_add(struct order *o, unsigned lane, size_t n);

/* order_next takes the earliest record that is older than `before_ns`, NULL without one. Of equal
   times those of one lane stay as they came. It stands there until the next order_room. */
const struct record *order_next(struct order *o, uint64_t before_ns);

/* order_is_empty tells whether all that was added has been taken. */
bool order_is_empty(const struct order *o);

/* order_is_full tells whether some lane holds so many that waiting for later ones has to end. */
bool order_is_full(const struct order *o);

#ifdef __cplusplus
}
#endif
