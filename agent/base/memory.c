#include "agent/base/memory.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "agent/base/log.h"

static uint64_t failed; /* atomic */

static void *noted(void *memory, size_t size) {
  static int said;
  if (memory != NULL || size == 0) return memory;
  __atomic_fetch_add(&failed, 1, __ATOMIC_RELAXED);
  log_once(&said, "there is no memory for %zu bytes more; what needed them is left out", size);
  errno = ENOMEM; /* the line may have changed it */
  return NULL;
}

void *memory_new(size_t size) { return noted(malloc(size), size); }

void *memory_new_zeroed(size_t num, size_t size) { return noted(calloc(num, size), num * size); }

void *memory_new_aligned(size_t alignment, size_t size) {
  return noted(aligned_alloc(alignment, size), size);
}

void *memory_resize(void *old, size_t size) { return noted(realloc(old, size), size); }

char *memory_new_text(const char *text) {
  size_t size = strlen(text) + 1;
  char *copy = memory_new(size);
  return copy == NULL ? NULL : memcpy(copy, text, size);
}

uint64_t memory_failed(void) { return __atomic_load_n(&failed, __ATOMIC_RELAXED); }
