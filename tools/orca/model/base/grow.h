#pragma once
/* Growing arrays. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/* grow makes room for one more item behind the `num` there are: the items, perhaps moved, or NULL
   where memory runs out, with nothing changed. */
static inline void *grow(void *items, size_t num, size_t *capacity, size_t item_size) {
  if (num < *capacity) return items;
  size_t wanted = *capacity == 0 ? 16 : *capacity * 2;
  if (wanted > SIZE_MAX / item_size) return NULL;
  void *moved = realloc(items, wanted * item_size);
  if (moved != NULL) *capacity = wanted;
  return moved;
}
