#pragma once
/* Statistics of locks of all sorts: acquisitions, contended acquisitions, failed attempts, blocked
   time, and how long threads held the lock.

   Some options record only contended acquisitions (locks=waits, threshold; monitors). Then every
   pair is contended. Otherwise (locks=all; semaphores) releases_had_to_wait decides.

   Contended attempts that were shorter than the threshold have no lines, but sums (short_calls.h).
   Counts and times of a lock, and its places, contain them. What is known of single waits does not:
   threads, owners, failures. */
#include "agent/base/extern_c.h"
#include "tools/orca/model/base/tally.h"
#include "tools/orca/model/pass.h"
#include "tools/orca/model/short_calls.h"
#include "tools/orca/model/state/holders.h"

BEGIN_C

struct lock {
  uint32_t id; /* the group of this lock in the tallies */
  enum lock_sort sort;
  uint32_t object;        /* 0: several objects (locks_by_class, locks_by_place), or is_several */
  bool is_several;        /* of sums of short calls that have no object: of locks that are not told
                             apart */
  uint32_t class_id;      /* only set by locks_by_class and locks_by_place */
  uint64_t num_objects;   /* only set by locks_by_class and locks_by_place */
  bool acquired_known;    /* `acquired` is known */
  bool acquired_is_least; /* there may be more: with a threshold, acquisitions of a j.u.c. lock need
                             not be counted before the first wait for it, and a full table of counts
                             has no room for a lock */
  uint64_t acquired;      /* acquisitions */
  uint64_t waited;        /* contended attempts, failed and open ones included */
  bool waited_is_least;   /* more of its waits may be in the row with is_several */
  uint64_t failed;        /* of `waited`: attempts that did not acquire the lock */
  uint64_t open;          /* of `waited`: attempts that had not ended when the recording did */
  uint64_t older;         /* of `waited`: began before the recording, so they took longer */
  uint64_t known_owners;  /* of `waited`: attempts whose owner is known */
  ticks_t blocked, longest_blocked;
  uint64_t long_waits;            /* of `waited`: took at least the threshold */
  ticks_t long_blocked;           /* of `blocked`: these took so long */
  struct short_calls short_waits; /* of `waited` and `blocked`: have no lines of their own */
  /* Short calls that are not in `waited` and `blocked`, because it is not known which of them had
     to wait: those of semaphores, and with locks=all. */
  struct short_calls short_others;
  uint64_t holds; /* how often a thread held it until its last release; 0: not known */
  ticks_t held, longest_held;
  uint64_t lines;             /* acquisitions that have a line */
  uint64_t releases, returns; /* that have a line; of them: by a thread that held it */
  int64_t permits, least;     /* releases minus acquisitions that have a line; the least so far */
};

/* lock_is_credit returns whether the permits of a semaphore are handed out: no thread that released
   one had acquired one before. */
static inline bool lock_is_credit(const struct lock *lock) {
  return lock->sort == LOCK_SEMAPHORE && lock->releases > 0 && lock->returns == 0;
}

/* lock_is_signal returns whether such a semaphore is no lock: it began without a permit, as each
   acquisition followed a release. To wait for it is to wait for the threads that release it. */
static inline bool lock_is_signal(const struct lock *lock) {
  return lock_is_credit(lock) && lock->least >= 0;
}

/* lock_has_least_waits returns whether `waited` and `blocked` are only the least possible: more
   waits may be in the row of several locks, or among `short_others`. */
static inline bool lock_has_least_waits(const struct lock *lock) {
  return lock->waited_is_least || lock->short_others.num > 0;
}

/* lock_has_least_time returns whether `blocked` is only the least possible. */
static inline bool lock_has_least_time(const struct lock *lock) {
  return lock_has_least_waits(lock) || lock->older > 0;
}

struct locks;

/* locks_blocked returns the blocked time of all locks that are no signals. After locks_end. */
ticks_t locks_blocked(const struct locks *l);

/* A struct of zeros is empty; locks_free frees its memory. */
struct locks {
  struct matcher *matcher; /* the caller's */
  const struct stacks *stacks;
  struct hashmap ids; /* sort and object -> row plus one, until locks_end */
  struct lock *rows;
  size_t num, capacity;
  size_t num_ids;              /* all ids are less than this */
  struct tally threads;        /* of contended attempts, by lock: hash of the waiter */
  struct tally owners;         /* of contended attempts, by lock: hash of the owner */
  struct tally places;         /* of contended attempts, by lock: place_t of the waiter */
  struct tally holds;          /* by lock: hash of the holder */
  struct tally releasers;      /* of a semaphore, by lock: hash of the thread that released it */
  struct tally release_places; /* of a semaphore, by lock: place_t of the release */
  struct tally times;          /* by lock: nanoseconds blocked, rounded by histogram_round; without
                                  short waits */
  ticks_t threshold;           /* 0: none */
  const struct holders *holders; /* of the pass */
  struct hashmap counts;         /* event and object -> its last count in .counts */
  ticks_t blocked;               /* sum over all locks */
};

/* locks_start prepares empty locks. The holders, the matcher and the stacks must outlive them. */
void locks_start(struct locks *l, const struct holders *holders, struct matcher *matcher,
                 const struct stacks *stacks);

/* locks_row finds or adds the row of a lock; until locks_end, its index is its `id`. It returns
   NULL when memory ran out. The pointer is valid until the next row is added. */
struct lock *locks_row(struct locks *l, enum lock_sort sort, uint32_t object);

/* locks_event takes the step of an event, after locks_pair took the pair that the event ends. It
   ignores events that neither acquire nor release a lock. */
bool locks_event(struct locks *l, const struct step *step);

/* locks_by_class fills the empty `*out` with the rows of `l` summed up by sort and class. A row
   with is_several stays apart from locks of an unknown class. Call it after locks_end. Only the
   rows, `blocked`, `threshold` and the tallies of `*out` are set. It returns false when memory ran
   out; call locks_free either way. */
bool locks_by_class(const struct locks *l, const struct dump *d, struct locks *out);

#define LOCKS_MANY 3

/* locks_by_place does the same by sort, class and the place where threads were blocked longest, for
   at least LOCKS_MANY locks; fewer stay apart, because a user can compare them. It fills `ids`,
   which has room for l->num_ids numbers: the id of a lock in `l` -> its id in `*out`, or
   TALLY_NO_GROUP. */
bool locks_by_place(const struct locks *l, const struct dump *d, struct locks *out, uint32_t *ids);

/* locks_class returns the ClassID of a lock's object; the first one if objects share the hash, 0 if
   it is not known. */
uint32_t locks_class(const struct dump *d, uint32_t object);

/* locks_quantile returns a time in nanoseconds, within 1.6 %. `permille` of the contended attempts
   were not blocked for longer. It returns 0 without contended attempts.

   If the quantile is the time of a short wait, only a bound is known: it returns the longest short
   wait. If the row may lack waits (lock_has_least_waits), the bound is at least the threshold.
   `*out_is_bound` receives whether it is a bound; NULL: not needed. */
uint64_t locks_quantile(const struct locks *l, const struct lock *lock, unsigned permille,
                        bool *out_is_bound);

/* locks_has_least_longest returns whether `longest_blocked` is only the least possible: a wait
   began before the recording, or the waits that the row may lack are longer. They were shorter than
   the threshold. */
static inline bool locks_has_least_longest(const struct locks *l, const struct lock *lock) {
  bool may_lack = lock_has_least_waits(lock) && lock->longest_blocked < l->threshold;
  return lock->waited > 0 && (may_lack || lock->older > 0);
}

/* locks_attempts returns how often threads tried to acquire the lock, if `acquired_known`. How many
   short attempts failed is not known, so there may have been more. */
static inline uint64_t locks_attempts(const struct lock *lock) {
  uint64_t ended = lock->acquired + lock->failed + lock->open;
  return lock->short_waits.num > 0 && ended < lock->waited ? lock->waited : ended;
}

/* locks_should_name_owners returns whether the known owners are worth showing. For a semaphore most
   of the contended attempts need a known owner: several threads can hold it, so a single owner is
   rare. */
static inline bool locks_should_name_owners(const struct lock *lock) {
  if (lock->sort != LOCK_SEMAPHORE) return lock->known_owners > 0;
  return lock->known_owners > lock->waited / 2;
}

/* lock_is_value returns whether the lock is the monitor of a string or a boxed value. lock_caution
   returns why code should not use the object of this lock as a monitor; NULL: no such reason. */
bool lock_is_value(const struct dump *d, const struct lock *lock);
const char *lock_caution(const struct dump *d, const struct lock *lock);

void locks_free(struct locks *l);

END_C
