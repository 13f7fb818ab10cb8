#pragma once
/* The state of one thread over time. This is the only place that decides it: the tables of threads,
   the timeline, the page and the exports all use it, so their sums are equal.

   - Events win. From the begin event of a call to its end event the thread is in the state of the
     innermost call (activity_of_call). An acquisition that found its lock free is no blocked time:
     the thread ran. Only inside a call where the JDK can run code of the program
     (activity_can_run_inside) can a sample say that the thread runs.
   - Samples tell the state of the rest, from a sample to the next sample or event. A thread that a
     sample finds blocked on a monitor, though its events say that it is in no such call, is in
     NO_CALL.
   - After an event a thread runs until a sample says otherwise. If that sample shows another state,
     the thread ran for as long as it used CPU time since the sample before, and then was in the
     state of the sample. If it hardly used any though the sample shows that it runs, it was in
     NO_CALL.
   - A sample whose round began before the last event of the thread may show the state before that
     event. It counts only if the thread has no line in the next round: then it is still true. It
     never counts if that event ended a call and the sample shows the state of this call.
   - A running thread without a line in a round of the sampler used no CPU time: it is RUNNABLE
     since its last event or line. In native code it is in NO_CALL, because it may wait.
   - A thread that waits for another one to initialize a class is runnable for the JVM. A
     ClassInitWait tells that it WAITS, since its last event or line, until the next one.
   - A thread that no sample shows is in NO_CALL between its calls: a short-lived thread, or a
     virtual thread that is on no carrier when the sampler looks. Nothing tells whether it ran. */
#include "agent/base/extern_c.h"
#include "tools/orca/model/pass.h"

BEGIN_C

/* Nested calls of one thread that have not ended. If there are more, the outermost is forgotten. */
#define LIFE_NESTED 8

/* A call that blocks or waits: the fields of its begin event. */
struct life_call {
  enum event_kind kind;
  uint32_t object, owner;
  stack_id_t stack;
};

/* A time of a thread in one state. */
struct life_part {
  ticks_t begin, end;
  enum activity activity;
  const struct life_call *call; /* that the thread was in; NULL: none, or code inside of a call */
  stack_id_t stack;             /* of the call or of the sample; 0: not known */
  /* The calls around the innermost one, the outermost first. */
  const struct life_call *around;
  unsigned num_around;
};

/* What the lives of all threads share. After life_clock_start the caller sets `put` and `arg`. Then
   it calls life_clock_take for each step. */
struct life_clock {
  ticks_t from, to;  /* times outside of this range are left out */
  bool lossy;        /* coverage_is_lossy: ends of calls may be missing */
  bool has_monitors; /* all contended monitors have events */
  /* Receives the parts of a life in the order of time, without gaps while the thread lives. `row`
     is that of life_take. False: memory ran out. */
  bool (*put)(void *arg, void *row, const struct life_part *part);
  void *arg;

  ticks_t tick, tick_before; /* the last two rounds of the sampler */
  bool cpu_known;            /* the JVM tells the CPU time of threads */
};

/* All zero is a thread without any line. It owns no memory. */
struct life {
  bool lives, ended;
  bool is_sampled; /* its last Sample line shows it, so its next calls are between samples */
  bool is_assumed; /* `seen` follows from an event, and not from a sample */
  bool has_called; /* one of its calls has begun or ended */
  bool is_native;  /* a sample saw it in native code */
  bool works;      /* it runs code of the program inside of its innermost call */
  bool is_late;    /* its last line is a sample whose round began before an event of the thread */
  unsigned num_nested;
  enum activity seen;      /* outside of calls */
  stack_id_t stack;        /* where a sample saw it so; 0: not known */
  enum activity left;      /* of the call that its last event ended; RUNS: that ended no call */
  enum activity late_seen; /* these are `seen` and `stack` of a late sample */
  stack_id_t late_stack;
  ticks_t at;                           /* the time before has been put */
  ticks_t event;                        /* time of its last event */
  ticks_t heard;                        /* time of its last event or sample */
  struct life_call nested[LIFE_NESTED]; /* calls that have not ended; innermost last */
  /* Set by life_end: since then the thread has been in one and the same native call that waits for
     I/O, as far as the sampler saw. If it had been in another call, or had used CPU time, it had a
     later line. 0: it was in no such call. */
  ticks_t io_since;
};

/* life_clock_start prepares a clock for the lives in a dump between two times. */
void life_clock_start(struct life_clock *c, const struct dump *d, ticks_t from, ticks_t to);

/* life_clock_take takes a step before life_take. It returns whether the step is a Sample line or an
   event of a thread, and in the range, so that life_take must take it for that thread. */
bool life_clock_take(struct life_clock *c, const struct step *step);

/* life_take takes an event or a Sample line of the thread; `stack` of calls is that of the step. It
   returns false when memory ran out. */
bool life_take(struct life *l, const struct life_clock *c, const struct step *step, void *row);

/* life_end puts the time up to `end`, if the thread still lives, and sets `io_since`. It returns
   false when memory ran out. */
bool life_end(struct life *l, const struct life_clock *c, ticks_t end, void *row);

END_C
