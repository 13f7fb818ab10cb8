#pragma once
/* Batches of sums of short waits. The agent writes all sums that it has at the same time: their
   lines follow each other by 0.1 ns. A batch tells of its calls only that they came after the batch
   before. */
#include "agent/base/extern_c.h"
#include "tools/orca/model/short_calls.h"

BEGIN_C

/* Lines that are so far apart are of two batches. A batch has some hundred lines. */
#define BATCH_GAP (1000 * TICKS_PER_NS)

#define BATCH_NO_BEGIN UINT64_MAX

struct batch_sum {
  uint32_t sum; /* index in live.sums: LIVE_LOCK, LIVE_SITE */
  struct short_calls calls;
};

struct batch {
  ticks_t begin; /* its calls are later: the end of the batch before, or when the threshold began to
                    leave out calls after that; BATCH_NO_BEGIN: not known */
  ticks_t end;   /* of the last line so far */
  struct batch_sum *sums;
  size_t num, capacity;
};

/* All zero, but for `last`, is no batches. batches_free frees the memory. */
struct batches {
  struct batch *rows; /* the oldest first */
  size_t num, capacity;
  ticks_t last; /* the end of the newest batch; before the first one the start of the recording, or
                   BATCH_NO_BEGIN */
};

/* batches_line takes the time of each line with a sum, in order. A line may begin a batch, whose
   calls are not before `earliest`; a time after the line tells nothing.
   batches_add adds a sum of the line to its batch. Both return false when memory ran out. */
bool batches_line(struct batches *b, ticks_t time, ticks_t earliest);
bool batches_add(struct batches *b, uint32_t sum, const struct short_calls *calls);

/* batches_forget frees the batches that ended before a time. */
void batches_forget(struct batches *b, ticks_t time);

void batches_free(struct batches *b);

END_C
