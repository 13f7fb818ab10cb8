#pragma once
/* Messages for the user: single lines on stderr that begin with "orca: ". */
#include <stdbool.h>

#include "agent/base/extern_c.h"

BEGIN_C

/* log_line writes "orca: ", the formatted text and a newline with one write(2), so that lines of
   several threads do not mix. Control characters become '?'. A text of more than about 1,000 bytes
   is cut. If stderr takes nothing for a second, for example a pipe that nobody reads, the line is
   lost. So the caller may wait a second. Any thread, but no signal handler. */
void log_line(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* log_once calls log_line if `*is_logged` is 0, and sets it to 1. Each message has a static flag of
   its own, which starts at 0. Any thread; of several concurrent calls one writes the line. */
void log_once(int *is_logged, const char *format, ...) __attribute__((format(printf, 2, 3)));

END_C
