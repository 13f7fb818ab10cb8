#pragma once
/* Locks of all sorts, in the same terms: how often threads got one, found it taken, gave up, how
   long they were blocked, how long they had it. First the events in their order, then the counts,
   then locks_end, then ask.

   Where only what had to wait has lines (options locks=waits, threshold; monitors), every pair is
   one that found its lock taken. Where all have (locks=all; semaphores), it is one that names an
   owner, or within which the lock was released: whoever waits is let in by a release. */
#include "tools/orca/model/base/tally.h"
#include "tools/orca/model/pass.h"
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
  const struct holders *holders;        /* of the pass */
  struct hashmap counts;                /* event and object -> the last count */
  ticks_t blocked;                      /* sum over all of them */
};

/* locks_start prepares empty locks. The holders, the matcher and the stacks must outlive them. */
void locks_start(struct locks *l, const struct holders *holders, struct matcher *matcher,
                 const struct stacks *stacks);

/* locks_pair takes a clipped pair that matches the filter; pairs that are no attempts to get a lock
   are ignored. `had_to_wait`: releases_had_to_wait. False: memory ran out. */
bool locks_pair(struct locks *l, const struct pair *pair, place_t place, bool had_to_wait);

/* locks_event takes the step of an event, after locks_pair took its pair; events that are not about
   locks are ignored. locks_count takes a count that matches. False: memory ran out. */
bool locks_event(struct locks *l, const struct step *step);
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
