#pragma once
/* How much faster the program could be at most without a lock, or with a faster method: what is
   left of the critical path then, and the CPUs that the process may use.
   tools/orca/causal/bounds_find.h computes it, because it takes a further pass. */
#include "agent/base/extern_c.h"
#include "tools/orca/model/base/tally.h"
#include "tools/orca/model/locks.h"

BEGIN_C

/* What the threads on the path do most. */
struct bounds_part {
  const char *words; /* "sleeps", "runs"; see causal/path_reason.def */
  bool runs;         /* it is on a CPU */
  bool queues;       /* it waits for one */
  bool sleeps;       /* or waits until its time is over */
  uint32_t lock_id;  /* of the lock for which others wait meanwhile, or BOUNDS_NO_LOCK */
  place_t place;     /* 0: not known */
  ticks_t time;
};

/* A stretch of the path: what is on it for most of this time. */
struct bounds_stretch {
  ticks_t begin, end;
  int reason;       /* enum path_reason */
  uint32_t thread;  /* its hash */
  uint32_t lock;    /* object of the lock for which others wait meanwhile; 0: none */
  stack_id_t stack; /* 0: not known */
};

/* What a simulation predicts for the program without a lock, or with a larger pool. */
struct bounds_gain {
  bool known;
  uint32_t lock_id;   /* of the lock in the model */
  double least, most; /* 2: twice as fast */
  ticks_t work, time; /* that the simulated work took, and would take */
  int limit;          /* of the speed then: enum limit_kind of tools/orca/causal */
  uint32_t next_lock; /* its object, if that is a lock */
  place_t place;      /* if it is a method or a sleep; 0: not known */
  bool shares_cpus;   /* others use a large part of the CPUs */
};

/* A thread pool whose tasks were in its queue because all its threads were busy. */
struct bounds_pool {
  bool known;              /* also if the other bounds are not, because of `has_io` */
  bool has_io;             /* much of the path is neither CPU time nor in a recorded call: I/O */
  char *title;             /* "pool-2" */
  size_t threads;          /* at the same time */
  ticks_t queued, ran;     /* sums of the times of its tasks: in the queue, and after that */
  ticks_t waiting;         /* time in which a task was in the queue */
  ticks_t full;            /* of that, the time in which all threads were busy */
  ticks_t path;            /* of the path, while its next task was in the queue */
  struct bounds_gain gain; /* with twice as many threads; without `lock_id` */
};

#define BOUNDS_STRETCHES 1000
#define BOUNDS_NO_LOCK UINT32_MAX
#define BOUNDS_PARTS 32

/* All zero: nothing is known. `pool` can be known without the rest. bounds_free frees the memory.
 */
struct bounds {
  bool known;
  bool of_run;     /* the path leads to the end of the thread main. Else there is a path for each
                      thread that worked, and the times are sums of theirs */
  size_t threads;  /* paths */
  ticks_t work;    /* time of the paths, without that in which the threads waited for work */
  double cpu_part; /* of the CPUs that the process may use, the part that it used; 0: not known */
  struct tally locks; /* group: id of the lock in the model: time on the paths because of it */
  struct bounds_part parts[BOUNDS_PARTS]; /* the longest first */
  size_t num_parts;
  /* With `of_run`: the whole path from its beginning, in at most BOUNDS_STRETCHES. */
  struct bounds_stretch *stretches;
  size_t num_stretches;
  struct bounds_gain gain; /* of the lock with most time on the path */
  struct bounds_pool pool; /* with `of_run`: the pool with most time on the path */
};

/* bounds_lock_time returns the time on the path because of a lock (its id in `times`, which is
   `locks` or tally_merge of it, sorted). */
ticks_t bounds_lock_time(const struct tally *times, uint32_t id);

/* A change: what it saves at most. */
struct bounds_change {
  ticks_t path; /* of the path */
  double cpu;   /* part of the CPU time of the process */
};

/* bounds_left returns the part of the time that the work takes at least after a change: 1 is all.
 */
double bounds_left(const struct bounds *b, const struct bounds_change *change);

/* bounds_needs_cpus returns whether the CPUs would be the limit after a change. */
bool bounds_needs_cpus(const struct bounds *b, const struct bounds_change *change);

void bounds_free(struct bounds *b);

END_C
