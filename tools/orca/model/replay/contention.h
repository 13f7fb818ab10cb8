#pragma once
/* What became of the time that threads waited for locks. It has these parts:
   - held: the holder is known. The time is charged to the holder, and to its location.
   - hand-off: a thread had released the lock, and the thread that got it next did not run yet.
   - The rest is not known.

   No thread holds up itself. A line may name a thread as the holder while that thread still waits.
   Then it has got the lock and its own line comes later, or it holds another permit or the other
   side of a read-write lock. From then on, who holds it up is not known.

   The holder of a lock is known from the line of a waiter, from a MonitorOwner or ReadLockHeld, and
   because a thread that waited got the lock. It is not known any more when
   - the holder was seen outside of the frame that acquired the monitor, until it is seen inside;
   - the holder waits for a condition, or begins to wait for the lock itself;
   - the holder is a reader, and releases the lock.

   Hand-off begins
   - with the line of a release (locks=all, monitors=all, semaphores);
   - with Object.wait, if the monitor has lines of releases;
   - when a thread unparks another one that waits for the lock, within a release: locks of
     java.util.concurrent. The JDK wakes a waiter once more only after the waiter has run and found
     that another thread got the lock first. Then the time up to the longest hand-off so far is not
     known, and the rest is charged to the thread that releases the lock.
   So a monitor has a known hand-off only with monitors=all, and only if classes that `filter`
   selects acquire it. Monitors of the JDK have none. With locks=waits, short acquisitions between
   the release and the end of the hand-off have no lines.

   A semaphore has hand-off while more permits are free than at its least. Its calls for several
   permits, and a threshold, make that unknown. Semaphore.drainPermits and reducePermits have no
   lines: count_permit finds them by waiters that leave free permits alone.

   The location of a holder is, in this order:
   - the stack of its innermost call that has not ended;
   - the stack of its last sample, if that was seen during the wait and the hold;
   - the stack of its last event, if that was during the wait and the hold;
   - not known.
   But the holder of a monitor is in the frame that acquired it, if that is known.
   If lines were dropped, there is no hand-off, and calls are no locations.

   This is another pass over the dump: contention_start, contention_take for each step of a replay,
   contention_end. The results are valid after contention_end. Memory grows with the threads, locks
   and stacks. */
#include "agent/base/extern_c.h"
#include "tools/orca/model/model.h"

BEGIN_C

#define CONTENTION_LINES (REPLAY_LINES | PASS_SAMPLE(SAMPLE_CPU))

/* The waits of one thread for locks of another thread. A wait has a part for each holder that it
   sees, one after the other. It counts once, for the holder of its longest part. */
struct contention_pair {
  uint32_t id;              /* the group of this pair in `pair_locks` */
  uint32_t blocked, holder; /* threads */
  uint64_t times;           /* waits whose longest part is of this holder */
  uint64_t parts;           /* of waits */
  ticks_t total, longest;   /* of the parts */
};

/* Added to the key of a place or stack that is known only from the holder's last event. */
#define CONTENTION_GUESSED (UINT64_C(1) << 63)

struct contention_thread;
struct contention_lock;
struct contention_wait;
struct contention_share;

/* All zero is empty; contention_free frees the memory. */
struct contention {
  struct model *model;           /* the caller's */
  const struct locks *locks;     /* the caller's */
  bool by_class;                 /* `locks` are by class */
  const struct holders *holders; /* of the replay, at the last event */
  struct hashmap ids; /* sort and object (or class) -> id of the lock in the results, plus one */
  /* Group: id of the lock. Key: location of the holder. Total: waiting time. */
  struct tally holder_stacks, holder_places;
  /* The part of `holder_stacks` in which it is certain that the holder still held the lock, and
     that it was there. Otherwise a thread that was woken may not run yet. */
  struct tally certain_stacks;
  /* Group: id of the lock. Key: stack of the holder. Count: Sample lines of all threads while
     others waited. So they are a fair choice of moments, which the two above are not: these also
     have guesses by the last event. */
  struct tally holder_samples;
  /* Group: id of the lock. Key: 0. Total: waiting time that was hand-off, or is charged. */
  struct tally handoffs, held;
  struct tally lock_holders;     /* group: id of the lock; key: the holder; total: waiting time */
  struct hashmap pair_rows;      /* waiter and holder -> row plus one */
  struct contention_pair *pairs; /* largest total first */
  size_t num_pairs, pairs_capacity;
  struct tally
      read_holds; /* group: id of the lock; key: a reader that held it; total: waiting time */
  struct tally pair_locks;    /* group: id of the pair; key: id of the lock; total: waiting time */
  struct hashmap thread_rows; /* thread -> row plus one */
  struct contention_thread *threads;
  size_t num_threads, threads_capacity;
  struct hashmap lock_rows; /* kind of lock and object -> row plus one */
  struct contention_lock *lock_states;
  size_t num_lock_states, lock_states_capacity;
  struct contention_wait *waits; /* that have not ended, and free ones */
  size_t num_waits, waits_capacity;
  size_t spare;                    /* the first free row of `waits`, plus one */
  struct contention_share *shares; /* of waits, and free ones */
  size_t num_shares, shares_capacity;
  size_t spare_share;        /* the first free row of `shares`, plus one */
  uint64_t steps, charges;   /* so far */
  bool has_given_up;         /* there are too many waiters at a time: there are no results */
  bool is_lossy;             /* lines may be missing */
  bool has_permits;          /* all acquisitions of semaphores have lines */
  ticks_t tick, tick_before; /* times of the last two ticks */
  ticks_t last_await;        /* when a thread last began or ended to wait for a condition */
  ticks_t longest_handoff;   /* of locks of java.util.concurrent */
};

/* contention_start prepares the pass. The model must be complete. `locks` are the locks of the
   model or the result of locks_by_class for them. Returns false when memory ran out. */
bool contention_start(struct contention *c, struct model *m, const struct locks *locks);

/* Each step of a holder charges all waiters for its locks. If that happens more often than this,
   the pass gives up, so that it takes seconds at most. */
#define CONTENTION_CHARGES UINT64_C(5000000)
#define CONTENTION_CHARGES_PER_STEP 16

/* contention_take takes a step of a replay of CONTENTION_LINES. Returns false when memory ran out.
 */
bool contention_take(struct contention *c, const struct step *step);

/* contention_end counts the waits that never ended up to the end of the recording, and sorts the
   results. Returns false when memory ran out. */
bool contention_end(struct contention *c);

/* contention_read does all three with a replay of its own. Returns false when memory ran out. Call
   contention_free in either case. */
bool contention_read(struct contention *c, struct model *m, const struct locks *locks);

/* contention_time returns the time of the lock with this id in `handoffs` or `held`, once they are
   sorted. */
ticks_t contention_time(const struct tally *times, uint32_t id);

void contention_free(struct contention *c);

END_C
