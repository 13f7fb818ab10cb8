#pragma once
/* Who runs the task in which a thread is. */
#include "agent/base/extern_c.h"
#include "tools/orca/model/state/stacks.h"

BEGIN_C

enum task_runner {
  RUNNER_NONE,      /* it is in no task */
  RUNNER_TIMER,     /* the thread of a java.util.Timer */
  RUNNER_SCHEDULER, /* a worker of a ScheduledThreadPoolExecutor */
  RUNNER_POOL,      /* of a ThreadPoolExecutor */
  RUNNER_FORK_JOIN, /* of a ForkJoinPool */
  RUNNER_CALLER,    /* the thread that gave the task to a pool which did not accept it */
  RUNNER_CARRIER,   /* a carrier: what it runs is a virtual thread, and no task */
  NUM_RUNNERS
};

/* task_runner_of_method returns whose method it is that runs tasks. */
enum task_runner task_runner_of_method(const struct dump *d, uint32_t method);

/* task_runner_of_stack returns who runs the innermost task of a stack. A carrier is in none, though
   it is a worker of a ForkJoinPool: that pool is the JDK's. */
enum task_runner task_runner_of_stack(const struct stacks *s, const struct dump *d,
                                      stack_id_t stack);

END_C
