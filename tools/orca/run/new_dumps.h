#pragma once
/* Finds the dumps that the JVMs of a run have written. */
#include <stddef.h>

#include "agent/base/bytes.h"
#include "agent/base/extern_c.h"

BEGIN_C

/* All zero is empty; free it with new_dumps_free. */
struct new_dumps {
  char **prefixes; /* in alphabetical order */
  size_t num, capacity;
};

/* new_dumps_find finds the dumps of a run, which have this value of the key `run` in .info. Their
   names are `prefix` with any text for its %p and %t, and with or without "-" and any text after
   it. Returns false if memory ran out. */
bool new_dumps_find(struct new_dumps *dumps, const char *prefix, const char *run);

void new_dumps_free(struct new_dumps *dumps);

END_C
