#include "agent/record/blocked.h"

#include <ck_ring.h>

#include "agent/base/clock.h"
#include "agent/base/memory.h"

#ifdef ORCA_TSAN /* see queue.c */
void __tsan_acquire(void *);
void __tsan_release(void *);
#define HAND_OVER(slot) __tsan_release(slot)
#define RECEIVE(slot) __tsan_acquire(slot)
#else
#define HAND_OVER(slot) ((void)0)
#define RECEIVE(slot) ((void)0)
#endif

struct blocked {
  struct blocked_on on;
  /* All atomic: */
  uint64_t over_ns; /* when blocked_end was called; 0: not yet */
  uint32_t parties; /* number of parties that have not released the slot; 0: it is free */
  uint32_t owner;
  bool written; /* the writer has read `owner` */
};

struct blocked_pool {
  ck_ring_t unseen; /* slots that blocked_watch has not returned yet */
  ck_ring_buffer_t unseen_slots[2 * BLOCKED_SLOTS];
  uint32_t next; /* where to look for a free slot first; atomic */
  struct blocked slots[BLOCKED_SLOTS];
};

struct blocked_pool *blocked_pool_new(void) {
  struct blocked_pool *p = memory_new_zeroed(1, sizeof *p);
  if (p != NULL) ck_ring_init(&p->unseen, 2 * BLOCKED_SLOTS);
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

void blocked_let_go(struct blocked *b) { __atomic_sub_fetch(&b->parties, 1, __ATOMIC_RELEASE); }

void blocked_share(struct blocked *b) { __atomic_add_fetch(&b->parties, 1, __ATOMIC_RELAXED); }

struct blocked *blocked_begin(struct blocked_pool *p, const struct blocked_on *on) {
  struct blocked *b = reserve_slot(p);
  if (b == NULL) return NULL;
  b->on = *on;
  __atomic_store_n(&b->owner, 0, __ATOMIC_RELAXED);
  __atomic_store_n(&b->written, false, __ATOMIC_RELAXED);
  __atomic_store_n(&b->over_ns, 0, __ATOMIC_RELAXED);
  /* The ring is never full: each slot is in it at most once, and it has twice as many places. */
  HAND_OVER(b);
  ck_ring_enqueue_mpsc(&p->unseen, p->unseen_slots, b);
  return b;
}

void blocked_end(struct blocked *b) {
  if (b == NULL) return;
  __atomic_store_n(&b->over_ns, clock_monotonic_ns(), __ATOMIC_RELEASE);
  blocked_let_go(b);
}

bool blocked_was_over(const struct blocked *b, uint64_t time_ns) {
  uint64_t over = __atomic_load_n(&b->over_ns, __ATOMIC_ACQUIRE);
  return over != 0 && over <= time_ns;
}

bool blocked_is_over(const struct blocked *b) { return blocked_was_over(b, UINT64_MAX); }

struct blocked *blocked_watch(struct blocked_pool *p) {
  void *b = NULL;
  if (!ck_ring_dequeue_mpsc(&p->unseen, p->unseen_slots, &b)) return NULL;
  RECEIVE(b);
  return b;
}

const struct blocked_on *blocked_on(const struct blocked *b) { return &b->on; }

/* blocked_answer stores `owner` and then loads `written`; blocked_take_owner stores `written` and
   then loads `owner`. So at least one of them sees the other's store. */
bool blocked_answer(struct blocked *b, uint32_t owner) {
  __atomic_store_n(&b->owner, owner, __ATOMIC_SEQ_CST);
  return !__atomic_load_n(&b->written, __ATOMIC_SEQ_CST);
}

uint32_t blocked_take_owner(struct blocked *b) {
  __atomic_store_n(&b->written, true, __ATOMIC_SEQ_CST);
  uint32_t owner = __atomic_load_n(&b->owner, __ATOMIC_SEQ_CST);
  blocked_let_go(b);
  return owner;
}
