#pragma once
/* A record: an event or a sample on its way from a producer (a thread of the program, the sampler)
   to the writer thread. It fills one cache line and is copied into and out of the queue. It
   contains no JVMTI type. */
#include <stdint.h>

#include "agent/base/extern_c.h"
#include "agent/event/event.h"

BEGIN_C

struct stack;   /* agent/record/stack.h */
struct blocked; /* agent/record/blocked.h */

/* An EVENT becomes a line of .orca. Each other kind becomes a line of .samples. */
enum record_kind {
  RECORD_EVENT,
  RECORD_TICK,    /* a tick of the sampler */
  RECORD_SAMPLE,  /* the state of a thread at a tick */
  RECORD_CPU,     /* CPU time of a thread, and where it was used */
  RECORD_PROCESS, /* CPU time of the process */
  RECORD_TASK,    /* CPU time of a kernel thread that is not a Java thread */
  RECORD_SCHED,   /* time that a Java thread waited on the run queue */
  RECORD_PAUSE    /* a GC pause */
};

#define RECORD_OLDER 1   /* the event begins a call that was open when the recording began */
#define RECORD_VIRTUAL 2 /* the start or the end of a virtual thread */

struct record {
  uint64_t time_ns; /* CLOCK_MONOTONIC; 0: queue_push sets it */
  uint8_t kind;     /* enum record_kind */
  uint8_t event;    /* EVENT: enum event_kind; SAMPLE: 1 for a virtual thread, else 0 */
  uint8_t state;    /* SAMPLE: enum thread_state; CPU: enum cpu_place; TASK: enum task_kind;
                       EVENT: RECORD_OLDER, RECORD_VIRTUAL, or 0 */
  uint32_t thread;  /* identity hash of the thread; TASK: tid of the kernel thread */
  uint32_t object;  /* EVENT: identity hash, or the ClassID of a shape with a class; 0: none */
  uint32_t owner;   /* EVENT with an owner: identity hash; 0: none, or not known yet. ThreadStarted,
                       TaskQueued, TaskTaken: ClassID of the thread or task, if the writer has to
                       define that; else 0 */
  struct stack *stack; /* EVENT, SAMPLE, CPU; NULL: no stack */
  union {
    /* MonitorContendedEnter: the slot in which the owner watch answers; NULL: no answer will come.
       MonitorOwner: the slot of the blocked thread. NULL for other events with an owner. */
    struct blocked *blocked;
    struct {
      char *text; /* of a shape with a name: escaped, malloc'ed, without a NUL; NULL: none */
      uint64_t len;
    } name;
    struct {
      int64_t number, pause_ns, threads; /* see struct sample_line */
    } tick;
    int64_t cpu_ns;                 /* SAMPLE, CPU, MethodExit; -1: not measured */
    uint32_t executor;              /* TaskQueued; 0: not known. TaskCompletes: the future */
    struct pool_size size;          /* PoolSize */
    struct missing_parties parties; /* LatchLacks, PhaserLacks */
    int64_t wait_ns;                /* SCHED */
    int64_t pause_ns;               /* PAUSE */
    struct {
      int64_t cpu_ns, throttled_ns;
    } process;
    struct {
      char *name; /* the escaped name, malloc'ed, with a NUL */
      int64_t cpu_ns, wait_ns;
    } task;
  } u;
};

/* A record owns one use of its stack, its name, and one party of its slot (blocked.h). The writer
   releases them when it writes the record. */

/* record_take_owner returns the owner for the line of an event with an owner (0: not known), and
   releases the record's party of the slot. Call it once for each record. Any thread. */
uint32_t record_take_owner(const struct record *r);

/* record_release releases everything that a record owns, if the record will not be written. Any
   thread. */
void record_release(const struct record *r);

END_C
