#pragma once
/* Loops that a time ends: "while (System.nanoTime() < end)". */
#include "agent/classfile/pool.h"

BEGIN_C

/* The instructions from `from` to `to`, of which the last one jumps back to `from`. */
struct clock_loop {
  uint32_t from, to;
};

/* clock_loop_may_be tells whether the code of a method has a jump backward, and a call before it:
   without both there is no such loop, and the caller needs no pool. */
bool clock_loop_may_be(struct span code);

/* clock_loop_find finds the largest loop of a method that reads the clock of java.lang.System or
   java.time, compares the time, and is left or goes on depending on that. A loop that only measures
   a time, or does something at times, is none. Returns false if there is none. */
bool clock_loop_find(struct span code, const struct pool *p, struct clock_loop *out);

END_C
