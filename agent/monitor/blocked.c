#include "agent/monitor/blocked.h"

#include <ck_ring.h>
#include <stdlib.h>

#ifdef ORCA_TSAN /* see queue.c */
void __tsan_acquire(void *);
void __tsan_release(void *);
#define HAND_OVER(slot) __tsan_release(slot)
#define RECEIVE(slot) __tsan_acquire(slot)
#else
#define HAND_OVER(slot) ((void)0)
#define RECEIVE(slot) ((void)0)
#endif

/* More threads than this that block at once, and longer than a moment, have no owner asked for. */
#define NUM_SLOTS 4096

struct blocked {
  void *monitor;
  uint64_t since_ns;
  uint32_t parties; /* that still need the slot; 0: free. Atomic, as the next two */
  uint32_t owner;
  bool over;
};

struct blocked_pool {
  ck_ring_t unseen; /* slots that the watch has not seen yet */
  ck_ring_buffer_t unseen_slots[2 * NUM_SLOTS];
  uint32_t next; /* where to look for a free slot first; atomic */
  struct blocked slots[NUM_SLOTS];
};

struct blocked_pool *blocked_pool_new(void) {
  struct blocked_pool *p = calloc(1, sizeof *p);
  if (p != NULL) ck_ring_init(&p->unseen, 2 * NUM_SLOTS);
  return p;
}

/* A free slot, taken for three parties. Few are looked at: if those are taken, most are. */
static struct blocked *take(struct blocked_pool *p) {
  for (int tries = 0; tries < 16; tries++) {
    uint32_t i = __atomic_fetch_add(&p->next, 1, __ATOMIC_RELAXED) % NUM_SLOTS;
    uint32_t free_slot = 0;
    if (__atomic_compare_exchange_n(&p->slots[i].parties, &free_slot, 3, false, __ATOMIC_ACQUIRE,
                                    __ATOMIC_RELAXED)) {
      return &p->slots[i];
    }
  }
  return NULL;
}

static void let_go(struct blocked *b) { __atomic_sub_fetch(&b->parties, 1, __ATOMIC_RELEASE); }

struct blocked *blocked_begin(struct blocked_pool *p, void *monitor, uint64_t now_ns) {
  struct blocked *b = take(p);
  if (b == NULL) return NULL;
  b->monitor = monitor;
  b->since_ns = now_ns;
  b->owner = 0;
  __atomic_store_n(&b->over, false, __ATOMIC_RELAXED);
  /* There is room: a slot is in the ring at most once, and the ring holds twice as many. */
  HAND_OVER(b);
  ck_ring_enqueue_mpsc(&p->unseen, p->unseen_slots, b);
  return b;
}

void blocked_end(struct blocked *b) {
  if (b == NULL) return;
  __atomic_store_n(&b->over, true, __ATOMIC_RELEASE);
  let_go(b);
}

bool blocked_is_over(const struct blocked *b) {
  return __atomic_load_n(&b->over, __ATOMIC_ACQUIRE);
}

struct blocked *blocked_watch(struct blocked_pool *p) {
  void *b = NULL;
  if (!ck_ring_dequeue_mpsc(&p->unseen, p->unseen_slots, &b)) return NULL;
  RECEIVE(b);
  return b;
}

void *blocked_monitor(const struct blocked *b) { return b->monitor; }

uint64_t blocked_since_ns(const struct blocked *b) { return b->since_ns; }

void blocked_watched(struct blocked *b, uint32_t owner) {
  __atomic_store_n(&b->owner, owner, __ATOMIC_RELEASE);
  let_go(b);
}

uint32_t blocked_take_owner(struct blocked *b) {
  uint32_t owner = __atomic_load_n(&b->owner, __ATOMIC_ACQUIRE);
  let_go(b);
  return owner;
}
