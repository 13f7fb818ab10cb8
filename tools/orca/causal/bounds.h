#pragma once
/* What limits a whole recording, and what a change would gain: the critical path of the run, if it
   ended with the thread main; else those of all threads that worked for a part of the recording.
   For the part with most time on it, a simulation predicts what it would gain to change it. */
#include "agent/base/extern_c.h"
#include "tools/orca/causal/path/path.h"
#include "tools/orca/causal/trace/trace_pools.h"
#include "tools/orca/causal/whatif/whatif.h"

BEGIN_C

/* What the threads on the path do most. */
struct bounds_part {
  enum path_reason reason;
  bool has_lock; /* others wait for a lock meanwhile */
  place_t place; /* 0: not known */
  ticks_t time;
};

/* A stretch of the path: what is on it for most of this time. */
struct bounds_stretch {
  ticks_t begin, end;
  enum path_reason reason;
  uint32_t thread;  /* its hash */
  uint32_t lock;    /* object of the lock for which others wait meanwhile; 0: none */
  stack_id_t stack; /* 0: not known */
};

/* A lock that has a piece of the path together with others. */
struct bounds_nested {
  size_t piece;
  uint32_t id; /* of the lock in the model */
  ticks_t time;
};

/* What a simulation predicts for a change. */
struct bounds_gain {
  bool known;
  struct gain gain;
  ticks_t work, time;    /* that the simulated work took, and would take */
  enum limit_kind limit; /* of the speed then */
  uint32_t next_lock;    /* its object, if that is a lock */
  place_t place;         /* if it is a method or a sleep; 0: not known */
  bool shares_cpus;      /* others use a large part of the CPUs */
};

/* A thread pool whose tasks were in its queue because all its threads were busy. */
struct bounds_pool {
  bool known;              /* also if the other bounds are not */
  bool is_crowded;         /* its tasks waited for a large part of the recording */
  bool has_io;             /* much of the path is neither CPU time nor in a recorded call: I/O */
  uint32_t row;            /* in the trace_pools */
  char *title;             /* "pool-2" */
  size_t threads;          /* at the same time */
  struct tally workers;    /* group 0: its threads */
  size_t tasks;            /* that its threads began */
  ticks_t queued, ran;     /* sums of the times of these: in the queue, and after that */
  ticks_t longest;         /* in the queue */
  struct tally queued_at;  /* group 0: where they were queued: stack; their times in the queue */
  ticks_t waiting;         /* time in which a task was in the queue */
  ticks_t full;            /* of that, the time in which all threads were busy */
  ticks_t path;            /* of the path, while its next task was in the queue */
  struct bounds_gain gain; /* with twice as many threads */
};

#define BOUNDS_POOLS 8
#define BOUNDS_STRETCHES 1000
#define BOUNDS_PARTS 32

/* All zero: nothing is known. `pool` and `crowded` can be known without the rest. bounds_free frees
   the memory. */
struct bounds {
  bool known;
  bool of_run;        /* the path leads to the end of the thread main. Else there is a path for each
                         thread that worked, and the times are sums of theirs */
  bool is_timed;      /* that end is at a time that the program wants (path_is_timed): then nothing
                         else is known but `crowded` */
  size_t threads;     /* paths */
  ticks_t work;       /* time of the paths, without that in which the threads waited for work */
  struct tally locks; /* group: id of the lock in the model: time on the paths because of it */
  struct bounds_nested *nested; /* with `of_run`, by piece: the time counts for each lock */
  size_t num_nested;
  struct bounds_part parts[BOUNDS_PARTS]; /* the longest first */
  size_t num_parts;
  /* With `of_run`: the whole path from its beginning, in at most BOUNDS_STRETCHES. */
  struct bounds_stretch *stretches;
  size_t num_stretches;
  uint32_t lock_id; /* of the lock with most time on the path, in the model */
  struct bounds_gain without_lock;
  struct bounds_gain faster_method;         /* the hottest one, twice as fast */
  struct bounds_pool pool;                  /* with `of_run`: the pool with most time on the path */
  struct bounds_pool crowded[BOUNDS_POOLS]; /* other crowded pools, in no order */
  size_t num_crowded;
};

/* Recordings with more lines are not worth the time: for the paths, and for the simulation. */
#define BOUNDS_LINES 1000000
#define BOUNDS_GAIN_LINES 600000

/* bounds_can_be_known returns whether a recording can have bounds: it has few lines, all of them,
   and no filter. */
bool bounds_can_be_known(const struct model *m);

/* bounds_find fills empty bounds. Without enough knowledge of the paths it leaves them unknown. It
   takes the trace, of the whole recording, and frees it. Returns false when memory ran out. */
bool bounds_find(struct bounds *b, struct trace *t);

/* bounds_has_path returns whether there is one path, that of the run. Only then does a time on it
   say something to a reader: with several paths, the sums of their times exceed the recording. */
bool bounds_has_path(const struct bounds *b);

/* bounds_merge_locks fills an empty tally with `locks`, as tally_merge does, and sorts it. Time
   that several locks of a group have together counts once. Returns false when memory ran out. */
bool bounds_merge_locks(const struct bounds *b, const uint32_t *ids, struct tally *into);

/* bounds_lock_time returns the time on the path because of a lock (its id in `times`, which is
   `locks` or bounds_merge_locks of it). */
ticks_t bounds_lock_time(const struct tally *times, uint32_t id);

/* bounds_method_time returns for how long a method ran on the path. bounds_method_wait returns for
   how long the path waited for a CPU because of that: as large a part of all such waits as the
   method has of the time in which the path ran. */
ticks_t bounds_method_time(const struct bounds *b, uint32_t method);
ticks_t bounds_method_wait(const struct bounds *b, uint32_t method);

/* bounds_is_rest returns whether most of the path are sleeps and timeouts that hold nobody up, as
   in a program whose main sleeps while others serve: then the path says nothing about methods. */
bool bounds_is_rest(const struct bounds *b);

void bounds_free(struct bounds *b);

END_C
