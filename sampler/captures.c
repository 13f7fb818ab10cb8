#include "sampler/captures.h"

#include <ck_stack.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "agent/base/memory.h"
#include "agent/record/handover.h"

_Static_assert(sizeof(struct capture) <= 128 * 1024, "a capture takes 128 KiB");
_Static_assert(sizeof(ck_stack_entry_t) == sizeof(void *), "`next` is the link of ck's stack");

struct captures {
  ck_stack_t unused, filled;
  struct capture *all;
  size_t num;
};

static ck_stack_entry_t *get_link(struct capture *c) { return (ck_stack_entry_t *)(void *)c; }

struct captures *captures_new(size_t num) {
  struct captures *c = memory_new_aligned(64, (sizeof *c + 63) / 64 * 64);
  if (c == NULL) return NULL;
  ck_stack_init(&c->unused);
  ck_stack_init(&c->filled);
  c->num = num;
  c->all = mmap(NULL, num * sizeof *c->all, PROT_READ | PROT_WRITE,
                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (c->all == MAP_FAILED) {
    free(c);
    return NULL;
  }
  /* captures_take pops the capture that was pushed last. This order keeps the used pages few while
     few captures are in use. */
  for (size_t i = num; i > 0; i--) ck_stack_push_spnc(&c->unused, get_link(&c->all[i - 1]));
  return c;
}

void captures_free(struct captures *c) {
  if (c == NULL) return;
  munmap(c->all, c->num * sizeof *c->all);
  free(c);
}

struct capture *captures_take(struct captures *c) {
  struct capture *unused = (struct capture *)(void *)ck_stack_pop_mpmc(&c->unused);
  RECEIVE(&c->unused);
  return unused;
}

void captures_put(struct captures *c, struct capture *filled) {
  HAND_OVER(&c->filled);
  ck_stack_push_mpmc(&c->filled, get_link(filled));
}

struct capture *captures_take_filled(struct captures *c) {
  struct capture *newest = (struct capture *)(void *)ck_stack_batch_pop_mpmc(&c->filled);
  struct capture *oldest = NULL;
  RECEIVE(&c->filled);
  while (newest != NULL) {
    struct capture *older = newest->next;
    newest->next = oldest;
    oldest = newest;
    newest = older;
  }
  return oldest;
}

void captures_return(struct captures *c, struct capture *done) {
  HAND_OVER(&c->unused);
  ck_stack_push_mpmc(&c->unused, get_link(done));
}
