#pragma once
// The queue, with a function that only tests need.
#include "agent/base/extern_c.h"
#include "agent/queue/queue.h"

BEGIN_C

// queue_set_position sets the positions of an empty lane, as if it had passed so many records.
void queue_set_position(struct queue *q, unsigned lane, unsigned position);

END_C
