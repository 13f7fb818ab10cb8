#pragma once
/* Numbers with units, as options have them. Each function parses a whole value; false, with
   `*out` in any state, for an invalid one. Any thread. */
#include <stdbool.h>
#include <stdint.h>

#include "agent/base/extern_c.h"

BEGIN_C

/* value_number parses the number at the start of `text`; `*unit` becomes the text after it. Signs,
   exponents and hexadecimal digits are invalid. */
bool value_number(const char *text, double *out, const char **unit);

/* value_duration parses a time such as 20ms or 1.5h, or 0, into nanoseconds. */
bool value_duration(const char *value, uint64_t *out);

/* value_percent parses a share from 0.01% to 100% into a fraction. */
bool value_percent(const char *value, double *out);

/* value_size parses a size of at least 64KB, such as 1.5GB, into bytes. */
bool value_size(const char *value, uint64_t *out);

END_C
