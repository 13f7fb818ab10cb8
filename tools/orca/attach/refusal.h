#pragma once
/* The reason of a failure, as one line for the user. */
#include <stdbool.h>

#include "agent/base/extern_c.h"

BEGIN_C

struct refusal {
  char text[1000]; /* without "orca: " and newline; "": no failure */
};

/* refuse sets the text, which is cut if it is too long. It returns false, so that the caller can
   return its result. */
bool refuse(struct refusal *why, const char *format, ...) __attribute__((format(printf, 2, 3)));

END_C
