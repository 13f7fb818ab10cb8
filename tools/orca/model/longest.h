#pragma once
/* The longest of many pairs. */
#include "tools/orca/model/state/pairs.h"

#ifdef __cplusplus
extern "C" {
#endif

/* longest_start makes one of zeros ready; longest_free gives the memory back. */
struct longest {
  struct pair *rows; /* behind longest_sort: the longest first */
  size_t num, max;
  uint64_t seen; /* pairs that were added */
};

/* longest_start has room for `max` pairs, at least one. False: memory ran out. */
bool longest_start(struct longest *l, size_t max);

/* longest_add takes a pair that has an end. */
void longest_add(struct longest *l, const struct pair *pair);

/* longest_sort ends the adding. */
void longest_sort(struct longest *l);

void longest_free(struct longest *l);

#ifdef __cplusplus
}
#endif
