#include "tests/agent/queue/queue_at.h"

#include "agent/queue/queue.c" /* for struct queue */

void queue_set_position(struct queue *q, unsigned lane, unsigned position) {
  ck_ring_t *ring = &q->lanes[lane].ring;
  ring->c_head = ring->p_tail = ring->p_head = position;
}
