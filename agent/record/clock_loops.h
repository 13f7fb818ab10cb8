#pragma once
/* The methods of a recording with a loop that a time ends (classfile/clock_loop.h): a run whose
   threads are in such a loop takes as long as the program wants. Producers add them, under the lock
   of the table of methods; the writer writes them to the end of .info. */
#include <stdint.h>

#include "agent/base/bytes.h"
#include "agent/base/extern_c.h"

BEGIN_C

#define CLOCK_LOOPS_MAX 256 /* further ones are left out */

struct clock_loops {
  struct clock_loop_row {
    uint32_t method, from, to; /* MethodID; locations of the loop */
  } rows[CLOCK_LOOPS_MAX];
  uint32_t num; /* atomic */
};

/* clock_loops_clear removes all. The recorder is off. */
void clock_loops_clear(struct clock_loops *c);

void clock_loops_add(struct clock_loops *c, uint32_t method, uint32_t from, uint32_t to);

/* clock_loops_write appends "method;from;to" of each, with commas between them. Any thread. */
void clock_loops_write(const struct clock_loops *c, struct builder *out);

END_C
