#pragma once
/* What script_*.c share. */
#include "tools/orca/causal/whatif/known_holds.h"
#include "tools/orca/causal/whatif/script.h"

struct script_latch {
  uint32_t point; /* plus one */
  uint32_t count; /* how often it was counted down */
  ticks_t last;
};

/* What the operations of all threads together say about queues, barriers and points. */
struct script_marks {
  uint32_t *of_op; /* by operation. Of a TRACE_MEET: generation plus one. Else the point that
                      the thread reaches there, plus one; 0: none */
  struct hashmap latch_ids; /* object -> row plus one */
  struct script_latch *latches;
  size_t num_latches, latches_capacity;
  struct hashmap queues; /* object -> row plus one; only queues of which every operation is known */
  uint32_t *of_task;     /* by task: the point that it reaches at its end, plus one; 0: none */
  struct hashmap futures; /* the wait for the future of a task, as operation plus one -> that point,
                             plus one. The task had ended, or it is not known who woke the waiter */
};

/* script_mark fills empty marks. Returns false when memory ran out; call script_unmark either way.
 */
bool script_mark(struct script_marks *m, struct script *s);
void script_unmark(struct script_marks *m);

/* script_add_pools fills `found`, `pools` and `tasks`. Returns false when memory ran out. */
bool script_add_pools(struct script *s);

/* script_add_locks fills `locks`, and takes the CPU time of wake-ups (wake_cost.h) out of `need`,
   the CPU time of the stretch before each operation. Returns false when memory ran out. */
bool script_add_locks(struct script *s, float *need);

/* --- script_thread.c --- */

#define SCRIPT_MAX_HELD 32 /* locks that a thread holds at once; others do not count */

/* A lock with lines for its releases that the thread holds at this point of the script. */
struct script_held {
  uint32_t lock; /* plus one */
  unsigned depth;
  bool is_read;
  uint32_t hold; /* the inferred hold plus one; 0: its release has a line, or is not known */
};

/* The beginning or the end of an inferred hold. */
struct script_bound {
  ticks_t time;
  uint32_t hold;
  bool is_end;
};

/* The writing of a thread. */
struct script_writer {
  struct script *script;
  const struct trace *trace;
  struct script_marks marks;
  struct known_holds holds;
  float *need; /* CPU time, by operation */
  struct hashmap site_ids, group_ids;
  const char *work;
  double frame_cost; /* CPU time of recording a frame of a stack, in nanoseconds; 0: not known */
  double cost_scale; /* as cost_scale returns it */
  bool failed;       /* memory ran out */

  struct script_thread *thread;
  struct script_held held[SCRIPT_MAX_HELD];
  size_t num_held;
  const struct known_hold *thread_holds; /* inferred ones; their bounds are cut into the acts */
  size_t num_thread_holds;
  struct script_bound *bounds;
  size_t num_bounds, next_bound, bounds_capacity;
  ticks_t early_until; /* signals inside the last operation up to here are written */

  /* Of a thread of a known pool. */
  bool works;    /* its ACT_WORK is written */
  uint32_t task; /* that it runs, plus one; 0: none */
  size_t after;  /* the act after its last task */
};

/* script_write_thread writes the acts of a thread, by its row. `failed`: memory ran out. */
void script_write_thread(struct script_writer *w, uint32_t row);

/* script_put_act adds an act to those of the thread. It never returns NULL. script_put_time adds a
   wait of a length, if it has one; script_put_lock an act about a lock, given as row plus one. */
struct act *script_put_act(struct script_writer *w, enum act_kind kind, uint32_t object);
void script_put_time(struct script_writer *w, enum act_kind kind, ticks_t time,
                     const struct trace_op *op);
void script_put_lock(struct script_writer *w, enum act_kind kind, uint32_t lock, bool is_read,
                     stack_id_t stack);

/* --- script_holds.c --- */

/* script_start_holds finds the inferred holds of a thread, by its row. It holds no lock yet. */
void script_start_holds(struct script_writer *w, uint32_t thread);

/* script_put_acquire writes an acquisition. script_leave_lock writes a release, unless the thread
   does not hold the lock, or still holds it. script_leave_all releases all locks. */
void script_put_acquire(struct script_writer *w, const struct trace_op *op);
void script_leave_lock(struct script_writer *w, uint32_t lock);
void script_leave_all(struct script_writer *w);

/* script_find_given returns the lock that a thread gives away while it waits, if the thread holds
   it; else NULL. */
struct script_held *script_find_given(struct script_writer *w, const struct trace_op *op);

/* script_leave_inferred ends the inferred holds at an operation that waits for other threads. */
void script_leave_inferred(struct script_writer *w, const struct trace_op *op);

/* script_put_bound writes the beginning or the end of an inferred hold. script_put_bounds_in writes
   those within an operation that precede it, or those that follow it. script_pass_bounds skips
   those before a time. */
void script_put_bound(struct script_writer *w, const struct script_bound *b);
void script_put_bounds_in(struct script_writer *w, const struct trace_op *op, bool before);
void script_pass_bounds(struct script_writer *w, ticks_t until);

/* --- script_pools.c: tasks --- */

/* script_divide_tasks divides the acts of a thread of a known pool into tasks. What the thread does
   after a task, such as signals to others that wait for the queue, becomes the beginning of its
   next task. */
void script_divide_tasks(struct script_writer *w, const struct trace_op *op);

/* script_waits_for_task returns whether an operation of such a thread waits for a task, which lasts
   until there is one. */
bool script_waits_for_task(const struct script_writer *w, const struct trace_op *op);
