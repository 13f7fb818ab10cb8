#pragma once
/* The signal (a notify, a release, an unpark, …) that ended each wait, if it is certain. Every view
   takes it from here. The rules, the first one that applies:
   - Object.wait and conditions: signals wake the waiters in order, if no event is missing.
   - The end of a thread wakes all its joiners. The JVM also notifies all that wait in Object.wait
   on the thread's object, unless it is a virtual thread.
   - A barrier: the thread whose call began last lets all others go.
   - An unpark names the thread that it wakes. The JDK unparks only threads that wait, so the last
     unpark of a thread in its wait ended the wait. A thread that is woken in a wait for a latch, a
     phaser, permits, … can wake the next one; both are then woken by the thread that woke the
   first. LockSupport.park ends by the first unpark, or at once if an unpark came before it.
   - The last countDown of a latch wakes all its waiters.
   - A release wakes one thread that waits. If two threads released meanwhile, it is not certain
     which of them woke the waiter.
   - A ThreadStart starts a thread, a TaskQueued the task of a pool. If one object is in queues
   several times, the first of its tasks is taken (task_queues.h), and it is only certain if one
   thread queued all of them.
   No signal wakes a wait that failed, except the unpark when a future failed. No thread wakes
   itself. Waits that no rule explains ended by themselves, or by a thread that no event shows: the
   network, a timer, an interrupt, the JVM.
   Memory grows with the objects and threads. */
#include "agent/base/extern_c.h"
#include "tools/orca/dump/dump.h"
#include "tools/orca/model/state/task_queues.h"
#include "tools/orca/model/state/wait_sets.h"

BEGIN_C

struct wakes_row;
struct wakes_permit;

/* All zero is empty; wakes_free frees the memory. */
struct wakes {
  const struct dump *dump;
  bool in_turn; /* no event is missing, so the order of the waiters is known */
  struct wait_sets sets;
  struct task_queues tasks;
  struct hashmap ids; /* wait_sets_key of waits without a known order -> row plus one */
  struct wakes_row *rows;
  size_t num, capacity;
  struct hashmap permit_ids; /* thread -> its permit plus one */
  struct wakes_permit *permits;
  size_t num_permits, permits_capacity;
};

/* The effect of an event on waits. */
struct wake {
  bool over;             /* it ends a wait whose beginning is known */
  ticks_t since;         /* the beginning of that wait */
  bool woken;            /* it ends a wait or starts a thread or task, and `by` certainly is the
                            cause. `by` is in the wait, except the unpark before a park */
  struct wake_signal by; /* if `over` but not `woken`: a signal that reached the thread although its
                            wait failed; mark 0: none */
  uint64_t called; /* the event is a signal to waiters in order, or the end of a thread that is
                      one: the number that it wakes */
};

/* wakes_start reads the options of the dump into an empty struct. */
void wakes_start(struct wakes *w, const struct dump *d);

/* wakes_event takes each event, in order of time, with its time as in the file. `*out` receives its
   effect. If the event is a signal, or begins the call that opens a barrier, `mark` becomes the
   mark in `by` of the waits that it ends. Returns false when memory ran out. */
bool wakes_event(struct wakes *w, const struct event_line *line, size_t mark, struct wake *out);

void wakes_free(struct wakes *w);

END_C
