#include "tools/model/rows.h"

#include <string.h>

#include "tools/model/grow.h"

/* The pointer at `rows` is one of some other type: it is read and written as bytes. */
static char *first_of(const void *rows) {
  char *first;
  memcpy(&first, rows, sizeof first);
  return first;
}

size_t rows_add(void *rows, size_t *num, size_t *capacity, size_t size) {
  char *grown = grow(first_of(rows), *num, capacity, size);
  if (grown == NULL) return 0;
  memcpy(rows, &grown, sizeof grown);
  memset(grown + *num * size, 0, size);
  return ++*num;
}

size_t rows_number(struct hashmap *ids, uint64_t key, void *rows, size_t *num, size_t *capacity,
                   size_t size, bool *out_new) {
  uint64_t *at = hashmap_at(ids, key);
  bool is_new = at != NULL && *at == 0;
  if (is_new) *at = rows_add(rows, num, capacity, size);
  if (out_new != NULL) *out_new = is_new && *at != 0;
  return at == NULL ? 0 : *at;
}

void *rows_at(struct hashmap *ids, uint64_t key, void *rows, size_t *num, size_t *capacity,
              size_t size, bool *out_new) {
  size_t number = rows_number(ids, key, rows, num, capacity, size, out_new);
  return number == 0 ? NULL : first_of(rows) + (number - 1) * size;
}
