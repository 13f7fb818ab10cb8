#include "tools/orca/model/base/rows.h"

#include "tools/orca/model/base/grow.h"

size_t rows_add(void *rows, size_t *num, size_t *capacity, size_t size) {
  char *first;
  memcpy(&first, rows, sizeof first);
  first = grow(first, *num, capacity, size);
  if (first == NULL) return 0;
  memcpy(rows, &first, sizeof first);
  memset(first + *num * size, 0, size);
  return ++*num;
}

/* Returns the number of rows whose group is less than `group`. */
static size_t count_rows_below(const char *rows, size_t num, size_t size, uint64_t group) {
  size_t low = 0, high = num;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    uint32_t found;
    memcpy(&found, rows + middle * size, sizeof found);
    if (found < group) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

const void *rows_of(const void *rows, size_t num, size_t size, uint32_t group, size_t *out_num) {
  size_t first = count_rows_below(rows, num, size, group);
  *out_num = count_rows_below(rows, num, size, (uint64_t)group + 1) - first;
  return *out_num == 0 ? NULL : (const char *)rows + first * size;
}
