#pragma once
/* Counts the readers of a table that another thread shrinks, so that this thread knows when it may
   free what it has removed. A reader enters before it looks at the table, and leaves when it does
   not use an entry any more. It never waits. */
#include <stdbool.h>
#include <stdint.h>

#include "agent/base/extern_c.h"

BEGIN_C

#define READERS_PARTS 16 /* at most 32 */

/* All zero: no reader. */
struct readers {
  struct readers_part {
    uint64_t num; /* readers between readers_enter and readers_leave; atomic */
  } __attribute__((aligned(64))) parts[READERS_PARTS]; /* a thread always counts in the same one */
};

/* readers_enter returns the argument for readers_leave. Any thread. */
uint64_t *readers_enter(struct readers *r);
void readers_leave(uint64_t *entered);

/* The set of parts that may still have readers from before a removal; a bit each. */
#define READERS_ALL ((uint32_t)((UINT64_C(1) << READERS_PARTS) - 1))

/* readers_have_left returns whether all readers have left that entered before the caller removed
   something. The caller sets `*waiting` to READERS_ALL at the removal and calls this again until it
   returns true. One thread at a time. */
bool readers_have_left(const struct readers *r, uint32_t *waiting);

END_C
