#pragma once
/* Merges the records of several lanes into one sequence sorted by time. The records of a lane
   are almost sorted: threads that push at the same moment may overtake each other. Writer thread
   only. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "agent/base/extern_c.h"
#include "agent/record/record.h"

BEGIN_C

struct order;

struct order *order_new(unsigned num_lanes); /* NULL without memory */
void order_free(struct order *o);

/* order_room returns an array for `*n` more records of a lane. If fewer fit, it reduces `*n`; to 0
   if the lane is full. The caller fills the first records of the array and passes their number to
   order_add. */
struct record *order_room(struct order *o, unsigned lane, size_t *n);
void order_add(struct order *o, unsigned lane, size_t n);

/* order_next removes and returns the earliest record that is older than `before_ns`; NULL without
   one. Records of one lane with equal times keep their order. The result is valid until the next
   order_room. */
const struct record *order_next(struct order *o, uint64_t before_ns);

/* order_is_empty returns whether all records that were added have been removed. */
bool order_is_empty(const struct order *o);

/* order_is_full returns whether some lane is full. Then the caller must remove records, even if it
   would rather wait. */
bool order_is_full(const struct order *o);

END_C
