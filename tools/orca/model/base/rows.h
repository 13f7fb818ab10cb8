#pragma once
/* Rows of a growing array, which can be found by a key. In all functions `rows` is the address of
   the pointer to the first row, because the rows move when the array grows. That pointer, the
   number of rows and the capacity start as NULL, 0 and 0. The caller frees the array. */
#include <string.h>

#include "agent/base/extern_c.h"
#include "agent/base/hashmap.h"

BEGIN_C

/* rows_add appends a row of `size` zero bytes and returns its number; the first row has number 1.
   It returns 0 when memory ran out; then nothing changed. */
size_t rows_add(void *rows, size_t *num, size_t *capacity, size_t size);

/* rows_number returns the number of the row of `key`, which it finds in `ids`. If there is no row
   yet, it adds one (rows_add) and sets `*out_new` to true. It returns 0 when memory ran out.
   `out_new` may be NULL. */
static inline size_t rows_number(struct hashmap *ids, uint64_t key, void *rows, size_t *num,
                                 size_t *capacity, size_t size, bool *out_new) {
  uint64_t *at = hashmap_at(ids, key);
  bool is_new = at != NULL && *at == 0;
  if (is_new) *at = rows_add(rows, num, capacity, size);
  if (out_new != NULL) *out_new = is_new && *at != 0;
  return at == NULL ? 0 : *at;
}

/* rows_at is rows_number, but returns a pointer to the row, or NULL when memory ran out. The
   pointer is valid until the next row is added. */
static inline void *rows_at(struct hashmap *ids, uint64_t key, void *rows, size_t *num,
                            size_t *capacity, size_t size, bool *out_new) {
  size_t number = rows_number(ids, key, rows, num, capacity, size, out_new);
  char *first;
  memcpy(&first, rows, sizeof first); /* the caller's pointer has another type */
  return number == 0 ? NULL : first + (number - 1) * size;
}

/* rows_of finds the rows of one group and sets `*out_num` to their number. The `num` rows must be
   sorted by group, and each row must start with its group, a uint32_t. It returns the first row of
   the group, or NULL if the group has no rows. Here `rows` is the first row itself. */
const void *rows_of(const void *rows, size_t num, size_t size, uint32_t group, size_t *out_num);

END_C
