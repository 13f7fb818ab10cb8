#include "tests/agent/queue/queue_at.h"

#include "agent/queue/queue.c" /* for struct queue */

void queue_set_place(struct queue *q, unsigned lane, unsigned place) {
  ck_ring_t *ring = &q->lanes[lane].ring;
  ring->c_head = ring->p_tail = ring->p_head = place;
}
