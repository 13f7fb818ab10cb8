#pragma once
/* Which of many names come nearest to what a person typed. */
#include "agent/base/bytes.h"

#ifdef __cplusplus
extern "C" {
#endif

#define NEAR_NAMES 5
#define NEAR_LENGTH 120 /* bytes of a name that are looked at and shown */

/* All zero but `pattern`; nothing to give back. */
struct near {
  const char *pattern;
  struct near_name {
    char text[NEAR_LENGTH + 1];
    unsigned distance;
  } names[NEAR_NAMES]; /* nearest first */
  size_t num;
  size_t left_out; /* further names */
};

/* near_add takes one more name; one that is there already is nothing new. */
void near_add(struct near *n, struct span name);

/* near_write appends "worker-1, worker-2, main, 12 more". */
void near_write(struct builder *b, const struct near *n);

#ifdef __cplusplus
}
#endif
