#pragma once
/* How much a recording wrote in the last seconds. The writer notes its totals; any thread may ask.
 */
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "agent/base/extern_c.h"

BEGIN_C

#define RATES_WINDOW_NS UINT64_C(5000000000) /* the rates are those of about this time */
#define RATES_LOOKS 8                        /* that are remembered, a second apart */

/* Totals since the recording began. */
struct rates_look {
  uint64_t time_ns; /* CLOCK_MONOTONIC */
  uint64_t events, samples, bytes;
};

struct rates {
  pthread_mutex_t lock;
  struct rates_look last;               /* the last totals */
  struct rates_look looks[RATES_LOOKS]; /* ring */
  unsigned num;
};

/* rates_init is called once. rates_begin begins a recording. */
void rates_init(struct rates *r);
void rates_begin(struct rates *r, uint64_t now_ns);

/* rates_note notes the totals. */
void rates_note(struct rates *r, const struct rates_look *totals);

/* What was written in the last time. */
struct rates_span {
  uint64_t ns; /* its length; 0: the recording has just begun */
  uint64_t events, samples, bytes;
};

/* rates_read returns what was written in the window before `now_ns`, or since the recording began
   if that is shorter. */
struct rates_span rates_read(struct rates *r, uint64_t now_ns);

END_C
