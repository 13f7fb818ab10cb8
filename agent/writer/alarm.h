#pragma once
/* Decides when a trigger of the option `trigger` fires. It follows all events, also those that a
   threshold leaves out, and looks at the time once a second. The triggers:

   - deadlock: threads block each other in a ring. agent/deadlock asks the JVM about threads that
     have been blocked for a second. Its answer counts if all threads of the ring have been in the
     same calls since before the question.
   - blocked>5s: a thread has waited for a monitor or a lock for longer, in one call.
   - method>500ms: a call of a method of the option `track` has taken longer; it is over, or goes
   on.
   - contention>20%: in the last 5 s, threads waited for monitors and locks for more than this share
     of the time in which they waited for them or used a CPU; and not for less than half of the 5 s.
   - cpu>90%: in the last 5 s, the process used more than this share of its CPUs.
   - signal=USR1: the process received the signal.

   A condition that lasts fires once: a call, a ring, a share until it falls again. After blocked,
   method, contention or cpu has fired, none of these four fires for the time of the option `rest`.
   A wait for a semaphore is not counted, since it can be a wait for work. Writer thread only. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "agent/base/extern_c.h"
#include "agent/base/hashmap.h"
#include "agent/files/carryover.h"
#include "agent/options/options.h"
#include "agent/record/record.h"
#include "agent/record/suspects.h"
#include "agent/writer/long_calls.h"

BEGIN_C

#define ALARM_LOOK_NS UINT64_C(1000000000)   /* pause between two looks */
#define ALARM_WINDOW_NS UINT64_C(5000000000) /* the last so much time counts for shares */
#define ALARM_LOOKS 8                        /* that are remembered */
#define ALARM_SEARCH_COST 100                /* searches take at most 1/100 of the time */

/* A thread that is in a call that blocks. */
struct alarm_call {
  uint32_t thread, depth; /* depth: calls of this kind inside of each other, from 1 */
  uint64_t since_ns;
  bool has_fired; /* blocked has fired for it, or deadlock */
  bool in_ring;   /* deadlock has fired for it */
};

/* Sums since the beginning, at a look. */
struct alarm_look {
  uint64_t time_ns, cpu_ns;
  uint64_t blocked_ns; /* up to the time before which all events had been followed */
};

/* The caller sets the first fields, the others are zero; alarm_free frees it. */
struct alarm {
  const struct options *options; /* in force */
  double cpus;                   /* that the process may use; 0: not known, so `cpu>` never fires */
  uint64_t unseen_ns; /* in calls whose events never reach alarm_follow; set before each look */
  const struct carryover *threads; /* for their names; needed with `method>` */

  struct hashmap by_thread; /* hash of a thread -> index of its call, plus 1; 0: none */
  struct alarm_call *calls; /* those that are open, in no order */
  size_t num_calls, capacity;
  uint64_t ended_blocked_ns;            /* in calls that have ended */
  struct alarm_look looks[ALARM_LOOKS]; /* ring */
  unsigned num_looks;
  struct long_calls long_calls;
  struct long_call reported;    /* when `method>` fired last */
  uint64_t fired_ns;            /* blocked, method, contention or cpu; 0: never */
  bool has_fired[NUM_TRIGGERS]; /* contention or cpu: it has, and its share has not fallen since */
  uint64_t searched_ns;         /* calls that began before have been searched for a deadlock */
  uint64_t next_search_ns;      /* not before this time */
  bool has_signal;              /* alarm_signal, which has not fired yet */

  uint32_t ring[SUSPECTS_MAX]; /* the last answer */
  size_t num_ring;             /* 0: none, or it has been looked at */
  uint64_t asked_ns, answered_ns;
};

/* alarm_follow takes an event, in the order of time. */
void alarm_follow(struct alarm *a, const struct record *event);

/* alarm_forget forgets all open calls: events have been lost, so their ends may be. */
void alarm_forget(struct alarm *a);

/* alarm_signal says that the signal came. */
void alarm_signal(struct alarm *a);

/* alarm_is_due returns whether it is time for the next look, which needs the CPU time. */
bool alarm_is_due(const struct alarm *a, uint64_t now_ns);

/* alarm_look returns the trigger that fires at `now_ns`, with one sentence in `why`, or
   NUM_TRIGGERS. For TRIGGER_METHOD, `reported` says why instead, as only the caller knows methods
   by name. `known_ns`: all events before this time have been followed. `cpu_ns`: CPU time of the
   process up to now; not used unless alarm_is_due. Does nothing if less than a second has passed
   since the last look and no signal came. */
enum trigger alarm_look(struct alarm *a, uint64_t now_ns, uint64_t known_ns, uint64_t cpu_ns,
                        char *why, size_t size);

/* alarm_wants_look returns whether alarm_look must be called in a second even without an event. */
bool alarm_wants_look(const struct alarm *a);

/* alarm_suspects stores the hashes of the threads that the JVM must be asked about now, at most
   SUSPECTS_MAX, and returns their number. 0 if no thread has been blocked for a second since the
   last search, if that took long and is not long ago, or if the trigger is off. */
size_t alarm_suspects(struct alarm *a, uint64_t now_ns, uint32_t *out);

/* alarm_answer takes the answer to a question of `asked_ns`: the threads of a ring, or none. */
void alarm_answer(struct alarm *a, const uint32_t *ring, size_t num, uint64_t asked_ns,
                  uint64_t now_ns);

void alarm_free(struct alarm *a);

END_C
