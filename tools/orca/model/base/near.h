#pragma once
/* Finds the names that are most similar to a pattern that a user typed. */
#include "agent/base/bytes.h"
#include "agent/base/extern_c.h"

BEGIN_C

#define NEAR_NAMES 5
#define NEAR_LENGTH 120 /* longer names are cut to this many bytes */

/* A struct of zeros with a `pattern` is empty. It owns no memory. */
struct near {
  const char *pattern; /* the caller's */
  struct near_name {
    char text[NEAR_LENGTH + 1];
    unsigned distance; /* the edit distance from the pattern */
  } names[NEAR_NAMES]; /* the most similar first */
  size_t num;
  size_t left_out; /* number of names that are not in `names` */
};

/* near_add offers one more name. A name that is empty or already in `names` is ignored. */
void near_add(struct near *n, struct span name);

/* near_write appends "worker-1, worker-2, main, 12 more" to the builder. */
void near_write(struct builder *b, const struct near *n);

END_C
