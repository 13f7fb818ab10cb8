#include "agent/queue/queue.h"

#include <ck_pr.h>
#include <ck_ring.h>
#include <stdlib.h>
#include <string.h>

#include "agent/base/clock.h"
#include "agent/base/memory.h"

CK_RING_PROTOTYPE(record, record)

/* concurrencykit synchronises in assembly, which ThreadSanitizer does not see: this file is
   compiled without it (.bazelrc) and says by hand what is handed over. */
#ifdef ORCA_TSAN
void __tsan_acquire(void *);
void __tsan_release(void *);
#define HAND_OVER(lane) __tsan_release(lane)
#define RECEIVE(lane) __tsan_acquire(lane)
#else
#define HAND_OVER(lane) ((void)0)
#define RECEIVE(lane) ((void)0)
#endif

struct lane {
  ck_ring_t ring;
  struct record *slots;

  /* Writer thread only. All places before `seen` were taken, though not filled, at `seen_ns`. */
  uint64_t complete_ns, seen_ns;
  unsigned seen;
} CK_CC_CACHELINE;

/* What every push reads shares a line of the cache, which hardly ever changes. */
struct queue {
  unsigned num_lanes;
  unsigned half;      /* of a lane's slots */
  bool writer_sleeps; /* atomic */
  void (*wake)(void *);
  void *wake_arg;
  struct lane lanes[];
};

static bool lane_start(struct lane *lane, unsigned slots) {
  lane->slots = memory_new_aligned(CK_MD_CACHELINE, slots * sizeof *lane->slots);
  if (lane->slots == NULL) return false;
  memset(lane->slots, 0, slots * sizeof *lane->slots); /* no time: not filled */
  ck_ring_init(&lane->ring, slots);
  return true;
}

struct queue *queue_new(unsigned num_lanes, unsigned slots, void (*wake)(void *), void *wake_arg) {
  size_t size = sizeof(struct queue) + num_lanes * sizeof(struct lane);
  size = (size + CK_MD_CACHELINE - 1) / CK_MD_CACHELINE * CK_MD_CACHELINE;
  struct queue *q = memory_new_aligned(CK_MD_CACHELINE, size);
  if (q == NULL) return NULL;
  memset(q, 0, size);
  *q =
      (struct queue){.num_lanes = num_lanes, .half = slots / 2, .wake = wake, .wake_arg = wake_arg};
  for (unsigned i = 0; i < num_lanes; i++) {
    if (lane_start(&q->lanes[i], slots)) continue;
    queue_free(q);
    return NULL;
  }
  return q;
}

void queue_free(struct queue *q) {
  if (q == NULL) return;
  for (unsigned i = 0; i < q->num_lanes; i++) free(q->lanes[i].slots);
  free(q);
}

unsigned queue_num_lanes(const struct queue *q) { return q->num_lanes; }

static void wake(struct queue *q) {
  if (q->wake != NULL) q->wake(q->wake_arg);
}

/* Of several producers that find the writer asleep one wakes it. */
static void wake_sleeper(struct queue *q) {
  if (__atomic_exchange_n(&q->writer_sleeps, false, __ATOMIC_RELAXED)) wake(q);
}

uint64_t queue_push(struct queue *q, unsigned lane_index, const struct record *r) {
  struct lane *lane = &q->lanes[lane_index];
  unsigned ticket, used;
  struct record *slot =
      CK_RING_ENQUEUE_RESERVE_MPSC_SIZE(record, &lane->ring, lane->slots, &ticket, &used);
  if (slot == NULL) {
    wake(q);
    return 0;
  }
  /* The clock is read with the place already taken: see note_moment. */
  uint64_t now = clock_monotonic_ns();
  struct record filled = *r;
  filled.time_ns = 0;
  *slot = filled;
  HAND_OVER(lane);
  /* The time comes last: it is the mark that the slot is filled. concurrencykit's own commit would
     have each producer wait for the one before it, which may have lost its CPU. */
  __atomic_store_n(&slot->time_ns, now, __ATOMIC_RELEASE);
  if (used == q->half) wake(q);
  ck_pr_fence_atomic_load(); /* the place was taken before this look: see queue_sleep */
  if (__atomic_load_n(&q->writer_sleeps, __ATOMIC_RELAXED)) wake_sleeper(q);
  return now;
}

/* Takes the record out of the next place, if that is filled. The place is empty again before a
   producer may see that it is free. */
static bool take_one(struct lane *lane, struct record *out) {
  unsigned place = lane->ring.c_head;
  struct record *slot = &lane->slots[place & lane->ring.mask];
  uint64_t time_ns = __atomic_load_n(&slot->time_ns, __ATOMIC_ACQUIRE);
  if (time_ns == 0) return false;
  *out = *slot;
  __atomic_store_n(&slot->time_ns, 0, __ATOMIC_RELAXED);
  __atomic_store_n(&lane->ring.c_head, place + 1, __ATOMIC_RELEASE);
  return true;
}

/* Is place `a` behind place `b`, or the same? Places are counted modulo 2^32. */
static bool reached(unsigned a, unsigned b) { return (int)(a - b) >= 0; }

/* A producer reads its clock after it took its place. So what is not among the places that were
   taken at some moment is stamped later than that moment; and once those places have all been
   emptied, nothing older can come. Moments are noted one at a time: `seen`. */
static void note_moment(struct lane *lane) {
  uint64_t now = clock_monotonic_ns();
  ck_pr_fence_memory(); /* the clock first, then the places */
  if (lane->seen_ns != 0) return;
  lane->seen_ns = now;
  lane->seen = ck_pr_load_uint(&lane->ring.p_head);
}

static void check_moment(struct lane *lane) {
  if (lane->seen_ns == 0 || !reached(lane->ring.c_head, lane->seen)) return;
  lane->complete_ns = lane->seen_ns;
  lane->seen_ns = 0;
}

size_t queue_take(struct queue *q, unsigned lane_index, struct record *out, size_t max,
                  uint64_t *out_complete_ns) {
  struct lane *lane = &q->lanes[lane_index];
  size_t n = 0;
  note_moment(lane);
  while (n < max && take_one(lane, &out[n])) n++;
  RECEIVE(lane);
  check_moment(lane);
  *out_complete_ns = lane->complete_ns;
  return n;
}

/* --- sleep ----------------------------------------------------------------------------------- */

/* The producer takes a place, then looks whether the writer sleeps; the writer says that it sleeps,
   then looks whether a place was taken. Each does the two in this order, so at least one of them
   sees the other. The producer's order costs nothing on x86, where taking a place is a fence. */
bool queue_sleep(struct queue *q) {
  if (q->wake == NULL) return false;
  __atomic_store_n(&q->writer_sleeps, true, __ATOMIC_RELAXED);
  ck_pr_fence_memory();
  for (unsigned i = 0; i < q->num_lanes; i++) {
    const ck_ring_t *ring = &q->lanes[i].ring;
    if (ck_pr_load_uint(&ring->p_head) == ring->c_head) continue;
    queue_awake(q);
    return false;
  }
  return true;
}

void queue_awake(struct queue *q) { __atomic_store_n(&q->writer_sleeps, false, __ATOMIC_RELAXED); }
