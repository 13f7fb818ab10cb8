#pragma once
/* Who has which lock at this moment, as far as it is recorded that threads get and leave them. */
#include "agent/base/hashmap.h"
#include "agent/base/text.h"
#include "tools/orca/model/state/stacks.h"

#ifdef __cplusplus
extern "C" {
#endif

struct hold {
  uint64_t lock; /* a key of the caller's */
  uint32_t thread;
  unsigned sort; /* as the caller sorts holds of one lock: a thread has one of each */
  uint32_t times;
  ticks_t since;  /* when it got the lock, or got it back */
  ticks_t before; /* how long it had it until it gave it away for a wait */
  bool away;      /* others may have it now */
  stack_id_t stack;
  size_t next_of_lock, next_of_thread; /* plus one; the first is the newest */
};

/* All zero is empty; holds_free gives the memory back. */
struct holds {
  struct hashmap locks, threads; /* lock, thread -> its newest hold plus one */
  struct hold *slots;
  size_t num, capacity;
  size_t spare; /* a slot without a hold, plus one */
};

/* holds_get: the thread has the lock, once more where it had it. False: memory ran out. */
bool holds_get(struct holds *h, uint64_t lock, unsigned sort, uint32_t thread, ticks_t now,
               stack_id_t stack);

/* holds_find is the hold of a thread on a lock, NULL where it has none. */
struct hold *holds_find(const struct holds *h, uint64_t lock, unsigned sort, uint32_t thread);

/* holds_leave takes the hold away, however often the thread got it; gives how long it was had. */
ticks_t holds_leave(struct holds *h, struct hold *hold, ticks_t now);

/* holds_pause: its thread gives the lock away and waits; holds_resume: it has it back. */
void holds_pause(struct hold *hold, ticks_t now);
void holds_resume(struct hold *hold, ticks_t now);

/* How long it was had up to now. */
ticks_t holds_time(const struct hold *hold, ticks_t now);

/* Walks, newest first: holds_of_lock and holds_of_thread give the first, NULL where there is none;
   holds_next_… the one behind. */
struct hold *holds_of_lock(const struct holds *h, uint64_t lock);
struct hold *holds_next_of_lock(const struct holds *h, const struct hold *hold);
struct hold *holds_of_thread(const struct holds *h, uint32_t thread);
struct hold *holds_next_of_thread(const struct holds *h, const struct hold *hold);

/* holds_next walks over all of them in no order; start with `*cursor` = 0. */
struct hold *holds_next(const struct holds *h, size_t *cursor);

void holds_free(struct holds *h);

#ifdef __cplusplus
}
#endif
