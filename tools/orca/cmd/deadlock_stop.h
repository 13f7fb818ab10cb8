#pragma once
/* Looks for deadlocks in the recordings of a run while they grow. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "agent/base/extern_c.h"

BEGIN_C

struct follow;

/* A recording of the run. */
struct followed {
  char *prefix;
  struct follow *follow; /* NULL: it cannot be read */
  unsigned times;        /* that a deadlock was there, one look after the other */
  uint64_t events;       /* of the last look */
  unsigned quiet;        /* looks since the last new event */
  unsigned quiet_times;  /* that the whole recording had a deadlock while no event was written */
};

/* Start with the first two set and everything else zero; free it with deadlock_stop_free. */
struct deadlock_stop {
  const char *prefix, *run; /* as for new_dumps_find */
  struct followed *rows;
  size_t num, capacity;
  const char *found; /* prefix of the recording with the deadlock; NULL: none yet */
};

/* deadlock_stop_look reads what was written since the last call, also of new recordings. `arg` is a
   struct deadlock_stop. Returns whether a recording had a deadlock in this look and in the one
   before. Rings through the queues of pools are seen only by a pass over the whole recording, which
   knows that no thread goes on. So such a pass is made if no event was written for some looks, and
   again after twice as many. */
bool deadlock_stop_look(void *arg);
void deadlock_stop_free(struct deadlock_stop *s);

END_C
