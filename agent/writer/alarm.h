#pragma once
/* Decides when a trigger of the option `trigger` fires. It follows all events, also those that a
   threshold leaves out, and looks at the time once a second:

     deadlock      threads block each other in a ring. What threads have been blocked for a second,
                   somebody else asks the JVM about (agent/deadlock); what he found counts if all
                   threads of the ring were blocked all the time meanwhile
     blocked>5s    a thread has been blocked in one call for longer: it waits for a monitor, a lock
   or a semaphore contention>20%  threads were blocked for more than this share of the time in which
   they were blocked or used a CPU, in the last 5 s cpu>90%       the process used more than this
   share of its CPUs in the last 5 s signal=USR2   the process received the signal

   After one has fired, none but a signal fires for the time of the option `rest`. Writer thread
   only. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "agent/base/hashmap.h"
#include "agent/options/triggers.h"
#include "agent/record/record.h"
#include "agent/record/suspects.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ALARM_LOOK_NS UINT64_C(1000000000)   /* pause between two looks */
#define ALARM_WINDOW_NS UINT64_C(5000000000) /* the last so much time counts for shares */
#define ALARM_LOOKS 8                        /* that are remembered */

/* A thread that is in a call that blocks. */
struct alarm_call {
  uint32_t thread, depth; /* depth: calls of this kind inside of each other, from 1 */
  uint64_t since_ns;
};

/* What was known at a look: sums since the beginning. */
struct alarm_look {
  uint64_t time_ns, blocked_ns, cpu_ns;
};

/* All zero is off: nothing fires. The caller sets the first fields; alarm_free frees it. */
struct alarm {
  struct triggers triggers;
  uint64_t rest_ns;
  double cpus; /* that the process may use; 0: not known, so `cpu>` never fires */

  struct hashmap by_thread; /* hash of a thread -> index of its call, plus 1; 0: none */
  struct alarm_call *calls; /* those that are open, in no order */
  size_t num_calls, capacity;
  uint64_t ended_blocked_ns;            /* in calls that have ended */
  struct alarm_look looks[ALARM_LOOKS]; /* ring */
  unsigned num_looks;
  uint64_t fired_ns;    /* 0: never */
  uint64_t searched_ns; /* calls that began before have been searched for a deadlock */
  bool has_signal;      /* alarm_signal, not told yet */
};

/* alarm_follow takes an event, in the order of time. */
void alarm_follow(struct alarm *a, const struct record *event);

/* alarm_signal says that the signal came. */
void alarm_signal(struct alarm *a);

/* alarm_look returns the trigger that fires at `now_ns`, with one sentence in `why`, or
   NUM_TRIGGERS. `cpu_ns`: CPU time of the process up to now. Does nothing if less than a second
   has passed since the last look and no signal came. */
enum trigger alarm_look(struct alarm *a, uint64_t now_ns, uint64_t cpu_ns, char *why, size_t size);

/* alarm_wants_look returns whether alarm_look must be called in a second even without an event. */
bool alarm_wants_look(const struct alarm *a);

/* alarm_suspects stores the hashes of the threads that a deadlock search must ask about, at most
   SUSPECTS_MAX, and returns their number. 0 if no thread has been blocked for a second since the
   last search, or if the trigger is off or rests. */
size_t alarm_suspects(struct alarm *a, uint64_t now_ns, uint32_t *out);

/* alarm_confirm: a search that began at `asked_ns` found that `num` threads block each other.
   Returns TRIGGER_DEADLOCK and a sentence if each of them has been blocked in one call since then,
   else NUM_TRIGGERS. */
enum trigger alarm_confirm(struct alarm *a, const uint32_t *ring, size_t num, uint64_t asked_ns,
                           uint64_t now_ns, char *why, size_t size);

void alarm_free(struct alarm *a);

#ifdef __cplusplus
}
#endif
