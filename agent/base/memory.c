#include "agent/base/memory.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "agent/base/log.h"

static uint64_t failed; /* atomic */

/* Returns `memory`, after it counts and reports a failed allocation. A result of NULL for 0 bytes
   is no failure. */
static void *check_memory(void *memory, size_t size) {
  static int is_logged;
  if (memory != NULL || size == 0) return memory;
  __atomic_fetch_add(&failed, 1, __ATOMIC_RELAXED);
  log_once(&is_logged, "there is no memory for %zu more bytes; Orca goes on without them", size);
  errno = ENOMEM; /* log_once may have changed it */
  return NULL;
}

void *memory_new(size_t size) { return check_memory(malloc(size), size); }

void *memory_new_zeroed(size_t num, size_t size) {
  return check_memory(calloc(num, size), num * size);
}

void *memory_new_aligned(size_t alignment, size_t size) {
  return check_memory(aligned_alloc(alignment, size), size);
}

void *memory_resize(void *old, size_t size) { return check_memory(realloc(old, size), size); }

char *memory_new_text(const char *text) {
  size_t size = strlen(text) + 1;
  char *copy = memory_new(size);
  return copy == NULL ? NULL : memcpy(copy, text, size);
}

void *memory_map(size_t size) {
  void *mapped =
      mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return check_memory(mapped == MAP_FAILED ? NULL : mapped, size);
}

void memory_unmap(void *mapped, size_t size) {
  if (mapped != NULL) munmap(mapped, size);
}

uint64_t memory_failed(void) { return __atomic_load_n(&failed, __ATOMIC_RELAXED); }
