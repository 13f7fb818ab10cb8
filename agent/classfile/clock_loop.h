#pragma once
/* Loops that a time ends: "while (System.nanoTime() < end)". */
#include "agent/classfile/pool.h"

BEGIN_C

/* The instructions from `from` to `to`, of which the last one jumps back to `from`. */
struct clock_loop {
  uint32_t from, to;
};

/* What a method does, so that a loop that calls it may end at a time. */
enum clock_helper {
  CLOCK_HELPER_NONE,
  CLOCK_HELPER_READS,  /* returns a time: "return System.nanoTime() - start" */
  CLOCK_HELPER_DECIDES /* returns whether it is a time: "return System.nanoTime() < end" */
};

/* clock_helper_of tells it of the code of a method with this descriptor. */
enum clock_helper clock_helper_of(struct span code, struct span descriptor, const struct pool *p);

/* Tells what a method of the class itself does that a loop calls. */
struct clock_helpers {
  struct span class_name; /* of the loop, "com/acme/Shop" */
  enum clock_helper (*ask)(void *arg, struct span name, struct span descriptor);
  void *arg;
};

/* clock_loop_may_be tells whether the code of a method has a jump backward, and a call before it:
   without both there is no such loop, and the caller needs no pool. */
bool clock_loop_may_be(struct span code);

/* clock_loop_find finds the largest loop of a method that reads the clock of java.lang.System or
   java.time, compares the time, and is left or goes on depending on that. A method of the class may
   read the clock for it, or one of another class whose name tells of time; `helpers`: NULL if these
   are not known. A loop that only measures a time,
   does something at times, or is left by an exception then, is none: a program does not fail on
   purpose. Returns false if there is none. */
bool clock_loop_find(struct span code, const struct pool *p, const struct clock_helpers *helpers,
                     struct clock_loop *out);

END_C
