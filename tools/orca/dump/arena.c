#include "tools/orca/dump/arena.h"

#include <stdlib.h>
#include <string.h>

#define CHUNK_SIZE ((size_t)64 << 10)
#define ALIGNMENT sizeof(max_align_t)

struct arena_chunk {
  struct arena_chunk *next;
  size_t size;
  max_align_t bytes[];
};

void *arena_take(struct arena *a, size_t n) {
  if (n > SIZE_MAX / 2) return NULL;
  n = (n + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  if (n > a->left) {
    size_t size = n > CHUNK_SIZE ? n : CHUNK_SIZE;
    struct arena_chunk *chunk = calloc(1, sizeof *chunk + size);
    if (chunk == NULL) return NULL;
    *chunk = (struct arena_chunk){a->chunks, size};
    a->chunks = chunk;
    a->left = size;
  }
  char *bytes = (char *)a->chunks->bytes + (a->chunks->size - a->left);
  a->left -= n;
  return bytes;
}

struct span arena_keep(struct arena *a, struct span s) {
  char *copy = arena_take(a, s.len + 1);
  if (copy != NULL && s.len > 0) memcpy(copy, s.data, s.len);
  return (struct span){copy, copy == NULL ? 0 : s.len};
}

void arena_free(struct arena *a) {
  while (a->chunks != NULL) {
    struct arena_chunk *next = a->chunks->next;
    free(a->chunks);
    a->chunks = next;
  }
  a->left = 0;
}
