#pragma once
/* The recording as what each thread does: run, sleep, acquire a lock, wait for another thread. The
   simulation (simulation.h) plays it. A script does not depend on the edits. */
#include "agent/base/extern_c.h"
#include "tools/orca/causal/trace/trace_pools.h"
#include "tools/orca/causal/whatif/capacity.h"

BEGIN_C

enum act_kind {
  ACT_RUN,      /* needs `cpu`, and is outside of Java for `time` */
  ACT_SLEEP,    /* waits for `time` */
  ACT_EXTERNAL, /* waits for something that is not known, for `time` */
  ACT_ACQUIRE,  /* the lock `object`; so up to ACT_RETURN */
  ACT_RELEASE,
  ACT_TAKE,   /* a permit */
  ACT_RETURN, /* a permit */
  ACT_INSERT, /* into the queue `object` */
  ACT_REMOVE,
  ACT_MEET,  /* the others at the generation `object` of a barrier */
  ACT_REACH, /* the point `object` */
  ACT_AWAIT, /* until threads have reached the point `object` `count` times; then `time` */
  ACT_ENTRY, /* of the tracked method `object` */
  ACT_EXIT,
  ACT_QUEUE,     /* the task `object` into the queue of its pool */
  ACT_WORK,      /* the thread runs tasks of the pool `object` until there are no more */
  ACT_TASK_DONE, /* the end of the task `object`; the thread goes back to its ACT_WORK */
  ACT_STOP       /* the thread does nothing more: it waits until the recording ends */
};

struct act {
  uint8_t kind;     /* enum act_kind */
  uint8_t is_read;  /* an acquisition of the read side */
  uint8_t is_goal;  /* the goal is reached when this act and all others with the mark are done */
  uint8_t is_start; /* time is measured from the first of these */
  uint32_t object;
  uint32_t place;   /* ACT_RUN: row of a site; a wait: its stack */
  uint32_t count;   /* ACT_RUN: the part of `cpu` that recording took, in nanoseconds */
  double cpu, time; /* in ticks */
};

/* A thread pool. If it is known, any of its threads runs the tasks, in the order of the queue. */
struct script_pool {
  const char *title; /* of the trace */
  size_t threads;    /* that run tasks at the same time, at most */
  size_t tasks;
  double hand_off;  /* until a thread that waits for a task runs it, in ticks */
  uint32_t pattern; /* the row of the thread that started last: further ones begin like it */
  bool is_known;    /* otherwise each thread repeats the tasks that it ran in the recording */
  bool is_worker;   /* a thread of it is a worker */
  bool is_full;     /* tasks were in the queue mostly because all threads were busy */
  double queued;    /* time of its tasks in the queue, in ticks */
};

/* A task of a known pool, one for each of the trace. */
struct script_task {
  uint32_t pool;
  size_t first;    /* act */
  bool is_waiting; /* it was queued before the recording */
};

/* The stretches between two operations with these stacks, of any thread. */
struct script_site {
  stack_id_t before, after;
  double cpu; /* of all of them, in ticks */
};

struct script_lock {
  uint32_t object; /* hash */
  enum lock_sort sort;
  bool is_fair;     /* no waiter was overtaken */
  bool is_signal;   /* a semaphore that is no lock: lock_is_signal of the model */
  double hand_off;  /* from the release to the moment when a waiter runs, in ticks */
  double wake_cost; /* CPU time of a release while threads wait, in ticks */
  double permits;   /* of a semaphore */
  uint64_t waits;
  double waited; /* in the recording, in ticks */
};

struct script_queue {
  uint32_t object;
  bool is_known; /* all insertions have lines; otherwise no act uses it */
  double capacity;
};

/* One use of a barrier. */
struct script_generation {
  uint32_t parties;
  ticks_t tripped; /* when the last thread came */
};

struct script_thread {
  uint32_t hash;
  uint32_t group;    /* row */
  size_t first, num; /* acts */
  bool ended;        /* in the recording */
  bool is_worker;    /* it does work: it used CPU time, and does not only poll */
  double start;      /* ticks after the beginning of the recording; used unless it awaits a point */
  uint32_t pool;     /* known pool plus one; 0: none */
  size_t work;       /* with a pool: its ACT_WORK. The acts of its tasks follow, */
  size_t leave;      /* and then what it does after the last task of the pool */
};

/* Threads whose names differ only in their last number. */
struct script_group {
  char *name; /* "worker-" */
  size_t num_threads;
  double cpu, slept, external; /* ticks */
};

enum script_goal {
  GOAL_MAIN,  /* the end of main */
  GOAL_CALLS, /* the last call of a tracked method */
  GOAL_WORK   /* as many operations as in the recording */
};

/* All zero is empty; script_free frees the memory. */
struct script {
  bool ignores_pools;        /* no pool is known; set it before script_write */
  const struct trace *trace; /* the caller's */
  struct capacity capacity;
  struct act *acts;
  size_t num_acts, acts_capacity;
  struct script_thread *threads; /* one for each of the trace */
  size_t num_threads;
  struct script_lock *locks; /* one for each of the trace */
  size_t num_locks;
  struct script_queue *queues;
  size_t num_queues, queues_capacity;
  struct script_generation *generations;
  size_t num_generations, generations_capacity;
  size_t num_points;
  struct trace_pools found;  /* with the titles of the pools */
  struct script_pool *pools; /* one for each of `found`, as are the next ones */
  size_t num_pools;
  struct script_task *tasks;
  size_t num_tasks;
  struct script_site *sites;
  size_t num_sites, sites_capacity;
  struct script_group *groups;
  size_t num_groups, groups_capacity;
  enum script_goal goal;
  size_t num_goals; /* acts with is_goal */
  double recorded;  /* time until the goal in the recording, in ticks, without the pauses */
  double paused; /* pauses of the JVM until the goal. They depend on what the program allocates, so
                    that edits do not change them */
  uint64_t work; /* GOAL_WORK: number of acts of the workers */
};

/* script_write makes the script of a trace in an empty struct. `work`: the goal is the last call of
   the tracked methods that match this pattern; NULL: the end of main, or the work. Returns false
   when memory ran out. The trace must outlive the script. */
bool script_write(struct script *s, const struct trace *t, const char *work);

void script_free(struct script *s);

END_C
