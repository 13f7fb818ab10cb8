#pragma once
/* Looks for deadlocks in the recordings of a run while they grow. */
#include <stdbool.h>
#include <stddef.h>

#include "agent/base/extern_c.h"

BEGIN_C

struct follow;

/* A recording of the run. */
struct followed {
  char *prefix;
  struct follow *follow; /* NULL: it cannot be read */
  unsigned times;        /* that a deadlock was there, one look after the other */
};

/* Start with the first two set and everything else zero; free it with deadlock_stop_free. */
struct deadlock_stop {
  const char *prefix, *run; /* as for new_dumps_find */
  struct followed *rows;
  size_t num, capacity;
};

/* deadlock_stop_look reads what was written since the last call, also of new recordings. `arg` is a
   struct deadlock_stop. Returns whether a recording had a deadlock in this look and in the one
   before. */
bool deadlock_stop_look(void *arg);
void deadlock_stop_free(struct deadlock_stop *s);

END_C
