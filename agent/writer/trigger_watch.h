#pragma once
/* Looks whether a trigger of the option `trigger` fires: gives the alarm what it has to know
   besides events, which are lost events, signals, CPU time, and the answers about deadlocks. Writer
   thread only. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "agent/base/extern_c.h"
#include "agent/files/carryover.h"
#include "agent/files/writer_input.h"
#include "agent/writer/alarm.h"

BEGIN_C

/* All zero is off. */
struct trigger_watch {
  struct alarm alarm;
  struct carryover threads; /* their names; without samples */
  bool names_threads;       /* the trigger `method` has been possible, which names the thread */
  unsigned signals;         /* those that the alarm knows */
  uint64_t dropped;         /* the same for events */
};

/* trigger_watch_begin begins with the triggers of `input`, whose options must live until the end.
   trigger_watch_end frees the memory; then it is off. */
void trigger_watch_begin(struct trigger_watch *w, const struct writer_input *input);
void trigger_watch_end(struct trigger_watch *w);

/* trigger_watch_change begins again with other triggers, and keeps the names of threads. */
void trigger_watch_change(struct trigger_watch *w, const struct writer_input *input);

bool trigger_watch_is_on(const struct trigger_watch *w);

/* trigger_watch_follow takes an event, in the order of time. */
void trigger_watch_follow(struct trigger_watch *w, const struct writer_input *input,
                          const struct record *event);

/* trigger_watch_look returns the trigger that fires now, or NUM_TRIGGERS. `known_ns`, `why`: see
   alarm_look. */
enum trigger trigger_watch_look(struct trigger_watch *w, const struct writer_input *input,
                                uint64_t now_ns, uint64_t known_ns, char *why, size_t size);

END_C
