#pragma once
/* Locks of all sorts, in the same terms: how often threads got one, found it taken, gave up, how
   long they were blocked, how long they had it. First the events in their order, then the counts,
   then locks_end, then ask.

   Where only what had to wait has lines (options locks=waits, threshold; monitors), every pair is
   one that found its lock taken. Where all have (locks=all; semaphores), it is one that names an
   owner, or within which the lock was released: whoever waits is let in by a release. */
#include "tools/orca/model/base/tally.h"
#include "tools/orca/model/filter.h"
#include "tools/orca/model/state/holders.h"

#ifdef __cplusplus
extern "C" {
#endif

struct lock {
  uint32_t id; /* the group of this lock in the tallies */
  enum lock_sort sort;
  uint32_t object;      /* 0: several, of one class (locks_by_class) */
  uint32_t class_id;    /* of locks_by_class, as is: */
  uint64_t num_objects; /* with this class */
  bool acquired_known;
  uint64_t acquired;
  uint64_t waited; /* attempts that found it taken, failed and open ones too */
  uint64_t failed; /* attempts that came to nothing */
  uint64_t open;   /* threads that wait for it when the recording ends */
  uint64_t known_owners;
  ticks_t blocked, longest_blocked;
  uint64_t holds; /* 0: not known */
  ticks_t held, longest_held;
  uint64_t lines; /* acquisitions that have one */
};

/* All zero is empty; locks_free gives the memory back. */
struct locks {
  struct matcher *matcher; /* the caller's */
  const struct stacks *stacks;
  struct hashmap ids; /* sort and object -> row plus one */
  struct lock *rows;
  size_t num, capacity;
  size_t num_ids;                       /* ids are below it */
  struct tally threads, owners, places; /* by lock, of those who waited: hash, hash, place_t */
  struct tally holds;                   /* by lock: hash of who had it */
  struct tally times;                   /* by lock: nanoseconds blocked, by histogram_round */
  struct holders holders;
  struct hashmap counts;   /* event and object -> the last count */
  struct hashmap releases; /* sort and object -> when it was last left */
  ticks_t blocked;         /* sum over all of them */
};

/* locks_start takes what the options say, and what is asked for; the stacks are for that. Both have
   to outlive the locks. */
void locks_start(struct locks *l, const struct dump *d, struct matcher *matcher,
                 const struct stacks *stacks);

/* locks_pair takes a pair that is asked for, before the event that ends it; `*out_waited` is
   whether it stands for a wait: false for an acquisition that found its lock free, true for what is
   about no lock. False: memory ran out. */
bool locks_pair(struct locks *l, const struct pair *pair, place_t place, bool *out_waited);

/* Each of these takes one more thing; what is about no lock is nothing to them. False: memory ran
   out. An event whose time is clipped is not asked for, but may end what is. */
bool locks_event(struct locks *l, const struct dump *d, const struct event_line *line,
                 stack_id_t stack, bool asked);
bool locks_count(struct locks *l, const struct count_line *line);

/* locks_end ends the adding: the lock that threads were blocked on longest comes first. The holders
   stay as they were. False: memory ran out. */
bool locks_end(struct locks *l, ticks_t end);

/* locks_by_class puts into the empty `*out` what `l` has by object, by sort and class; behind
   locks_end. Of `out` only the rows and the tallies by lock mean something. False: memory ran out.
 */
bool locks_by_class(const struct locks *l, const struct dump *d, struct locks *out);

/* locks_class is the class of a lock's object, the first where several share the hash; 0: not
 * known.
 */
uint32_t locks_class(const struct dump *d, uint32_t object);

/* locks_quantile gives how many nanoseconds `permille` of the waits for a lock were not above,
   within 1.6 %; 0 where none was. */
uint64_t locks_quantile(const struct locks *l, const struct lock *lock, unsigned permille);

/* locks_attempts is how often threads asked for it, where the acquisitions are known. */
static inline uint64_t locks_attempts(const struct lock *lock) {
  return lock->acquired + lock->failed + lock->open;
}

/* locks_names_owners tells whether those who are known to have had it while others waited are worth
   naming. Of a semaphore that several threads have at a time, hardly ever one alone is known. */
static inline bool locks_names_owners(const struct lock *lock) {
  if (lock->sort != LOCK_SEMAPHORE) return lock->known_owners > 0;
  return lock->known_owners > lock->waited / 2;
}

void locks_free(struct locks *l);

#ifdef __cplusplus
}
#endif
