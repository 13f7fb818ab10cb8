#pragma once
/* Data of a page that the model does not contain. It takes two further passes over the dump, and
   one over its samples alone. The model's filter applies. The timeline shows everything that the
   matching threads did. */
#include "agent/base/extern_c.h"
#include "tools/orca/answer/answer.h"
#include "tools/orca/model/base/histogram.h"
#include "tools/orca/model/replay/excerpt.h"
#include "tools/orca/model/replay/machine.h"
#include "tools/orca/model/replay/slices.h"
#include "tools/orca/model/replay/timeline.h"

BEGIN_C

/* Limits that keep a page at about 10 MB and fast to draw, for recordings of any size. The page
   says what it leaves out. Two recordings on one page share the limits (gathered_bound). */

#define HTML_THREADS 8000  /* with a name; all further ones are shown as "another thread" */
#define HTML_ROWS 1000     /* threads in the timeline */
#define HTML_SPANS 100000  /* spans in the timeline, of all threads */
#define HTML_ARROWS 3000   /* the longest waits for a lock whose owner is known */
#define HTML_LOG 50000     /* events in the log */
#define HTML_FRAMES 100000 /* frames in the tree of all stacks */
#define HTML_STACKS 40000  /* pairs of thread and stack in the flame graph */
#define HTML_SLICES 1000   /* slices of time in the flame graph of a part, and their rows */
#define HTML_SLICE_ROWS 25000
#define HTML_LOCKS 300 /* rows in the table of locks */
#define HTML_KEYS 12   /* threads, owners and places of each lock */
#define HTML_MACHINE \
  4000 /* measurements of the JIT compiler's and the garbage collector's CPU time */
#define HTML_PAUSES 3000  /* the longest pauses of the garbage collector */
#define HTML_BLOCKERS 300 /* pairs of waiter and owner */

/* Of a comparison. */
#define HTML_DIFF_ROWS 500     /* rows of each table */
#define HTML_DIFF_TREE 400000  /* frames that are compared */
#define HTML_DIFF_FRAMES 20000 /* frames on the page: those with the most time of any value */

/* --- the data ------------------------------------------------------------------------------ */

/* All zero is empty. gathered_free releases the memory. */
struct gathered {
  struct model *model;   /* the caller's */
  size_t num_recordings; /* on the page */
  struct timeline timeline;
  struct slices slices;
  struct longest arrows; /* the longest waits for locks whose owner is known */
  struct longest
      waits; /* the longest waits for any lock: the log contains the events around them */
  struct tally blockers;    /* group: waiter, key: owner */
  struct histogram lengths; /* durations of all pairs that ended */
  struct answer answer;     /* with the contention of all locks */
  struct excerpt log;
  struct machine_times machine;
};

/* gather reads the model's dump again. `num_recordings`: as many recordings are on the page. False:
   memory ran out. Call gathered_free in both cases. */
bool gather(struct gathered *g, struct model *m, size_t num_recordings);

/* gathered_bound returns the share of one recording in a limit of the page (HTML_…). */
static inline size_t gathered_bound(const struct gathered *g, size_t limit) {
  return limit / g->num_recordings;
}

void gathered_free(struct gathered *g);

END_C
