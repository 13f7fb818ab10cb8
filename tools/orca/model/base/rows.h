#pragma once
/* Rows of a growing array, most of them found by a key. `rows` is the address of the pointer to the
   first of them, as they move when there are more; that, the number and the capacity begin as 0. */
#include <string.h>

#include "agent/base/hashmap.h"

#ifdef __cplusplus
extern "C" {
#endif

/* rows_add makes one more row of `size` bytes, all zero: its number, the first is 1. 0: memory ran
   out, with nothing changed. */
size_t rows_add(void *rows, size_t *num, size_t *capacity, size_t size);

/* rows_number gives the number of the row of `key`, by `ids`; where there is none it makes one, as
   rows_add does, and `*out_new` is true. 0: memory ran out. `out_new` may be NULL. */
static inline size_t rows_number(struct hashmap *ids, uint64_t key, void *rows, size_t *num,
                                 size_t *capacity, size_t size, bool *out_new) {
  uint64_t *at = hashmap_at(ids, key);
  bool is_new = at != NULL && *at == 0;
  if (is_new) *at = rows_add(rows, num, capacity, size);
  if (out_new != NULL) *out_new = is_new && *at != 0;
  return at == NULL ? 0 : *at;
}

/* rows_at gives that row itself, which holds until the next new one; NULL: memory ran out. */
static inline void *rows_at(struct hashmap *ids, uint64_t key, void *rows, size_t *num,
                            size_t *capacity, size_t size, bool *out_new) {
  size_t number = rows_number(ids, key, rows, num, capacity, size, out_new);
  char *first;
  memcpy(&first, rows, sizeof first); /* a pointer of some other type */
  return number == 0 ? NULL : first + (number - 1) * size;
}

/* rows_of gives the rows of a group out of `num` that are sorted by it: each row begins with its
   group, a uint32_t. NULL where there are none. */
const void *rows_of(const void *rows, size_t num, size_t size, uint32_t group, size_t *out_num);

#ifdef __cplusplus
}
#endif
