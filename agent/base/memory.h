#pragma once
/* Memory for the agent. Every allocation goes through here, so that one that fails is counted, and
   the first is said in one line on stderr. The caller goes on without what it needed the memory
   for. What is returned is given back by free(). Any thread. */
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Each returns NULL without memory, and errno is ENOMEM then. memory_new: `size` bytes, undefined.
   memory_new_zeroed: `num` times `size` bytes, all zero. memory_new_aligned: `size` bytes, a
   multiple of `alignment`. memory_resize: as realloc; on failure `old` stays as it is.
   memory_new_text: a copy of `text`. */
void *memory_new(size_t size) __attribute__((malloc));
void *memory_new_zeroed(size_t num, size_t size) __attribute__((malloc));
void *memory_new_aligned(size_t alignment, size_t size) __attribute__((malloc));
void *memory_resize(void *old, size_t size);
char *memory_new_text(const char *text) __attribute__((malloc));

/* memory_failed returns how many allocations failed in this process. */
uint64_t memory_failed(void);

#ifdef __cplusplus
}
#endif
