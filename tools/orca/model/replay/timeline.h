#pragma once
/* The state of each thread over time, see life.h. If a thread changes its state more often than
   there is room for, its time is divided into steps of equal length. A step contains the time in
   each state, but not their order. Memory depends on the bounds of timeline_start, not on the
   number of events. */
#include "agent/base/extern_c.h"
#include "agent/base/hashmap.h"
#include "tools/orca/model/life.h"
#include "tools/orca/model/model.h"

BEGIN_C

/* The state of a step with several states, beside those of enum activity. */
#define TIMELINE_MIXED NUM_ACTIVITIES

struct timeline_span {
  ticks_t begin, end;
  unsigned state;  /* an enum activity, or TIMELINE_MIXED */
  uint32_t detail; /* index of the thread's call in `calls`, plus one; 0: no call. If `state` is
                      MIXED: index of the times of its states in the row's
                      `mixes` */
};

struct timeline_mix {
  ticks_t times[NUM_ACTIVITIES];
};

/* A step that has not ended: what the thread did in it so far. */
struct timeline_step {
  ticks_t begin, end; /* equal: nothing */
  struct timeline_mix mix;
  uint32_t detail; /* of all its time; 0: none, or several */
};

struct timeline_row {
  uint32_t thread;
  struct timeline_span *spans; /* in order of time, without overlap */
  size_t num, capacity;
  struct timeline_mix *mixes;
  size_t num_mixes, mixes_capacity;
  ticks_t step;            /* length of a step; 0: every span is exact */
  struct timeline_mix sum; /* of all spans; equal to `in_activity` of the thread */

  /* The state during the replay. */
  struct life life;
  struct timeline_step last; /* the spans do not contain it */
};

/* All zero is empty; timeline_free frees the memory. */
struct timeline {
  struct hashmap ids;        /* thread -> row plus one */
  struct timeline_row *rows; /* in the order of struct threads */
  size_t num;
  size_t left_out; /* threads without a row */
  ticks_t start, end;
  struct life_clock clock;
  struct hashmap call_ids; /* hash of a call -> index plus one */
  struct life_call *calls;
  size_t num_calls, calls_capacity;
  size_t num_spans, max_spans; /* of all rows */
};

/* timeline_start makes rows for the first `max_threads` threads of a complete model, within the
   time range of its filter. All rows together get at most `max_spans` spans, or 16 for each row if
   that is more. The timeline must not move afterwards. Returns false when memory ran out. */
bool timeline_start(struct timeline *t, const struct model *m, size_t max_threads,
                    size_t max_spans);

/* timeline_take takes a step of a replay of REPLAY_LINES. Returns false when memory ran out. */
bool timeline_take(struct timeline *t, const struct step *step);

/* timeline_end adds the spans up to the end of the recording. Returns false when memory ran out. */
bool timeline_end(struct timeline *t);

void timeline_free(struct timeline *t);

/* --- internal to this folder: timeline_spans.c ------------------------------------------ */

/* timeline_add_span adds a state, which must begin after the row's spans. timeline_end_step adds
   the spans of the row's last step. timeline_coarsen makes the steps of a row longer, until it has
   fewer spans. Steps begin at `start` plus a multiple of their length. Each function returns false
   when memory ran out. */
bool timeline_add_span(struct timeline_row *row, ticks_t start, struct timeline_span span);
bool timeline_end_step(struct timeline_row *row);
bool timeline_coarsen(struct timeline_row *row, ticks_t start);

END_C
