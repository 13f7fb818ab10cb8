#pragma once
/* The thread pools (ThreadPoolExecutor) of a trace, and the tasks that their threads ran. A pool is
   the threads that take tasks from the same queue.

   A task begins when a thread of the pool takes it, and ends when that thread asks for the next one
   or leaves the pool. The first task of a thread has no event of its own: the pool starts the
   thread for it (execute -> addWorker). */
#include "agent/base/bytes.h"
#include "agent/base/extern_c.h"
#include "tools/orca/causal/trace/trace.h"

BEGIN_C

struct trace_task {
  uint32_t pool, thread; /* rows */
  uint32_t queue_op;     /* its TaskQueued plus one; 0: it was queued before the recording */
  uint32_t first_op;     /* its TaskTaken plus one; of a first task: the TRACE_STARTED */
  uint32_t end_op; /* the first operation of its thread after it, plus one; 0: it has no end */
  ticks_t queued, begin, end;
};

struct trace_pool {
  char *title;      /* "pool-2", "worker-…", or the name of its only thread */
  char *stem;       /* what the names of its threads have before their numbers: "pool-2-thread-" */
  uint32_t queue;   /* object; 0: not known */
  size_t threads;   /* that were in the pool at the same time, at most */
  size_t tasks;     /* that a thread of the pool began */
  size_t unqueued;  /* of `tasks`: no TaskQueued. They count as queued before the recording, but
                       something else than execute may have put them into the queue */
  ticks_t queued;   /* sum of the times of its tasks in the queue */
  ticks_t longest;  /* of these times */
  ticks_t ran;      /* sum of the times from their beginnings to their ends */
  ticks_t waiting;  /* time in which a task was in the queue */
  ticks_t full;     /* of `waiting`: no thread of the pool was without a task */
  double hand_off;  /* ticks from the moment when a task and a thread without one were there
                       until the thread took the task: mean */
  double living;    /* its threads while tasks were in the queue: mean */
  bool is_mixed;    /* tasks of one object were in several pools, so the times are not sure */
  bool is_timed;    /* tasks have delays or periods (ScheduledThreadPoolExecutor) */
  bool is_in_order; /* tasks are taken in the order in which they were queued */
};

/* All zero is empty; trace_pools_free frees the memory. */
struct trace_pools {
  const struct trace *trace; /* the caller's */
  struct trace_pool *pools;
  size_t num, capacity;
  uint32_t *of_thread;      /* by thread: its pool plus one; 0: none */
  struct trace_task *tasks; /* in the order of their beginnings */
  size_t num_tasks, tasks_capacity;
  struct hashmap of_op;  /* queue_op and first_op -> task plus one */
  unsigned char *places; /* by stack: enum trace_pool_place */
  unsigned char *timed;  /* by stack: whether it queues a task with a delay; 0: not looked at */
};

/* Where in its pool a thread is. */
enum trace_pool_place {
  TRACE_POOL_UNKNOWN,
  TRACE_POOL_TASK, /* in a task, or not in a pool */
  TRACE_POOL_ASKS, /* asks for a task: getTask */
  TRACE_POOL_EXITS /* leaves the pool: processWorkerExit */
};

/* trace_pools_find fills an empty struct. The trace must outlive it. Returns false when memory ran
   out; call trace_pools_free either way. */
bool trace_pools_find(struct trace_pools *p, const struct trace *t);

/* trace_pools_place returns where a thread is that makes this operation. */
enum trace_pool_place trace_pools_place(const struct trace_pools *p, const struct trace_op *op);

/* trace_pools_task returns the task whose TaskQueued or first operation this is (plus one), as its
   row plus one; 0: none. */
uint32_t trace_pools_task(const struct trace_pools *p, uint32_t op);

/* trace_pool_matches returns whether a pattern of a user names a pool: its title, a shell pattern
   that matches the title or the names of its threads. "worker-" and "worker-..." are also
   "worker-…".
 */
bool trace_pool_matches(const struct trace_pool *pool, const char *pattern);

/* trace_pool_is_full returns whether tasks were in the queue mostly because all threads of the pool
   were busy, and these were about `threads` all the time: a pool that grows has another answer. */
bool trace_pool_is_full(const struct trace_pool *pool);

void trace_pools_free(struct trace_pools *p);

END_C
