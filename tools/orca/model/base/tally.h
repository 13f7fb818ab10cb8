#pragma once
/* Counts and sums by two keys: "how often and how long did this thread block on this lock?" for all
   locks and threads at once. First add, then sort, then ask. */
#include "agent/base/hashmap.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The group comes first, for rows_of. */
struct tally_row {
  uint32_t group;
  uint64_t key;
  uint64_t count, total;
  size_t next; /* of the same hash, plus one */
};

/* All zero is empty; tally_free gives the memory back. */
struct tally {
  struct hashmap heads; /* hash of group and key -> row plus one */
  struct tally_row *rows;
  size_t num, capacity;
};

/* tally_add adds to the row of group and key. False where memory runs out. */
bool tally_add(struct tally *t, uint32_t group, uint64_t key, uint64_t count, uint64_t total);

/* tally_sort ends the adding: brings the rows of a group together, largest total first. */
void tally_sort(struct tally *t);

/* tally_of gives the rows of a group in a sorted tally. */
const struct tally_row *tally_of(const struct tally *t, uint32_t group, size_t *out_num);

/* tally_best is the key of the largest row of a group in a sorted tally; 0 where it has none. */
uint64_t tally_best(const struct tally *t, uint32_t group);

/* A group that is left out. */
#define TALLY_NO_GROUP UINT32_MAX

/* tally_merge adds what `t` has to another tally, under the groups that `ids` gives by the group of
   `t`. False: memory ran out. */
bool tally_merge(const struct tally *t, const uint32_t *ids, struct tally *into);

void tally_free(struct tally *t);

#ifdef __cplusplus
}
#endif
