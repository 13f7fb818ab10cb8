#pragma once
/* Memory that is given back all at once. */
#include <stddef.h>

#include "agent/base/bytes.h"

#ifdef __cplusplus
extern "C" {
#endif

/* All zero is an empty arena. */
struct arena {
  struct arena_chunk *chunks;
  size_t left; /* in the first chunk */
};

/* arena_take gives `n` bytes of zeros, aligned for any type; NULL where memory runs out. */
void *arena_take(struct arena *a, size_t n);

/* arena_keep copies bytes; `data` is NULL where memory runs out. */
struct span arena_keep(struct arena *a, struct span s);

void arena_free(struct arena *a);

#ifdef __cplusplus
}
#endif
