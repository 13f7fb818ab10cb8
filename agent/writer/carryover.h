#pragma once
/* What stands at a moment: the threads that live, and where the sampler saw each last. A set of
   files begins with that, since what does not change has no line of its own. Memory goes by
   threads that live. Writer thread only. */
#include "agent/base/hashmap.h"
#include "agent/record/record.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A thread, or of several that share a hash one. */
struct carryover_thread {
  uint32_t hash;
  uint32_t next;       /* of the same hash, or of those without a thread; plus one */
  bool lives;          /* it has begun and not ended */
  bool sampled;        /* it stands in `state` and `stack` */
  uint8_t state;       /* enum thread_state */
  char *name;          /* as the files spell it, NULL: empty */
  uint64_t name_len;   /* bytes */
  struct stack *stack; /* shared, or a copy of its own; NULL: none */
};

/* All zero is empty; carryover_free gives the memory back. */
struct carryover {
  struct hashmap by_hash; /* hash -> its first thread, plus one; 0: none any more */
  struct carryover_thread *threads;
  size_t num, capacity;
  size_t spare; /* a place without a thread, plus one */
  size_t living, sampled;
  struct record tick; /* the last one; RECORD_TICK once there is one */
  bool failed;        /* memory ran out: a set would lack something */
};

/* carryover_follow takes note of a record, and copies what it needs of it. */
void carryover_follow(struct carryover *s, const struct record *r);

/* carryover_say hands out records that say it all again, at this time: each thread that lives, the
   last tick, each thread that is sampled. What they own is the receiver's (record_release). */
void carryover_say(struct carryover *s, uint64_t time_ns,
                   void (*receive)(void *arg, const struct record *r), void *arg);

void carryover_free(struct carryover *s);

#ifdef __cplusplus
}
#endif
