#pragma once
/* The queue from many producers to the writer thread. It consists of lanes: bounded rings of
   concurrencykit with many producers and one consumer. The number of lanes is fixed, so memory does
   not grow with the number of threads. A producer always uses the same lane, so its records stay in
   order. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "agent/base/extern_c.h"
#include "agent/record/record.h"
#include "agent/record/table_size.h"

BEGIN_C

struct queue;

/* queue_new makes a queue. `slots` is the size of a lane in records, a power of two. A producer
   calls `wake` when its lane becomes half full or is full, or when the writer sleeps. `wake` must
   be fast and callable from any thread; it may be NULL. Returns NULL without memory. The caller
   releases the queue with queue_free. */
struct queue *queue_new(unsigned num_lanes, unsigned slots, void (*wake)(void *), void *wake_arg);
void queue_free(struct queue *q);
unsigned queue_num_lanes(const struct queue *q);

/* queue_push copies `r` into the lane. If its time is 0, it sets the time of the copy to the
   current time. Returns the time of the copy (CLOCK_MONOTONIC, nanoseconds), or 0 when the lane is
   full. On success the writer thread owns the memory that `r` refers to. Never blocks and never
   calls the JVM. Any thread. */
uint64_t queue_push(struct queue *q, unsigned lane, const struct record *r);

/* queue_take moves up to `max` records from a lane to `out` and returns their number. All records
   of the lane whose time queue_push set to a time before `*out_complete_ns` have been taken by this
   or an earlier call. A record whose slot is reserved but not filled yet delays that time. Writer
   thread only. */
size_t queue_take(struct queue *q, unsigned lane, struct record *out, size_t max,
                  uint64_t *out_complete_ns);

/* queue_size returns the records in all lanes and the memory of the lanes. */
struct table_size queue_size(const struct queue *q);

/* queue_announce_sleep announces that the writer is about to sleep: the next push calls `wake`,
   once. Returns false when a lane contains a record, or when there is no `wake`; the writer must
   not sleep then. Writer thread only. */
bool queue_announce_sleep(struct queue *q);

/* queue_withdraw_sleep withdraws the announcement, after the sleep. Writer thread only. */
void queue_withdraw_sleep(struct queue *q);

END_C
