#pragma once
/* What a recording spent, summed up under names that other recordings have too: CPU time of
   methods, blocked time of locks, time of other calls that block. These sums are all that a
   comparison of two recordings needs, so a digest contains them instead of events and samples. */
#include "agent/base/extern_c.h"
#include "tools/orca/model/short_calls.h"
#include "tools/orca/model/state/place.h"

BEGIN_C

struct model;

enum compare_part { COMPARE_METHODS, COMPARE_LOCKS, COMPARE_WAITS, NUM_COMPARE_PARTS };

/* What `kind` and `id` mean in each part:
   - COMPARE_METHODS: 0, and a MethodID.
   - COMPARE_LOCKS: an enum lock_sort, and a ClassID.
   - COMPARE_WAITS: the enum event_kind of the pair's begin event, and a ClassID.
   A ClassID is 0 if it is not known, SHORT_SEVERAL_CLASS for several objects that are not told
   apart. */
struct sums_row {
  enum compare_part part;
  unsigned kind;
  uint32_t id;    /* of the largest time with this name */
  place_t place;  /* where this time was spent */
  ticks_t time;   /* of all times with this name */
  uint64_t count; /* how many waits that was; 0 for methods */
  ticks_t most;   /* the largest time */
};

/* The rows of a part that a digest leaves out. */
struct sums_cut {
  uint64_t num;
  ticks_t time; /* of all */
  uint64_t count;
  ticks_t most; /* of the row with the longest time */
  uint64_t most_count;
};

/* A struct of zeros is empty; sums_free frees its memory. */
struct sums {
  bool is_read; /* of a digest: the model has no others */
  struct sums_row *rows;
  size_t num, capacity;
  struct sums_cut cut[NUM_COMPARE_PARTS]; /* zeros for a recording */
};

/* sums_find fills the empty `*out` from the analyses of a model. It returns false when memory ran
   out; call sums_free either way. */
bool sums_find(struct sums *out, const struct model *m);

/* sums_add adds a row. It returns false when memory ran out. */
bool sums_add(struct sums *s, const struct sums_row *row);

/* sums_keep_largest keeps at most `most` rows of each part, those with the longest times, and
   counts the others as cut. */
void sums_keep_largest(struct sums *s, size_t most);

/* sums_is_several returns whether a row with this id is of several objects that are not told apart.
 */
static inline bool sums_is_several(enum compare_part part, uint32_t id) {
  return part != COMPARE_METHODS && id == SHORT_SEVERAL_CLASS;
}

/* sums_put_key appends a text that names the same row in each recording. */
void sums_put_key(struct builder *b, const struct dump *d, const struct sums_row *row);

/* sums_put_method_key does the same for a method. */
void sums_put_method_key(struct builder *b, const struct dump *d, uint32_t method);

void sums_free(struct sums *s);

END_C
