#pragma once
// The queue, with a function that only tests need.
#include "agent/queue/queue.h"

#ifdef __cplusplus
extern "C" {
#endif

// queue_set_position sets the positions of an empty lane, as if it had passed so many records.
void queue_set_position(struct queue *q, unsigned lane, unsigned position);

#ifdef __cplusplus
}
#endif
