#include "agent/record/blocked.h"

#include <ck_stack.h>

#include "agent/base/clock.h"
#include "agent/base/memory.h"
#include "agent/record/handover.h"

struct blocked {
  ck_stack_entry_t link; /* comes first, so that a link is a slot */
  struct blocked_on on;
  /* All atomic: */
  uint64_t over_ns; /* when blocked_end was called; 0: not yet */
  uint32_t parties; /* number of parties that have not released the slot; 0: it is free */
  uint32_t owner;
  bool written; /* the writer has read `owner` */
};

struct blocked_pool {
  /* Slots that the watch has not taken yet, newest first. This is a stack because a push never
     waits for another thread. In concurrencykit's ring each producer spins until the producers
     before it have committed, and one of those may have been preempted. */
  ck_stack_t unseen;
  struct blocked *oldest; /* slots that the watch took off the stack, oldest first; watch only */
  uint32_t next;          /* where to look for a free slot first; atomic */
  struct blocked slots[BLOCKED_SLOTS];
};

struct blocked_pool *blocked_pool_new(void) {
  struct blocked_pool *p = memory_new_zeroed(1, sizeof *p);
  if (p != NULL) ck_stack_init(&p->unseen);
  return p;
}

/* Reserves a free slot for three parties. It looks at only 16 slots: when all of them are in use,
   few others are free. */
static struct blocked *reserve_slot(struct blocked_pool *p) {
  for (int tries = 0; tries < 16; tries++) {
    uint32_t i = __atomic_fetch_add(&p->next, 1, __ATOMIC_RELAXED) % BLOCKED_SLOTS;
    uint32_t free_slot = 0;
    if (__atomic_compare_exchange_n(&p->slots[i].parties, &free_slot, 3, false, __ATOMIC_ACQUIRE,
                                    __ATOMIC_RELAXED)) {
      return &p->slots[i];
    }
  }
  return NULL;
}

void blocked_release(struct blocked *b) { __atomic_sub_fetch(&b->parties, 1, __ATOMIC_RELEASE); }

void blocked_add_party(struct blocked *b) { __atomic_add_fetch(&b->parties, 1, __ATOMIC_RELAXED); }

struct blocked *blocked_begin(struct blocked_pool *p, const struct blocked_on *on) {
  struct blocked *b = reserve_slot(p);
  if (b == NULL) return NULL;
  b->on = *on;
  __atomic_store_n(&b->owner, 0, __ATOMIC_RELAXED);
  __atomic_store_n(&b->written, false, __ATOMIC_RELAXED);
  __atomic_store_n(&b->over_ns, 0, __ATOMIC_RELAXED);
  HAND_OVER(b);
  /* No slot is on the stack twice: it becomes free only after the watch has released it. */
  ck_stack_push_upmc(&p->unseen, &b->link);
  return b;
}

void blocked_end(struct blocked *b) {
  if (b == NULL) return;
  __atomic_store_n(&b->over_ns, clock_monotonic_ns(), __ATOMIC_RELEASE);
  blocked_release(b);
}

bool blocked_was_over(const struct blocked *b, uint64_t time_ns) {
  uint64_t over = __atomic_load_n(&b->over_ns, __ATOMIC_ACQUIRE);
  return over != 0 && over <= time_ns;
}

bool blocked_is_over(const struct blocked *b) { return blocked_was_over(b, UINT64_MAX); }

static struct blocked *get_slot(ck_stack_entry_t *link) { return (struct blocked *)(void *)link; }

/* Takes all slots off the stack at once. Returns the oldest; `link` leads to newer ones. */
static struct blocked *take_unseen(struct blocked_pool *p) {
  struct blocked *oldest = NULL;
  ck_stack_entry_t *newest = ck_stack_batch_pop_upmc(&p->unseen);
  for (ck_stack_entry_t *next; newest != NULL; newest = next) {
    struct blocked *b = get_slot(newest);
    RECEIVE(b);
    next = newest->next;
    b->link.next = oldest == NULL ? NULL : &oldest->link;
    oldest = b;
  }
  return oldest;
}

struct blocked *blocked_take_unseen(struct blocked_pool *p) {
  if (p->oldest == NULL) p->oldest = take_unseen(p);
  struct blocked *b = p->oldest;
  if (b != NULL) p->oldest = get_slot(b->link.next);
  return b;
}

const struct blocked_on *blocked_on(const struct blocked *b) { return &b->on; }

/* blocked_set_owner stores `owner` and then loads `written`; blocked_take_owner stores `written`
   and then loads `owner`. So at least one of them sees the other's store. */
bool blocked_set_owner(struct blocked *b, uint32_t owner) {
  __atomic_store_n(&b->owner, owner, __ATOMIC_SEQ_CST);
  return !__atomic_load_n(&b->written, __ATOMIC_SEQ_CST);
}

uint32_t blocked_owner(const struct blocked *b) {
  return __atomic_load_n(&b->owner, __ATOMIC_RELAXED);
}

uint32_t blocked_take_owner(struct blocked *b) {
  __atomic_store_n(&b->written, true, __ATOMIC_SEQ_CST);
  uint32_t owner = __atomic_load_n(&b->owner, __ATOMIC_SEQ_CST);
  blocked_release(b);
  return owner;
}
