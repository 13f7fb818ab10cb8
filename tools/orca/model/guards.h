#pragma once
/* Which monitors guard a class: its own objects' and others. Where one object of a class is guarded
   by its own monitor in some of its code and by another object's in the rest, two threads can be
   inside at the same time: two monitors where one was meant, perhaps. Only seen where each use of a
   monitor is recorded (monitors=all), and only told where it is not to be mixed up: the code of the
   class uses one object of the class as a monitor and one other.

   First the events in their order, then ask. Memory goes by classes and by what is under way. */
#include "tools/orca/model/state/holders.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The code of a class inside of a monitor. */
struct guard_inside {
  uint32_t thread, object;
  bool own; /* the monitor is of an object of the class */
  place_t place;
};

#define GUARD_INSIDE 16 /* at a time in the code of one class; more are not looked at */

struct guard {
  uint32_t class_id;
  uint32_t own, other; /* the monitors; 0: none so far */
  bool several;        /* there are more: nothing is told */
  uint64_t meetings;   /* times that a thread came into one while another one was in the other */
  place_t own_place, other_place; /* of the last of them */
  uint64_t own_times, other_times;
  struct guard_inside inside[GUARD_INSIDE];
  unsigned num_inside;
};

/* All zero is empty; guards_free gives the memory back. */
struct guards {
  struct hashmap ids; /* ClassID -> row plus one */
  struct guard *rows;
  size_t num, capacity;
};

/* guards_event takes an event, before the holders do; `stack` is that of a MonitorEntered. False:
   memory ran out. */
bool guards_event(struct guards *g, const struct holders *holders, const struct dump *d,
                  const struct stacks *stacks, const struct event_line *line, stack_id_t stack);

void guards_free(struct guards *g);

#ifdef __cplusplus
}
#endif
