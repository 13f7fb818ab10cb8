#include "agent/thread/calls.h"

#include <stdlib.h>

#include "agent/base/memory.h"

#define FIRST_CAPACITY 4
#define MAX_CALLS 65536

bool calls_have(const struct calls *c, int row) {
  for (unsigned i = c->num; i > 0; i--) {
    if (c->at[i - 1].row == row) return true;
  }
  return false;
}

struct call *calls_push(struct calls *c) {
  if (c->num == c->capacity) {
    unsigned capacity = c->capacity == 0 ? FIRST_CAPACITY : 2 * c->capacity;
    struct call *at = capacity > MAX_CALLS ? NULL : memory_resize(c->at, capacity * sizeof *at);
    if (at == NULL) return NULL;
    c->at = at;
    c->capacity = capacity;
  }
  c->at[c->num] = (struct call){0};
  return &c->at[c->num++];
}

struct call *calls_pop(struct calls *c) {
  return &c->at[--c->num];
}

void calls_free(struct calls *c) {
  free(c->at);
  *c = (struct calls){0};
}
