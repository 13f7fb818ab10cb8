#pragma once
/* A queue of numbers in the order of their keys; equal keys in the order in which they came. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "agent/base/extern_c.h"

BEGIN_C

struct heap_row {
  double key;
  uint64_t order;
  uint32_t value;
};

/* All zero is empty; heap_free frees the memory. */
struct heap {
  struct heap_row *rows;
  size_t num, capacity;
  uint64_t added;
};

/* heap_add returns false when memory ran out. */
bool heap_add(struct heap *h, double key, uint32_t value);

/* heap_take removes the row with the least key, which must exist, and returns its value. The least
   key is that of rows[0]. */
uint32_t heap_take(struct heap *h);

void heap_free(struct heap *h);

END_C
