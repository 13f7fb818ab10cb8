#pragma once
/* Counts and sums by two keys, a group and a key. For example, the group is a lock and the key a
   thread: how often and for how long was each thread blocked on each lock? Call tally_add for all
   values, then tally_sort, then the functions that read. */
#include "agent/base/extern_c.h"
#include "agent/base/hashmap.h"

BEGIN_C

/* rows_of needs the group as the first field. */
struct tally_row {
  uint32_t group;
  uint64_t key;
  uint64_t count, total;
  uint64_t largest; /* the largest `total` of one tally_add, or `largest` of one tally_add_sum */
  size_t next;      /* the next row with the same hash, plus one */
};

/* A struct of zeros is empty; tally_free frees its memory. */
struct tally {
  struct hashmap heads; /* hash of group and key -> row plus one */
  struct tally_row *rows;
  size_t num, capacity;
};

/* tally_add adds to the count and the total of a group and key. It returns false when memory ran
   out. */
bool tally_add(struct tally *t, uint32_t group, uint64_t key, uint64_t count, uint64_t total);

/* tally_add_sum adds several values at once: their number, their sum, and the largest. It returns
   false when memory ran out. */
bool tally_add_sum(struct tally *t, uint32_t group, uint64_t key, uint64_t count, uint64_t total,
                   uint64_t largest);

/* tally_sort sorts the rows by group, and within a group by total, the largest first. Nothing may
   be added after it. */
void tally_sort(struct tally *t);

/* tally_of returns the rows of a group in a sorted tally, and sets `*out_num` to their number. */
const struct tally_row *tally_of(const struct tally *t, uint32_t group, size_t *out_num);

/* tally_find returns the row of a group and key in a sorted tally; NULL: it has none. */
const struct tally_row *tally_find(const struct tally *t, uint32_t group, uint64_t key);

/* tally_best returns the key with the largest total of a group in a sorted tally. It returns 0 if
   the group has no rows. */
uint64_t tally_best(const struct tally *t, uint32_t group);

/* In the `ids` of tally_merge: leave out the rows of this group. */
#define TALLY_NO_GROUP UINT32_MAX

/* tally_merge adds the rows of `t` to `into`. A row of group g goes to group ids[g]. It returns
   false when memory ran out. */
bool tally_merge(const struct tally *t, const uint32_t *ids, struct tally *into);

void tally_free(struct tally *t);

END_C
