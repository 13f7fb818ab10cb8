#pragma once
/* Rows of a growing array, most of them found by a key. `rows` is the address of the pointer to the
   first of them, as they move when there are more; that, the number and the capacity begin as 0. */
#include "agent/base/hashmap.h"

#ifdef __cplusplus
extern "C" {
#endif

/* rows_add makes one more row of `size` bytes, all zero: its number, the first is 1. 0: memory ran
   out, with nothing changed. */
size_t rows_add(void *rows, size_t *num, size_t *capacity, size_t size);

/* rows_number gives the number of the row of `key`, by `ids`; where there is none it makes one, as
   rows_add does, and `*out_new` is true. 0: memory ran out. `out_new` may be NULL. */
size_t rows_number(struct hashmap *ids, uint64_t key, void *rows, size_t *num, size_t *capacity,
                   size_t size, bool *out_new);

/* rows_at gives that row itself, which holds until the next new one; NULL: memory ran out. */
void *rows_at(struct hashmap *ids, uint64_t key, void *rows, size_t *num, size_t *capacity,
              size_t size, bool *out_new);

#ifdef __cplusplus
}
#endif
