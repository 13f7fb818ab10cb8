#pragma once
/* The periods of a recording between which the limit of its speed changed: first one thread ran,
   then threads queued for a lock, then the CPUs were full. They come from the slices of struct
   spending, so the memory does not depend on the recording. */
#include "agent/base/extern_c.h"
#include "tools/orca/model/base/segments.h"
#include "tools/orca/model/locks.h"
#include "tools/orca/model/spending.h"

BEGIN_C

enum period_limit {
#define PERIOD_LIMIT(id, key, name) PERIOD_LIMIT_##id,
#include "tools/orca/model/period_limit.def"
  NUM_PERIOD_LIMITS
};

/* By enum period_limit. */
extern const char *const period_limit_keys[NUM_PERIOD_LIMITS];
extern const char *const period_limit_names[NUM_PERIOD_LIMITS];

/* Numbers of threads and CPUs are averages over the period. Threads that wait for work count
   nowhere. */
struct period {
  ticks_t begin, end;
  enum period_limit limit;
  double cpus;        /* that the process used */
  double ready;       /* threads that ran or were ready to run, as far as the kernel knows; the JVM
                         calls also a thread runnable that waits for a class to be initialized */
  double queued;      /* Java threads that waited for a CPU, in any state; 0 also if not known */
  double blocked, io; /* threads in these states */
  double paused;      /* part of the time in which the garbage collector stopped the program */
  double quiet;       /* part of the time in which no thread was in one of these states, at least */
  bool are_blocked;   /* many threads were blocked, whatever the limit is */
  uint32_t lock;      /* then: the object for which they were blocked most of the time; 0: none */
  /* The place where threads were longest in the state of the limit, if they were there for at least
     half of that time; 0: there is none. REST: threads that sleep or wait. */
  place_t place;
};

struct periods {
  struct period rows[SEGMENTS_MOST]; /* in order of time, without gaps */
  size_t num; /* 1: the limit was the same all the time; 0: not known, or it is too short */
};

/* What periods_find works with. All are the caller's. */
struct periods_input {
  const struct spending *spending; /* after spending_end */
  const struct locks *locks;       /* after locks_end */
  ticks_t to;                      /* the end of the last period */
  bool cpu_known;                  /* spending_process was called */
  bool wait_known;                 /* its times contain the waits for a CPU */
  double cpus;                     /* that the process may use; 0: not known */
};

/* periods_find fills `*out`. It returns false when memory ran out. */
bool periods_find(const struct periods_input *in, struct periods *out);

END_C
