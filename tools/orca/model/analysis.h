#pragma once
/* The analyses of the model. Each is a listener of the pass that fills its own part of struct
   model. A new analysis is a name in enum analysis_id, and a row with its functions in analysis.c.
 */
#include "agent/base/extern_c.h"
#include "tools/orca/model/pass.h"

BEGIN_C

struct model;

/* In the order in which they take a line, and in which they end. */
enum analysis_id {
  ANALYSIS_RECORDING,
  ANALYSIS_CPU,
  ANALYSIS_THREADS,
  ANALYSIS_PROFILE,
  ANALYSIS_PROCESS,
  ANALYSIS_TITLES,
  ANALYSIS_STALLS,
  ANALYSIS_LOCKS,
  ANALYSIS_WAKEUPS,
  ANALYSIS_CALLS,
  ANALYSIS_QUEUED_TASKS,
  ANALYSIS_PINNED,
  ANALYSIS_DEADLOCKS,
  ANALYSIS_ORDERS,
  ANALYSIS_GUARDS,
  ANALYSIS_COST,
  ANALYSIS_PERIODS,
  NUM_ANALYSES
};

/* A set of analyses: ANALYSES(LOCKS) | ANALYSES(ORDERS). */
typedef unsigned analyses_t;
#define ANALYSES(name) ((analyses_t)1 << ANALYSIS_##name)
#define ALL_ANALYSES (((analyses_t)1 << NUM_ANALYSES) - 1)

struct analysis {
  struct listener listener; /* its `arg` is the struct model */
  analyses_t uses; /* those whose results `end` uses; each has an earlier place in the enum */
  bool (*end)(struct model *m); /* after the last line; NULL: nothing to do. False: no memory */
};

extern const struct analysis analyses[NUM_ANALYSES];

/* analyses_with_used returns the set together with all analyses that its members use, and with
   those that every view needs: recording, cpu, threads, profile and process. */
analyses_t analyses_with_used(analyses_t set);

END_C
