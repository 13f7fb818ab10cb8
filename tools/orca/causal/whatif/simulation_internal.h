#pragma once
/* What simulation*.c share: the state of a simulation. */
#include "agent/base/extern_c.h"
#include "tools/orca/causal/whatif/heap.h"
#include "tools/orca/causal/whatif/simulation.h"

BEGIN_C

#define SIMULATION_MAX_HELD 32
#define NO_TASK UINT32_MAX
#define GRANT UINT32_C(0x80000000) /* in the heap of events: a lock instead of a thread */
#define NOBODY UINT32_MAX

struct holding {
  uint32_t lock;  /* row */
  uint32_t state; /* of its stripe */
  bool is_read;
  double since;
};

struct player {
  uint32_t thread; /* of the script; a further thread of a pool plays like one that was recorded */
  bool is_further;
  uint32_t task;  /* row; NO_TASK: none */
  size_t pc, end; /* acts */
  size_t loop;    /* the act from which it goes on after the last one; `end`: it does not */
  double looped;  /* when it did last */
  unsigned phase; /* of the act */
  bool is_looping, is_worker;
  uint32_t next;  /* waiter of the same lock, queue, point or barrier; or NOBODY */
  uint32_t count; /* of the point that it awaits */
  double asked;   /* when it began to wait for a lock */
  bool asked_read;
  unsigned tracked, moved; /* depth of the calls of changes.tracked_method and moved_method */
  double moved_cpu, moved_time;
  double wake_cost;   /* of its last releases, in the next run */
  double hold_factor; /* of the locks that it holds */
  unsigned moving;    /* locks with has_moved that it holds */
  unsigned num_held;
  struct holding held[SIMULATION_MAX_HELD];
};

struct line {
  uint32_t first, last; /* players; NOBODY: none */
};

/* A stripe of a lock, or a semaphore. */
struct lock_state {
  uint32_t lock;
  bool is_held, is_waking;
  uint32_t readers;
  double permits;
  struct line waiters;
};

struct queue_state {
  double items;
  struct line inserters, removers;
};

struct pool_state {
  size_t most, busy, left; /* threads that may run tasks, and do; tasks that were never done */
  struct heap queue;       /* all with the same key: the first that came is the first */
  struct line idle;
};

/* A point, or a generation of a barrier. */
struct point_state {
  uint32_t count;
  struct line waiters;
};

struct stage {
  const struct script *s;
  const struct changes *c;
  const struct variant *variant;
  struct simulation *r;
  struct capacity capacity;
  struct heap events;             /* time -> player, or GRANT and lock state */
  struct heap running;            /* service at which it has its CPU time -> player */
  double now, service, served_at; /* service: CPU time of each running thread so far */
  struct player *players;
  struct pool_state *pools;
  bool *was_done; /* by task */
  struct lock_state *locks;
  uint32_t *first_state; /* by lock */
  struct queue_state *queues;
  struct point_state *points, *generations;
  uint64_t steps, max_steps, random;
  uint64_t work_left, goals_left;
  double begun; /* the first act with is_start; below 0: not yet */
  bool has_begun, is_done, failed;
};

/* simulation_join puts a player at the end of a line. simulation_pop takes the first one off a line
   that is not empty. */
void simulation_join(struct stage *g, struct line *l, uint32_t p);
uint32_t simulation_pop(struct stage *g, struct line *l);

/* simulation_at adds an event: a player, or GRANT and a lock state. simulation_resume ends the wait
   of a player at a time. */
void simulation_at(struct stage *g, double time, uint32_t what);
void simulation_resume(struct stage *g, uint32_t p, double time);

/* --- simulation_locks.c --- */

/* simulation_make_locks makes the locks and semaphores of the script, none of which is held.
   Returns false when memory ran out. */
bool simulation_make_locks(struct stage *g);

/* simulation_acquire and simulation_take_permit return whether the player has the lock or the
   permit; otherwise it waits in line. `lock` is a row. */
bool simulation_acquire(struct stage *g, uint32_t p, const struct act *a);
bool simulation_take_permit(struct stage *g, uint32_t p, uint32_t lock);

/* simulation_release releases a lock if the player holds it. simulation_release_all releases all of
   its locks. */
void simulation_release(struct stage *g, uint32_t p, uint32_t lock);
void simulation_release_all(struct stage *g, uint32_t p);
void simulation_return_permit(struct stage *g, uint32_t p, uint32_t lock);

/* simulation_grant lets the waiters of a lock state, the first of which runs now, try again. */
void simulation_grant(struct stage *g, uint32_t state);

/* --- simulation_pools.c --- */

/* simulation_make_pools makes the pools of the script, with the tasks that were queued before the
   recording. Returns false when memory ran out; call simulation_free_pools either way. */
bool simulation_make_pools(struct stage *g);
void simulation_free_pools(struct stage *g);

/* simulation_count_further returns how many threads a pool has in addition to those of the
   recording. */
size_t simulation_count_further(const struct stage *g, size_t pool);

/* simulation_queue_task adds a task to the queue of its pool. simulation_ask_for_task begins a task
   of the pool `row`, or what the thread does after its last one; it returns false if the player has
   to wait. simulation_end_task ends the task of a player, which then asks for the next one. */
void simulation_queue_task(struct stage *g, uint32_t task);
bool simulation_ask_for_task(struct stage *g, uint32_t p, uint32_t row);
void simulation_end_task(struct stage *g, uint32_t p, uint32_t task);

END_C
