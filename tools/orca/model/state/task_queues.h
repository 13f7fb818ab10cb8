#pragma once
/* The tasks that wait in the queues of executors. A program can queue one object many times, as a
   lambda without captured variables: each time it is another task. A thread that takes the object
   takes the task that was queued first. In a queue with another order this may be another one of
   them, but no program can tell them apart: the sum of their times does not depend on it. */
#include "agent/base/extern_c.h"
#include "agent/base/hashmap.h"
#include "tools/orca/dump/dump.h"
#include "tools/orca/model/state/wait_sets.h"

BEGIN_C

struct task_queues_row;
struct task_queues_entry;

/* All zero is empty; task_queues_free frees the memory, which grows with the objects and with the
   tasks that wait at the same time. */
struct task_queues {
  struct hashmap ids; /* object -> row plus one */
  struct task_queues_row *rows;
  size_t num, capacity;
  struct hashmap newest; /* thread -> the task that it queued last, as entry plus one; 0: none */
  struct task_queues_entry *entries;
  size_t num_entries, entries_capacity;
  size_t spare; /* the first free entry, plus one */
};

/* task_queues_put adds a task. `executor`: that gets it; 0: not known, or of no interest. `queued`:
   its TaskQueued. Returns false when memory ran out. */
bool task_queues_put(struct task_queues *q, uint32_t object, uint32_t executor,
                     const struct wake_signal *queued);

/* task_queues_take removes the first task of an object. Returns false if there is none.
   `*out_is_certain`: all its tasks were queued by the same thread, so it is certain who queued
   this one. */
bool task_queues_take(struct task_queues *q, uint32_t object, struct wake_signal *out,
                      bool *out_is_certain);

/* task_queues_has returns whether a task of an object waits. task_queues_had returns whether the
   object has ever been queued. */
bool task_queues_has(const struct task_queues *q, uint32_t object);
bool task_queues_had(const struct task_queues *q, uint32_t object);

/* task_queues_executor returns the executor of the tasks of an object that wait; 0: there is none,
   it is not known, or they have several. */
uint32_t task_queues_executor(const struct task_queues *q, uint32_t object);

/* task_queues_newest sets `*out` to the TaskQueued of the newest task of an object that waits.
   False if there is none, or if several threads have queued such tasks. */
bool task_queues_newest(const struct task_queues *q, uint32_t object, struct wake_signal *out);

/* task_queues_withdraw removes the task that a thread queued last, if nobody took it: the executor
   starts a worker for it, and no TaskTaken follows (task_queues_starts_worker). */
void task_queues_withdraw(struct task_queues *q, uint32_t thread);

enum worker_start {
  WORKER_START_NONE,        /* the event is another one */
  WORKER_START_WITH_TASK,   /* for the task that the thread has just queued */
  WORKER_START_BESIDE_TASK, /* the task that the thread has just queued stays in the queue */
  WORKER_START_SUCCESSOR    /* in place of the thread, which ends */
};

/* task_queues_find_start returns why a ThreadPoolExecutor starts a worker by a ThreadStart. */
enum worker_start task_queues_find_start(const struct dump *d, const struct event_line *line);

/* task_queues_starts_worker returns whether an event is the ThreadStart of a ThreadPoolExecutor
   that starts a worker for the task that the thread has just queued. */
bool task_queues_starts_worker(const struct dump *d, const struct event_line *line);

void task_queues_free(struct task_queues *q);

END_C
