#pragma once
/* How many wake-ups the option `threshold` left out before they reached the queue. Each thread
   counts in one of several cache lines, so that threads on different CPUs rarely write the same
   one. Any thread. */
#include <stdint.h>

#include "agent/base/extern_c.h"

BEGIN_C

#define LEFT_OUT_PARTS 64

/* All zero is empty. */
struct left_out {
  struct {
    uint64_t wakes;
  } __attribute__((aligned(64))) parts[LEFT_OUT_PARTS];
};

/* left_out_wake counts a call that wakes nobody. */
void left_out_wake(struct left_out *l);

/* left_out_wakes returns their number since left_out_reset. A recording begins with the latter. */
uint64_t left_out_wakes(const struct left_out *l);
void left_out_reset(struct left_out *l);

END_C
