#pragma once
/* Looks whether a trigger of the option `trigger` fires: gives the alarm what it has to know
   besides events, which are lost events, signals, CPU time, and the answers about deadlocks. Writer
   thread only. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "agent/writer/alarm.h"
#include "agent/writer/writer_input.h"

#ifdef __cplusplus
extern "C" {
#endif

/* All zero is off. */
struct trigger_watch {
  struct alarm alarm;
  unsigned signals; /* those that the alarm knows */
  uint64_t dropped; /* the same for events */
};

/* trigger_watch_begin begins with the triggers of `input`. trigger_watch_end frees the memory; then
   it is off. */
void trigger_watch_begin(struct trigger_watch *w, const struct writer_input *input);
void trigger_watch_end(struct trigger_watch *w);

bool trigger_watch_is_on(const struct trigger_watch *w);

/* trigger_watch_look returns the trigger that fires now, with one sentence in `why`, or
   NUM_TRIGGERS. */
enum trigger trigger_watch_look(struct trigger_watch *w, const struct writer_input *input,
                                uint64_t now_ns, char *why, size_t size);

#ifdef __cplusplus
}
#endif
