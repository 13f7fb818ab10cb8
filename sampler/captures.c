#include "sampler/captures.h"

#include <ck_stack.h>
#include <stdlib.h>

#include "agent/base/memory.h"
#include "agent/record/handover.h"

_Static_assert(sizeof(struct capture) <= 128 * 1024, "a capture takes 128 KiB");
_Static_assert(sizeof(ck_stack_entry_t) == sizeof(void *), "`next` is the link of ck's stack");

struct captures {
  ck_stack_t unused, filled;
  struct capture *all;
  size_t num;
  size_t num_begun; /* the first ones of `all` that have been used; atomic */
};

static ck_stack_entry_t *get_link(struct capture *c) { return (ck_stack_entry_t *)(void *)c; }

struct captures *captures_new(size_t num) {
  struct captures *c = memory_new_aligned(64, (sizeof *c + 63) / 64 * 64);
  if (c == NULL) return NULL;
  ck_stack_init(&c->unused);
  ck_stack_init(&c->filled);
  c->num = num;
  c->num_begun = 0;
  c->all = memory_map(num * sizeof *c->all);
  if (c->all != NULL) return c;
  free(c);
  return NULL;
}

void captures_free(struct captures *c) {
  if (c == NULL) return;
  memory_unmap(c->all, c->num * sizeof *c->all);
  free(c);
}

/* Returns a capture that nobody has used yet; NULL: there is none. */
static struct capture *begin_another(struct captures *c) {
  size_t i = __atomic_load_n(&c->num_begun, __ATOMIC_RELAXED);
  while (i < c->num && !__atomic_compare_exchange_n(&c->num_begun, &i, i + 1, false,
                                                    __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
  }
  return i < c->num ? &c->all[i] : NULL;
}

/* The link of a capture touches a page of it. So a capture gets one only after its first use, and
   while few captures are in use, few pages are. */
struct capture *captures_take(struct captures *c) {
  struct capture *unused = (struct capture *)(void *)ck_stack_pop_mpmc(&c->unused);
  if (unused == NULL) return begin_another(c);
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
