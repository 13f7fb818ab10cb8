#pragma once
/* What the threads of the program spend their time with: by state, call and place. It answers the
   first question of a report: what should I look at? Time in which a thread waits for work is left
   out (idle_method.def). Waiting and sleeping are a reason for slowness only while nothing else
   happens. So of these the quiet time matters: no thread ran or was ready to run, was blocked on a
   lock, or was in I/O. */
#include "agent/base/extern_c.h"
#include "tools/orca/model/base/tally.h"
#include "tools/orca/model/life.h"
#include "tools/orca/model/state/task_runner.h"

BEGIN_C

#define SPENDING_SLICES 256 /* of the recording; quiet time is measured in each slice */

struct spending_row {
  uint32_t id; /* its group in `threads` */
  enum activity activity;
  int call;         /* the begin event of the call, an enum event_kind; -1: none */
  place_t place;    /* 0: not known */
  stack_id_t stack; /* at this place: the one with more than half of the time, if there is one */
  ticks_t lead;     /* only for the choice of `stack`: see vote in spending.c */
  bool is_idle;
  ticks_t total;
  ticks_t quiet;
  ticks_t slices[SPENDING_SLICES]; /* of `total` */
};

/* All zero before spending_start; spending_free frees the memory. */
struct spending {
  const struct dump *dump; /* the caller's, as is the next one */
  const struct stacks *stacks;
  ticks_t from;          /* the beginning of the first slice */
  ticks_t slice;         /* length of a slice; doubled when the recording turns out to be longer */
  struct hashmap places; /* place -> a number */
  struct hashmap known;  /* stack, state, call -> row plus one */
  struct hashmap ids;    /* state, call, place, idle -> row plus one */
  struct spending_row *rows;
  size_t num, capacity;
  struct tally threads;          /* by row: hash of the thread */
  struct hashmap runners;        /* stack -> enum task_runner plus one */
  struct tally tasks;            /* by enum task_runner: spending_task_key; the time in its tasks */
  ticks_t busy[SPENDING_SLICES]; /* sum over all threads that are busy: no quiet time */
  ticks_t standing[SPENDING_SLICES]; /* of these: in I/O calls that do not end (spending_stand) */
  /* Of the whole process: CPU time; how long Java threads waited for a CPU; pauses of the garbage
     collector. */
  ticks_t cpu[SPENDING_SLICES], queued[SPENDING_SLICES], paused[SPENDING_SLICES];

  /* After spending_end. */
  ticks_t quiet;                       /* of the recording */
  ticks_t in_activity[NUM_ACTIVITIES]; /* sum over all rows that are not idle */
};

/* spending_start prepares for times from `from` on. */
void spending_start(struct spending *s, const struct dump *d, const struct stacks *stacks,
                    ticks_t from);

/* spending_add adds a part of the life of a thread. Returns false when memory ran out. */
bool spending_add(struct spending *s, uint32_t thread, const struct life_part *part);

/* spending_stand notes that a thread was in one I/O call from `begin` to `end`, and in no other
   call later. */
void spending_stand(struct spending *s, ticks_t begin, ticks_t end);

/* spending_process adds CPU time of the process, and the time that its Java threads waited for a
   CPU, both evenly from `begin` to `end`. spending_pause adds a pause of the garbage collector.
   Both ignore what is before the first slice. */
void spending_process(struct spending *s, ticks_t begin, ticks_t end, ticks_t used, ticks_t queued);
void spending_pause(struct spending *s, ticks_t begin, ticks_t end);

/* spending_end computes the quiet times up to `to`, and sorts the rows by `total`, the largest
 * first. */
void spending_end(struct spending *s, ticks_t to);

/* spending_largest returns the row with this activity, not idle, that has the largest total; NULL:
   there is none. */
const struct spending_row *spending_largest(const struct spending *s, enum activity activity);

/* spending_worked returns the time in which threads were busy: they ran, were ready to run, were
   blocked on a lock, or were in I/O. */
ticks_t spending_worked(const struct spending *s);

/* spending_overlap returns for how long both rows had time in the same slices: the sum of the
   smaller times. */
ticks_t spending_overlap(const struct spending_row *a, const struct spending_row *b);

/* spending_at_once returns for how long, at least, `num` threads of a row were in its state at the
   same time. */
ticks_t spending_at_once(const struct spending *s, const struct spending_row *row, size_t num);

/* spending_still returns for how long no thread had run or been blocked at `to`, the end of the
   recording, or been in I/O, except for that of spending_stand. */
ticks_t spending_still(const struct spending *s, ticks_t to);

/* spending_busy returns for how long threads were busy between two times, summed over them, without
   the I/O of spending_stand. Of a slice that is only partly in between, the part counts that would
   be there if it were spread evenly. */
ticks_t spending_busy(const struct spending *s, ticks_t begin, ticks_t end);

/* spending_is_idle returns whether a stack is that of a thread that waits for work. */
bool spending_is_idle(const struct spending *s, stack_id_t stack);

/* The time of a thread in a row, in tasks of one runner. */
static inline uint64_t spending_task_key(uint32_t row, uint32_t thread) {
  return (uint64_t)row << 32 | thread;
}

/* spending_is_in_tasks returns whether most of the time of a row is in tasks. After
   spending_end. */
bool spending_is_in_tasks(const struct spending *s, const struct spending_row *row);

/* spending_waited_for_work returns for how long a thread was in rows that are idle. After
   spending_end. */
ticks_t spending_waited_for_work(const struct spending *s, uint32_t thread);

void spending_free(struct spending *s);

END_C
