#pragma once
/* The way from many threads to the writer: a few lanes, each a bounded ring of concurrencykit
   (many producers, one consumer). The number of lanes is fixed, so that memory does not grow with
   the number of threads; a thread keeps to one lane, so that its own records stay in order. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "agent/record/record.h"

#ifdef __cplusplus
extern "C" {
#endif

struct queue;

/* queue_new: `slots` is a power of two. `wake` (may be NULL) is called by a producer that finds a
   lane half full or the writer asleep; it has to be quick and safe from any thread. NULL without
   memory. */
struct queue *queue_new(unsigned num_lanes, unsigned slots, void (*wake)(void *), void *wake_arg);
void queue_free(struct queue *q);
unsigned queue_num_lanes(const struct queue *q);

/* queue_push stamps a copy of `r` with the time at which it takes its place in the lane, and
   returns that; 0 when the lane is full. Never blocks, calls nothing of the JVM. Any thread. */
uint64_t queue_push(struct queue *q, unsigned lane, const struct record *r);

/* queue_take moves up to `max` records of a lane to `out`. `*out_complete_ns` becomes a time before
   which every record of the lane has been taken, now or earlier: a record whose place is taken but
   not yet filled holds it back. Writer thread only. */
size_t queue_take(struct queue *q, unsigned lane, struct record *out, size_t max,
                  uint64_t *out_complete_ns);

/* queue_sleep: the writer is about to sleep, and the next push shall call `wake`, once. False:
   there is something in a lane already, or no `wake`; then it must not sleep. queue_awake, after a
   sleep, takes that back. Writer thread only. */
bool queue_sleep(struct queue *q);
void queue_awake(struct queue *q);

#ifdef __cplusplus
}
#endif
