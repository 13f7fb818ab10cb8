#pragma once
/* The workers of each ThreadPoolExecutor: the threads that have taken its tasks, or that it started
   for them, and that still live. What a task waits for follows from them. */
#include "agent/base/extern_c.h"
#include "agent/base/hashmap.h"
#include "tools/orca/dump/dump.h"
#include "tools/orca/model/state/task_queues.h"

BEGIN_C

struct pool {
  uint32_t executor;
  struct pool_size size; /* `maximum` 0: not known */
  size_t num_workers;    /* known ones that live */
  uint64_t num_queued;   /* tasks that no worker has taken, as far as this is known */
  bool may_refuse;       /* the queue may have been full */
  bool is_shared;        /* threads of another pool took its tasks */
};

struct pool_worker {
  uint32_t thread;
  uint32_t executor; /* 0: it has ended, or its pool is not known */
  uint32_t task;     /* that it took last; it runs this one, or waits for the next; 0: not known */
};

/* A struct of zeros is empty; pools_free frees its memory. */
struct pools {
  struct hashmap pool_ids; /* executor -> pool plus one */
  struct pool *pools;
  size_t num_pools, pools_capacity;
  struct hashmap worker_ids; /* thread -> worker plus one */
  struct pool_worker *workers;
  size_t num_workers, workers_capacity;
  struct hashmap last_queued; /* thread -> executor and object of its last TaskQueued */
  struct hashmap futures;     /* CompletableFuture -> the task that completes it */
  bool has_delay_thread;      /* it may complete a CompletableFuture, as orTimeout asks */
  bool has_older_calls;       /* tasks can have been queued before the recording */
};

/* pools_find returns the pool of an executor; NULL: not known. */
const struct pool *pools_find(const struct pools *p, uint32_t executor);

/* pools_task_of returns the task that completes a future: a FutureTask completes itself. */
uint32_t pools_task_of(const struct pools *p, uint32_t future);

/* pools_has_taken returns whether a living worker took the task that completes a future last: it
   runs the task itself, or has. */
bool pools_has_taken(const struct pools *p, uint32_t thread, uint32_t future);

/* pools_of_worker returns the pool of a living worker; NULL: not known. */
const struct pool *pools_of_worker(const struct pools *p, uint32_t thread);

/* pool_has_waiting returns whether tasks wait in the queue of a complete pool for its workers to
   take them, and not for a time, as in a ScheduledThreadPoolExecutor. */
bool pool_has_waiting(const struct pools *p, const struct pool *pool);

/* pool_is_complete returns whether only the known workers of a pool can take the tasks that are in
   its queue, and all tasks that it got are in the queue or with workers. For this
   - the pool has as many workers as it may have. It starts a worker for a task that fits into its
     queue only up to its core size, and a queue without a bound has room for all. So of such a pool
     the core size counts, else the maximum. A worker that ends has a successor only then.
   - no task can have been refused, since the handler may run it elsewhere
   - no thread of another pool took a task from its queue.
   It knows the sizes at the last task of the pool. It does not know of a program that changes them
   later, or that removes or cancels tasks. */
bool pool_is_complete(const struct pools *p, const struct pool *pool);

void pools_free(struct pools *p);

END_C
