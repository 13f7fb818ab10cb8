#pragma once
/* A moment of a recording as a person gives it:
     2.5  2.5s  150ms  3min  1h    since the start
     -2.5                          before the end
     90%                           of the recording
     23:38:05.5                    the time of day, in UTC as `orca report` shows the start
     480181.4255238244             as the files have it, with its ten decimals */
#include "tools/orca/dump/dump.h"

#ifdef __cplusplus
extern "C" {
#endif

enum time_arg_kind {
  TIME_NONE,
  TIME_SINCE_START,
  TIME_BEFORE_END,
  TIME_SHARE,
  TIME_OF_DAY,
  TIME_STAMP
};

/* All zero: none was given. */
struct time_arg {
  enum time_arg_kind kind;
  ticks_t ticks; /* a share: in millionths */
  const char *text;
};

#define TIME_ARG_TAKES "a time such as 2.5, 150ms, -1s (before the end), 90% or 23:38:05"

/* time_arg_read reads one; false where it is none. Keeps `text`. */
bool time_arg_read(const char *text, struct time_arg *out);

/* time_arg_duration reads a length of time: 2.5, 150ms. */
bool time_arg_duration(const char *text, ticks_t *out);

/* time_arg_resolve finds the moment in a recording from `start` to `end`; false where the dump does
   not tell the time of day. Times before the start are the start. */
bool time_arg_resolve(const struct time_arg *t, const struct dump *d, ticks_t start, ticks_t end,
                      ticks_t *out);

#ifdef __cplusplus
}
#endif
