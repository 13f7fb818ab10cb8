#pragma once
// The queue, and a way into it that only a test needs.
#include "agent/queue/queue.h"

#ifdef __cplusplus
extern "C" {
#endif

// queue_set_place moves an empty lane's counters, as if so many records had gone through it.
void queue_set_place(struct queue *q, unsigned lane, unsigned place);

#ifdef __cplusplus
}
#endif
