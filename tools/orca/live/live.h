#pragma once
/* A recording while it grows: how much time each lock, stack and state got in each second, and what
   each thread does now. It is a listener of the model, so its states and blocked times are those of
   all other views. Sums of short calls (short_calls.h) come when the agent
   writes them, up to a minute after the calls, so no second contains them: they are in batches
   (batch.h). Memory grows with the numbers of distinct stacks, threads and locks, and with the last
   LIVE_SECONDS seconds. Only one thread may use it. */
#include "agent/base/extern_c.h"
#include "tools/orca/live/batch.h"
#include "tools/orca/model/model.h"

BEGIN_C

#define LIVE_SECONDS 3600 /* how far a user can go back */

/* The agent writes sums of short calls at most so long after the calls (docs/format.md). */
#define LIVE_SUM_SECONDS 70

/* What time is summed up for. */
enum live_subject {
  LIVE_SITE,  /* threads were blocked: index of the lock in model.locks.rows << 32 | stack_id_t */
  LIVE_STATE, /* of all threads: enum activity */
  LIVE_STACK, /* CPU time: stack_id_t; 0: the stack is not known */
  NUM_LIVE_SUBJECTS
};

/* In ticks. 64 bits are too few for the sum over 10,000 threads in two days. */
__extension__ typedef __int128 live_time_t;

struct live_sum {
  enum live_subject subject;
  uint64_t number;
  /* Since the start of the recording. In ticks, because nanoseconds would lose a part of each wait.
     Signed, because a later line can show that a thread was in another state. */
  live_time_t time;
  uint64_t count; /* LIVE_SITE: attempts that had to wait and have ended */
  /* LIVE_SITE: those without lines, which are not in `time` and `count`, because it is
     not known in which second they were. */
  struct short_calls short_waits;
  live_time_t open_time; /* part of `time`: of calls and states that have not ended */
  live_time_t told_time; /* part of `time` that the ended seconds contain */
  uint64_t told_count;
};

struct live_change {
  uint32_t sum; /* index */
  uint32_t count;
  int64_t time; /* in ticks */
};

/* A thread that is blocked at the end of a second. */
struct live_blocked {
  uint32_t thread;
  uint32_t lock;  /* index in model.locks.rows */
  uint32_t owner; /* 0: not known */
  ticks_t since;
  stack_id_t stack;
  enum activity owner_activity; /* of `owner`, with the next one */
  stack_id_t owner_stack;       /* 0: not known */
};

struct live_second {
  ticks_t end;
  ticks_t length;                   /* shorter for the last one of a recording; see live_advance */
  uint64_t events;                  /* lines of .orca */
  uint64_t process_ns;              /* CPU time of the process */
  uint64_t pause_ns;                /* of the garbage collector */
  uint64_t threads[NUM_ACTIVITIES]; /* living threads by state, at the end */
  struct live_change *changes;
  size_t num_changes;
  struct live_blocked *blocked; /* those that have been for the longest time first */
  size_t num_blocked;
};

/* What a living thread does now. By its row in model.threads. */
struct live_thread {
  bool lives;
  enum activity activity;
  enum event_kind call; /* the begin event, if it `is_in_call` */
  bool is_in_call;
  uint32_t object;
  stack_id_t stack;
  ticks_t since;
};

struct live {
  /* Recording, threads and titles. `locks` has a row for each lock that threads waited for and each
     semaphore, without most figures; `cpu` is that of struct live_sum. */
  struct model model;
  struct hashmap sum_ids[NUM_LIVE_SUBJECTS]; /* number -> index plus one */
  struct live_sum *sums;
  size_t num_sums, sums_capacity;

  struct live_thread *now; /* by row of model.threads */
  size_t num_now, now_capacity;
  bool peeks;        /* parts of lives are those up to now, of what has not ended */
  bool has_cpu;      /* there was a Cpu line */
  ticks_t start, at; /* of the recording; everything up to `at` is read */
  struct live_second current;
  struct live_second *seconds; /* a ring */
  uint64_t num_seconds;        /* since the start; LIVE_SECONDS of them are kept */
  struct batches batches;      /* those of the kept seconds, and of LIVE_SUM_SECONDS before */
  bool has_ended;              /* live_advance with `is_end` */
  uint64_t events, process_ns, pause_ns; /* sums over all seconds that have ended */
};

/* live_start prepares to read a dump from its start, or from the first set that is left. The dump
   must outlive `l`, which must not move. live_free frees its memory. */
bool live_start(struct live *l, struct dump *d);
void live_free(struct live *l);

/* live_advance reads all lines up to a time, and ends the seconds up to then. With `is_end`, it
   ends the last second too, which is shorter. A time without lines that is longer than LIVE_SECONDS
   is one long second and LIVE_SECONDS short ones. Call dump_refresh before. False: memory ran out.
 */
bool live_advance(struct live *l, ticks_t until, bool is_end);

/* live_second returns a second by its number, from 0; NULL if it is not kept any more or has not
   ended yet. */
const struct live_second *live_second(const struct live *l, uint64_t number);

/* live_clamp_time returns a time of live_sum or live_change; 0 if it is negative. */
static inline live_time_t live_clamp_time(live_time_t time) { return time > 0 ? time : 0; }

/* live_lock_is_signal returns lock_is_signal of a lock, as far as the recording tells by now. */
bool live_lock_is_signal(const struct live *l, uint32_t lock);

/* live_deadlocks fills the empty `*out` with the deadlocks of now. */
bool live_deadlocks(const struct live *l, struct deadlocks *out);

END_C
