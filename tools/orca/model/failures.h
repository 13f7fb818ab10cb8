#pragma once
/* Exceptions that ended threads, or tasks of executors. */
#include "agent/base/extern_c.h"
#include "agent/base/hashmap.h"
#include "tools/orca/dump/arena.h"
#include "tools/orca/dump/dump.h"

BEGIN_C

struct failure {
  uint32_t thread;
  uint32_t exception;  /* the object */
  struct span thrower; /* where it was thrown, escaped: "com.acme.Cart.add (Cart.java:7)"; empty:
                          not known */
  ticks_t time;
};

#define FAILURES_KEPT 3 /* tasks */

/* A struct of zeros is empty; failures_free frees its memory. */
struct failures {
  struct hashmap ids;   /* thread -> row plus one */
  struct failure *rows; /* the threads that an exception ended: the last time of each */
  size_t num, capacity;
  struct failure tasks[FAILURES_KEPT]; /* the first ones */
  uint64_t num_tasks;                  /* all */
  struct hashmap last_ids;             /* thread -> row of `last` plus one */
  struct failure *last; /* the last task of each thread, if it failed; else the time is 0 */
  size_t num_last, last_capacity;
  struct arena arena;
};

/* failures_find returns what ended a thread; NULL: no exception, or that is not known. */
const struct failure *failures_find(const struct failures *f, uint32_t thread);

/* failures_last_task returns what ended the last task that a thread had; NULL: no exception, or
   that is not known. */
const struct failure *failures_last_task(const struct failures *f, uint32_t thread);

void failures_free(struct failures *f);

END_C
