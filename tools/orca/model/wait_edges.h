#pragma once
/* The wait-for graph of a moment, made from the pairs that are open and from the holders of locks.
 */
#include "agent/base/extern_c.h"
#include "tools/orca/model/class_inits.h"
#include "tools/orca/model/pools.h"
#include "tools/orca/model/threads.h"
#include "tools/orca/model/wait_for.h"

BEGIN_C

/* What the edges are made from. */
struct wait_sources {
  const struct pairs *pairs;
  const struct holders *holders;
  const struct dump *dump;
  const struct stacks *stacks;
  const struct threads *threads; /* whose samples tell whether a wait has a time limit */
  const struct class_inits *class_inits;
  const struct pools *pools;
  const struct task_queues *tasks; /* that are queued */
  bool is_alone; /* no other thread of the program can go on, which could also complete a task */
};

struct model;

/* wait_edges_sources returns those of a model. */
struct wait_sources wait_edges_sources(const struct model *m);

/* wait_edges_add adds a wait for each thread that is in a call which waits; the innermost one
   counts. What a wait needs:
   - for a lock: its holders, as far as they are known, else the owner that an event named
   - for a semaphore: one of its holders, if its permits have owners (holders_own_permits)
   - for the end of a thread: that thread
   - for a class (EVENT_CLASS_INIT_WAIT; the object is a ClassID): the thread that initializes it
   - for a parallel stream in a static initializer: workers that need the class (stream_inits.h)
   - for a task that a worker of a thread pool runs: that worker, if `is_alone`
   - for a task in the queue of a thread pool: any of its workers, if `is_alone`, and if only they
     can take the task (pool_is_complete)
   - else anyone: a thread that can go on may also cancel the task, complete it, or run it itself.
   It returns false when memory ran out. */
bool wait_edges_add(struct wait_for *w, const struct wait_sources *s);

/* wait_edges_add_tasks adds what waits for tasks need, of waits that wait_edges_add has added
   without `is_alone`. It returns false when memory ran out. */
bool wait_edges_add_tasks(struct wait_for *w, const struct wait_sources *s);

END_C
