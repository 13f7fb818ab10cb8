#pragma once
/* A moment of a recording as the user writes it:
     2.5  2.5s  150ms  3min  1h    since the start
     -2.5                          before the end
     90%                           of the length of the recording
     23:38:05.5                    time of day in UTC
     480181.4255238244             timestamp of the files, with its ten decimals */
#include "agent/base/extern_c.h"
#include "tools/orca/dump/dump.h"

BEGIN_C

enum time_arg_kind {
  TIME_NONE,
  TIME_SINCE_START,
  TIME_BEFORE_END,
  TIME_SHARE,
  TIME_OF_DAY,
  TIME_STAMP
};

/* All zero: no moment was given. */
struct time_arg {
  enum time_arg_kind kind;
  ticks_t ticks; /* TIME_SHARE: millionths */
  const char *text;
};

#define TIME_ARG_EXAMPLES "a time such as 2.5, 150ms, -1s (before the end), 90% or 23:38:05"

/* time_arg_read parses a moment. Returns false if it is malformed. `*out` refers to `text`. */
bool time_arg_read(const char *text, struct time_arg *out);

/* time_arg_duration parses a duration: 2.5, 150ms. */
bool time_arg_duration(const char *text, ticks_t *out);

/* time_arg_resolve gets the timestamp of a moment in a recording from `start` to `end`. A moment
   before the start becomes the start. Returns false for a time of day if .info has no start.utc. */
bool time_arg_resolve(const struct time_arg *t, const struct dump *d, ticks_t start, ticks_t end,
                      ticks_t *out);

END_C
