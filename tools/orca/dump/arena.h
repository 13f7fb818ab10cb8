#pragma once
/* Memory that is freed all at once. */
#include <stddef.h>

#include "agent/base/bytes.h"
#include "agent/base/extern_c.h"

BEGIN_C

/* All zero is an empty arena. */
struct arena {
  struct arena_chunk *chunks;
  size_t left; /* free bytes at the end of the first chunk */
};

/* arena_take allocates `n` bytes of zeros, aligned for any type. Returns NULL if memory ran out. */
void *arena_take(struct arena *a, size_t n);

/* arena_keep copies bytes into the arena. `data` of the result is NULL if memory ran out. */
struct span arena_keep(struct arena *a, struct span s);

void arena_free(struct arena *a);

END_C
