#pragma once
/* All allocations of the agent. A failed allocation is counted, and the first one is reported in
   one line on stderr. The caller then leaves out whatever needed the memory. The caller owns the
   memory and releases it with free(), that of memory_map with memory_unmap. Any thread. */
#include <stddef.h>
#include <stdint.h>

#include "agent/base/extern_c.h"

BEGIN_C

/* Without memory each returns NULL and sets errno to ENOMEM.

     memory_new          `size` bytes, not initialized
     memory_new_zeroed   `num` times `size` bytes, all zero
     memory_new_aligned  `size` bytes, which must be a multiple of `alignment`
     memory_resize       like realloc; on failure `old` stays valid
     memory_new_text     a copy of the C string `text`
     memory_map          `size` bytes, all zero, which begin at a page. The kernel provides
                         each page at its first use */
void *memory_new(size_t size) __attribute__((malloc));
void *memory_new_zeroed(size_t num, size_t size) __attribute__((malloc));
void *memory_new_aligned(size_t alignment, size_t size) __attribute__((malloc));
void *memory_resize(void *old, size_t size);
char *memory_new_text(const char *text) __attribute__((malloc));
void *memory_map(size_t size) __attribute__((malloc));

/* memory_unmap releases the `size` bytes of memory_map. NULL is allowed. */
void memory_unmap(void *mapped, size_t size);

/* memory_failed returns the number of allocations that have failed in this process. */
uint64_t memory_failed(void);

END_C
