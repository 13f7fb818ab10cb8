#pragma once
/* Growing arrays. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/* grow makes room for one more item after the first `num` items. It returns the array, which may
   have moved, and updates `*capacity`. It returns NULL when memory ran out; then nothing changed.
   The caller owns the array and frees it with free. */
static inline void *grow(void *items, size_t num, size_t *capacity, size_t item_size) {
  if (num < *capacity) return items;
  size_t wanted = *capacity == 0 ? 16 : *capacity * 2;
  if (wanted > SIZE_MAX / item_size) return NULL;
  void *moved = realloc(items, wanted * item_size);
  if (moved != NULL) *capacity = wanted;
  return moved;
}
