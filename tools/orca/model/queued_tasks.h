#pragma once
/* How long tasks were in the queues of executors, summed up over all tasks: objects of tasks are
   many, and most are queued once. A task that no thread took does not count, nor one that is
   scheduled: it is in a queue because its time has not come. */
#include "agent/base/extern_c.h"
#include "agent/base/hashmap.h"
#include "tools/orca/dump/dump.h"
#include "tools/orca/model/short_calls.h"
#include "tools/orca/model/state/task_queues.h"

BEGIN_C

/* A struct of zeros with `threshold` is empty; queued_tasks_free frees its memory. */
struct queued_tasks {
  ticks_t threshold;          /* the caller sets it; 0: none */
  struct task_queues waiting; /* `mark`: it is scheduled */
  struct hashmap timed;       /* top method of a TaskQueued -> one; two: its tasks are scheduled */
  uint64_t num;               /* how often a task was in a queue */
  ticks_t total, longest;
  uint64_t long_num; /* of `num`: took at least the threshold */
  ticks_t long_total;
  struct short_calls short_calls; /* of `num` and `total` */
};

/* queued_tasks_method_is_timed returns whether a TaskQueued whose top frame is of this method is of
   a scheduled task: ScheduledThreadPoolExecutor.delayedExecute or reExecutePeriodic. */
bool queued_tasks_method_is_timed(const struct dump *d, uint32_t method);

void queued_tasks_free(struct queued_tasks *q);

END_C
