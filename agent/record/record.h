#pragma once
/* What travels from a thread of the program, or from the sampler, to the writer: one cache line,
   copied in and out of a queue. No JVMTI type crosses here. */
#include <stdint.h>

#include "agent/event/event.h"

#ifdef __cplusplus
extern "C" {
#endif

struct stack;   /* meta/stacks.h */
struct blocked; /* monitor/owners.h */

enum record_kind {
  RECORD_EVENT,
  RECORD_TICK,
  RECORD_SAMPLE,
  RECORD_CPU,
  RECORD_PROCESS,
  RECORD_TASK,
  RECORD_SCHED,
  RECORD_PAUSE
};

struct record {
  uint64_t time_ns; /* set by the queue at the moment the record enters it */
  uint8_t kind;     /* enum record_kind */
  uint8_t event;    /* enum event_kind, of a RECORD_EVENT */
  uint8_t state;    /* SAMPLE: enum thread_state; CPU: enum cpu_place; TASK: enum task_kind */
  uint32_t thread; /* hashes, as in the files; 0 is none. TASK: the kernel's number of the thread */
  uint32_t object;
  uint32_t owner;
  struct stack *stack; /* NULL: no stack */
  union {
    struct blocked *blocked; /* MonitorContendedEnter: where a late owner appears, or NULL;
                                MonitorOwner: of the thread that blocks */
    struct {
      char *text; /* ThreadStarted: the escaped name, malloc'ed; the writer frees it */
      uint64_t len;
    } name;
    struct {
      int64_t number, pause_ns, threads;
    } tick;
    int64_t cpu_ns;   /* SAMPLE, CPU; an event of the shape TKCS */
    int64_t wait_ns;  /* SCHED */
    int64_t pause_ns; /* PAUSE */
    struct {
      int64_t cpu_ns, throttled_ns;
    } process;
    struct {
      char *name; /* escaped, with a NUL, malloc'ed; the writer frees it */
      int64_t cpu_ns, wait_ns;
    } task;
  } u;
};

/* record_take_owner gives the owner that the line of an event names, and lets its slot go. Once.
   Any thread. */
uint32_t record_take_owner(const struct record *r);

/* record_release gives back what a record owns that will not be written: its stack's use, its name,
   its slot. Any thread. */
void record_release(const struct record *r);

#ifdef __cplusplus
}
#endif
