#pragma once
/* The locks that each thread holds now, as far as acquisitions and releases are recorded. */
#include "agent/base/extern_c.h"
#include "agent/base/hashmap.h"
#include "agent/base/text.h"
#include "tools/orca/model/state/stacks.h"

BEGIN_C

struct hold {
  uint64_t lock; /* a key that the caller defines */
  uint32_t thread;
  unsigned sort;        /* defined by the caller: a thread has one hold of each sort on a lock */
  uint32_t times;       /* acquisitions without their release; 0: a free slot */
  ticks_t since;        /* when the thread acquired the lock, or re-acquired it after a wait */
  ticks_t earlier_time; /* how long it held the lock before the last wait */
  bool away;            /* the thread released the lock for a wait */
  stack_id_t stack;     /* of the first acquisition */
  size_t next_of_lock, next_of_thread; /* slot of the next older hold, plus one; 0: none */
};

/* All zero is empty; holds_free frees the memory. A pointer to a hold is valid until the next
   holds_acquire. */
struct holds {
  struct hashmap locks, threads; /* lock, thread -> slot of its newest hold, plus one */
  struct hold *slots;
  size_t num, capacity;
  size_t spare; /* the first free slot, plus one; free slots are linked by next_of_lock */
};

/* holds_acquire adds a hold, or counts one more acquisition if the thread has this hold already.
   `stack` is the stack of the acquisition. Returns false when memory ran out. */
bool holds_acquire(struct holds *h, uint64_t lock, unsigned sort, uint32_t thread, ticks_t now,
                   stack_id_t stack);

/* holds_find returns the hold of a thread on a lock, NULL if it has none. */
struct hold *holds_find(const struct holds *h, uint64_t lock, unsigned sort, uint32_t thread);

/* holds_release removes a hold, however many acquisitions it counts. Returns its holds_time. */
ticks_t holds_release(struct holds *h, struct hold *hold, ticks_t now);

/* holds_pause: the thread releases the lock for a wait. holds_resume: the thread re-acquired it. */
void holds_pause(struct hold *hold, ticks_t now);
void holds_resume(struct hold *hold, ticks_t now);

/* holds_time returns for how long the lock was held up to `now`, without the time of waits. */
ticks_t holds_time(const struct hold *hold, ticks_t now);

/* holds_of_lock and holds_of_thread return the newest hold, NULL if there is none. holds_next_…
   returns the next older one, NULL after the last. */
struct hold *holds_of_lock(const struct holds *h, uint64_t lock);
struct hold *holds_next_of_lock(const struct holds *h, const struct hold *hold);
struct hold *holds_of_thread(const struct holds *h, uint32_t thread);
struct hold *holds_next_of_thread(const struct holds *h, const struct hold *hold);

/* holds_next returns the next of all holds, in no order, NULL after the last. Start with
   `*cursor` = 0. */
struct hold *holds_next(const struct holds *h, size_t *cursor);

void holds_free(struct holds *h);

END_C
