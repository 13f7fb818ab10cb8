#pragma once
/* Split guards: code of one class that synchronizes on two different monitors. Part of the code
   uses the monitor of an object of the class itself, the rest the monitor of another object. Then
   two threads can be inside at the same time, which may be a mistake.

   This needs all uses of monitors (monitors=all). A class is only of interest if its code uses one
   object of the class and one other object as monitors. The memory grows with the number of
   classes. */
#include "agent/base/extern_c.h"
#include "tools/orca/model/state/holders.h"

BEGIN_C

/* A thread inside of a monitor that it entered in the code of a class. */
struct guard_inside {
  uint32_t thread, object;
  bool own; /* the monitor is of an object of the class */
  place_t place;
};

#define GUARD_INSIDE 16 /* threads inside of one class at a time; further ones are ignored */

struct guard {
  uint32_t class_id;
  uint32_t own, other; /* objects: of the class, not of the class; 0: none so far */
  bool several;        /* the code uses more than these two; the class is of no interest */
  uint64_t meetings;   /* how often a thread entered one while another thread was in the other */
  place_t own_place, other_place;  /* where each thread entered at the last meeting */
  uint64_t own_times, other_times; /* how often each monitor was entered */
  struct guard_inside inside[GUARD_INSIDE];
  unsigned num_inside;
};

/* A struct of zeros is empty; guards_free frees its memory. */
struct guards {
  struct hashmap ids; /* ClassID -> row plus one */
  struct guard *rows;
  size_t num, capacity;
};

void guards_free(struct guards *g);

END_C
