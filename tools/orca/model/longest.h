#pragma once
/* Keeps the longest of many pairs. */
#include "agent/base/extern_c.h"
#include "tools/orca/model/state/pairs.h"

BEGIN_C

struct longest {
  struct pair *rows; /* after longest_sort: the longest first */
  size_t num, max;
  uint64_t seen; /* number of pairs that were added */
};

/* longest_start prepares `*l` to keep `max` pairs, at least one. It returns false when memory ran
   out. longest_free frees the memory. */
bool longest_start(struct longest *l, size_t max);

/* longest_add adds a pair that has an end. */
void longest_add(struct longest *l, const struct pair *pair);

/* longest_sort sorts the pairs and keeps the `max` longest. Call it after the last longest_add. Of
   pairs with the same length the earlier one comes first. */
void longest_sort(struct longest *l);

void longest_free(struct longest *l);

END_C
