#pragma once
/* The holders of each lock, derived from the events: a thread holds a lock from its acquisition to
   its release. Three questions have different answers:
   - Who can block a thread? holders_next: all holds. They are complete only with lines of all
     acquisitions and releases. Deadlocks need all, because one running reader does not free a lock.
   - Who blocks a thread that begins to wait? holders_owner: the one that the line names, or the
   only hold. The wait graph, the contention and the tables of locks use it.
   - Who owns the lock of an open wait now? holders_owner_now: the last thread that an event names
   or that got the lock after it had to wait. It needs no lines of other acquisitions. The
   contention (replay/contention.h) charges the time of waits, so it also needs to know when a lock
   is free, and when its holder is not known any more. So it follows the holders itself. */
#include "agent/base/extern_c.h"
#include "agent/event/meaning.h"
#include "tools/orca/model/state/holds.h"
#include "tools/orca/model/state/pairs.h"

BEGIN_C

struct holders_got;

/* Zero-initialised except for `coverage`, it is empty; holders_free frees the memory. */
struct holders {
  struct holds holds;
  struct hashmap acquired; /* thread and monitor -> stack from its acquisition on (MonitorHeld) */
  struct hashmap got_by;   /* lock -> number of the last acquisition, plus one */
  struct hashmap read_by;  /* lock -> number of its last ReadLockHeld, plus one */
  struct hashmap upgrades; /* lock -> a reader of it that asked for its write side meanwhile */
  struct holders_got *got;
  size_t num_got, got_capacity;
  struct hashmap unsure; /* locks with unknown holders: a thread released one without holding it */
  struct hashmap given_back; /* semaphore -> how often a thread released it while it held it */
  const struct coverage *coverage; /* of the recording */
  size_t next_change;              /* the first one that holders_advance has not passed */
  ticks_t now;                     /* of holders_advance */
};

/* holders_start prepares an empty struct for a dump, which must outlive it. */
void holders_start(struct holders *h, const struct dump *d);

/* holders_advance takes the time of the next event. When an option changes that decides which
   acquisitions have lines, the holders become unknown. */
void holders_advance(struct holders *h, ticks_t time);

/* holders_event takes each event, in order of time. `stack` is the stack of the event.
   `*out_released` receives whether the event released the last hold of its thread on the lock. If
   so, `*out_held` receives for how long (holds_time). Returns false when memory ran out. */
bool holders_event(struct holders *h, const struct dump *d, const struct event_line *line,
                   stack_id_t stack, bool *out_released, ticks_t *out_held);

/* holders_next walks over the holds that can block `thread` in a pair of the kind `begin` on
   `object`. Start with `before` = NULL. Returns NULL after the last, and always NULL if the holders
   of the lock are unknown. The result is valid until the next holders_event. */
const struct hold *holders_next(const struct holders *h, enum event_kind begin, uint32_t object,
                                uint32_t thread, const struct hold *before);

/* holders_owner returns the owner that blocks the thread of a MonitorOwner or of the BEGIN of an
   acquisition. It is the owner that the line names. If a BEGIN names none, it is the only thread
   that can block it. Returns 0:
   - for any other event;
   - if the owner is the thread itself;
   - if no thread or several threads can block it;
   - if the thread and the holder are readers: an unknown writer is queued in between. */
uint32_t holders_owner(const struct holders *h, const struct event_line *line);

/* holders_find returns the hold of a thread on a lock, NULL if no hold is known. */
const struct hold *holders_find(const struct holders *h, enum lock_sort sort, uint32_t object,
                                uint32_t thread);

/* holders_note_acquisition takes a MonitorHeld: where its thread acquired the monitor. Returns
   false when memory ran out. holders_acquisition returns the stack of the last one for this thread
   and monitor; 0: none. The thread may have released the monitor since. */
bool holders_note_acquisition(struct holders *h, const struct event_line *line, stack_id_t stack);
stack_id_t holders_acquisition(const struct holders *h, uint32_t thread, uint32_t monitor);

/* holders_follow takes each event after pairs_feed; `ended` is the pair that it ended, or NULL. It
   notes the last owner of each lock: the thread that a waiter's line names, or that got the lock
   after it had to wait. The owner is not known any more after a release of a lock of
   java.util.concurrent that wakes a waiter, and when the owner itself begins to wait for the lock.
   Returns false when memory ran out. */
bool holders_follow(struct holders *h, const struct pairs *pairs, const struct event_line *line,
                    const struct pair *ended);

/* holders_owner_now returns the owner of the lock of an open pair, as far as it is known. It is the
   last thread that an event of any waiter named, or that got the lock since. 0: not known, as for
   semaphores. */
uint32_t holders_owner_now(const struct holders *h, const struct pair *pair);

/* holders_acquired returns when the thread of holders_owner_now got the lock after it had to wait;
   0: that is not known. It may have released the lock since, and got it again without waiting. */
ticks_t holders_acquired(const struct holders *h, const struct pair *pair);

/* holders_note_reader takes a ReadLockHeld. Returns false when memory ran out. holders_only_reader
   returns the thread that the last one of this lock names, and in `*out_time` when it was the only
   one that held the read side. 0: there is none. */
bool holders_note_reader(struct holders *h, const struct pairs *pairs,
                         const struct event_line *line);
uint32_t holders_only_reader(const struct holders *h, uint32_t object, ticks_t *out_time);

/* holders_upgrader returns the last thread that waited for the write side of the lock while it held
   the read side itself, in vain; 0: none is known. */
uint32_t holders_upgrader(const struct holders *h, uint32_t object);

/* holders_reader_now returns this reader if it was the only one after the open pair began to wait
   for a side, and nobody is known to have got the write side since. 0: not known. */
uint32_t holders_reader_now(const struct holders *h, const struct pair *pair);

/* A thread that waits for a lock, or for the end of a thread. */
struct wait_link {
  struct pair pair;
  uint32_t owner;         /* of the lock, or the joined thread; 0: unknown, or several */
  stack_id_t owner_stack; /* where the owner acquired the lock; 0: unknown, or a join */
  ticks_t owner_since;    /* when; 0: unknown, or a join */
  bool owner_reads;       /* it has the read side */
  uint32_t executor;    /* the owner is a worker of it, in whose queue the awaited task is; 0: no */
  uint32_t owner_times; /* how often it has the permit of a semaphore; 0: unknown */
  bool owner_stack_is_later; /* owner_stack is that of a MonitorHeld: the method of its first frame
                                acquired the lock, but its line is where the owner was later */
};

/* holders_set_owner sets the owner of a link that waits for a lock, and where and when the owner
   acquired the lock. */
void holders_set_owner(const struct holders *h, struct wait_link *link, uint32_t owner);

/* holders_releases_for_wait returns whether `line` begins a wait and its thread is known to hold
   the lock that the wait releases. Then the later release of the lock has a line, too. Call this
   before holders_event takes the line. */
bool holders_releases_for_wait(const struct holders *h, const struct event_line *line);

/* holders_are_known returns false if the holders of a lock are unknown: events were dropped, or a
   thread released the lock without holding it. */
bool holders_are_known(const struct holders *h, enum lock_sort sort, uint32_t object);

/* holders_own_permits returns whether the permits of a semaphore have owners: threads that acquired
   it have released it, at least as often as they hold it now, and no other thread has. Else a
   permit may be a credit, which others hand out. */
bool holders_own_permits(const struct holders *h, uint32_t semaphore);

void holders_free(struct holders *h);

END_C
