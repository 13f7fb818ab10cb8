#include "agent/queue/queue.h"

#include <ck_pr.h>
#include <ck_ring.h>
#include <stdlib.h>
#include <string.h>

#include "agent/base/clock.h"
#include "agent/base/memory.h"
#include "agent/record/handover.h"

CK_RING_PROTOTYPE(record, record)

struct lane {
  ck_ring_t ring;
  struct record *slots;

  /* Writer thread only; see note_moment. complete_ns is the last result of queue_take. At
     `moment_ns` all positions before `moment_end` were reserved, but perhaps not filled. moment_ns
     0: no moment is pending. */
  uint64_t complete_ns, moment_ns;
  unsigned moment_end;
} CK_CC_CACHELINE;

/* Every push reads the first fields. They share a cache line that seldom changes. */
struct queue {
  unsigned num_lanes;
  unsigned half;      /* half of a lane's slots */
  bool writer_sleeps; /* atomic */
  void (*wake)(void *);
  void *wake_arg;
  struct lane lanes[];
};

struct queue *queue_new(unsigned num_lanes, unsigned slots, void (*wake)(void *), void *wake_arg) {
  size_t size = sizeof(struct queue) + num_lanes * sizeof(struct lane);
  size = (size + CK_MD_CACHELINE - 1) / CK_MD_CACHELINE * CK_MD_CACHELINE;
  struct queue *q = memory_new_aligned(CK_MD_CACHELINE, size);
  if (q == NULL) return NULL;
  memset(q, 0, size);
  *q =
      (struct queue){.num_lanes = num_lanes, .half = slots / 2, .wake = wake, .wake_arg = wake_arg};
  for (unsigned i = 0; i < num_lanes; i++) {
    struct lane *lane = &q->lanes[i];
    lane->slots = memory_map(slots * sizeof *lane->slots); /* time 0: the slot is not filled */
    if (lane->slots == NULL) {
      queue_free(q);
      return NULL;
    }
    ck_ring_init(&lane->ring, slots);
  }
  return q;
}

void queue_free(struct queue *q) {
  if (q == NULL) return;
  for (unsigned i = 0; i < q->num_lanes; i++)
    memory_unmap(q->lanes[i].slots, 2 * q->half * sizeof *q->lanes[i].slots);
  free(q);
}

unsigned queue_num_lanes(const struct queue *q) { return q->num_lanes; }

static void wake_writer(struct queue *q) {
  if (q->wake != NULL) q->wake(q->wake_arg);
}

uint64_t queue_push(struct queue *q, unsigned lane_index, const struct record *r) {
  struct lane *lane = &q->lanes[lane_index];
  unsigned ticket, used;
  struct record *slot =
      CK_RING_ENQUEUE_RESERVE_MPSC_SIZE(record, &lane->ring, lane->slots, &ticket, &used);
  if (slot == NULL) {
    wake_writer(q);
    return 0;
  }
  /* The slot is reserved before the clock is read (see note_moment), before the slot is filled, and
     before writer_sleeps is loaded (see queue_announce_sleep). On x86 this fence is free, because
     the reservation is an atomic operation. */
  ck_pr_fence_atomic_load();
  uint64_t time_ns = r->time_ns != 0 ? r->time_ns : clock_monotonic_ns();
  struct record filled = *r;
  filled.time_ns = 0;
  *slot = filled;
  HAND_OVER(lane);
  /* The time is stored last and marks the slot as filled. With concurrencykit's own commit, each
     producer would wait for the producer before it, which may not have a CPU. */
  __atomic_store_n(&slot->time_ns, time_ns, __ATOMIC_RELEASE);
  if (used == q->half) wake_writer(q);
  /* Only one of several producers that see the flag calls `wake`. */
  if (__atomic_load_n(&q->writer_sleeps, __ATOMIC_RELAXED) &&
      __atomic_exchange_n(&q->writer_sleeps, false, __ATOMIC_RELAXED)) {
    wake_writer(q);
  }
  return time_ns;
}

/* Takes the record of the next position, if its slot is filled. The slot is marked as not filled
   before the position is released to the producers. */
static bool take_record(struct lane *lane, struct record *out) {
  unsigned position = lane->ring.c_head;
  struct record *slot = &lane->slots[position & lane->ring.mask];
  uint64_t time_ns = __atomic_load_n(&slot->time_ns, __ATOMIC_ACQUIRE);
  if (time_ns == 0) return false;
  *out = *slot;
  __atomic_store_n(&slot->time_ns, 0, __ATOMIC_RELAXED);
  __atomic_store_n(&lane->ring.c_head, position + 1, __ATOMIC_RELEASE);
  return true;
}

/* Finds times for queue_take's `*out_complete_ns`. A producer reads the clock after it has reserved
   its position. So every position that is reserved after a moment gets a later time than that
   moment. Once all positions that were reserved at the moment have been taken, no record with an
   earlier time can follow. One moment is pending at a time. */
static void note_moment(struct lane *lane) {
  uint64_t now = clock_monotonic_ns();
  ck_pr_fence_memory(); /* reads the clock before p_head */
  if (lane->moment_ns != 0) return;
  lane->moment_ns = now;
  lane->moment_end = ck_pr_load_uint(&lane->ring.p_head);
}

size_t queue_take(struct queue *q, unsigned lane_index, struct record *out, size_t max,
                  uint64_t *out_complete_ns) {
  struct lane *lane = &q->lanes[lane_index];
  size_t n = 0;
  note_moment(lane);
  while (n < max && take_record(lane, &out[n])) n++;
  RECEIVE(lane);
  /* Positions count modulo 2^32. */
  if (lane->moment_ns != 0 && (int)(lane->ring.c_head - lane->moment_end) >= 0) {
    lane->complete_ns = lane->moment_ns;
    lane->moment_ns = 0;
  }
  *out_complete_ns = lane->complete_ns;
  return n;
}

/* --- sleep ----------------------------------------------------------------------------------- */

/* A producer first reserves a position and then loads writer_sleeps. The writer first stores
   writer_sleeps and then loads the positions. With this order on both sides, at least one of them
   sees the other's store, so no wake-up is lost. */
bool queue_announce_sleep(struct queue *q) {
  if (q->wake == NULL) return false;
  __atomic_store_n(&q->writer_sleeps, true, __ATOMIC_RELAXED);
  ck_pr_fence_memory();
  for (unsigned i = 0; i < q->num_lanes; i++) {
    const ck_ring_t *ring = &q->lanes[i].ring;
    if (ck_pr_load_uint(&ring->p_head) == ring->c_head) continue;
    queue_withdraw_sleep(q);
    return false;
  }
  return true;
}

void queue_withdraw_sleep(struct queue *q) {
  __atomic_store_n(&q->writer_sleeps, false, __ATOMIC_RELAXED);
}

struct table_size queue_size(const struct queue *q) {
  struct table_size size = {0, sizeof *q + q->num_lanes * sizeof *q->lanes};
  for (unsigned i = 0; i < q->num_lanes; i++) {
    const ck_ring_t *ring = &q->lanes[i].ring;
    unsigned taken = ck_pr_load_uint(&ring->c_head), reserved = ck_pr_load_uint(&ring->p_head);
    size.entries += reserved - taken;
    size.bytes += ck_ring_capacity(ring) * sizeof *q->lanes[i].slots;
  }
  return size;
}
