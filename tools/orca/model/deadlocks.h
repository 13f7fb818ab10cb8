#pragma once
/* Deadlocks: threads that wait for locks, of one sort or of several, each for one that the next one
   has, or for the end of the next one (Thread.join), in a ring. */
#include "tools/orca/model/state/holders.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The rings that were found, one behind the other: a link is an attempt to get a lock, or a join,
   that never ended, and `ring` numbers the rings from 0. The owner of a link is the thread of the
   next one in its ring, and of the last one that of the first. */
struct deadlock_link {
  size_t ring;
  struct pair pair;
  uint32_t owner;
  stack_id_t owner_stack; /* where the owner got the lock; 0: not known, or a join */
  ticks_t owner_since;    /* when; 0: not known */
};

/* All zero is none; deadlocks_free gives the memory back. */
struct deadlocks {
  struct deadlock_link *links;
  size_t num, capacity;
  size_t num_rings;
};

/* deadlocks_find looks among the pairs that never ended, but for those that give up by themselves
   (deadlocks_waits). Who has a lock is told by `holders`, else by the pair (last_owner); where
   neither does, that breaks a ring. False: memory ran out. */
bool deadlocks_find(struct deadlocks *out, const struct pairs *pairs, const struct holders *holders,
                    const struct dump *d, const struct stacks *stacks);

/* deadlocks_waits tells whether a pair is about another thread, for as long as that takes: an
   attempt to get a lock, or a join, without a time limit. */
bool deadlocks_waits(const struct pair *pair, const struct dump *d, const struct stacks *stacks);

/* deadlocks_keep drops the rings without a link whose pair is wanted. */
void deadlocks_keep(struct deadlocks *d, bool (*wanted)(void *arg, const struct pair *pair),
                    void *arg);

void deadlocks_free(struct deadlocks *d);

#ifdef __cplusplus
}
#endif
