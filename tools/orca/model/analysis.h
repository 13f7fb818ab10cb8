#pragma once
/* The analyses of the model: the expansion of analysis.def. Each is a listener of the pass that
   fills its own part of struct model. It is defined in the file of that part; those that every view
   needs also fill others, and are in analysis.c. */
#include "agent/base/extern_c.h"
#include "tools/orca/model/pass.h"

BEGIN_C

struct model;

enum analysis_id {
#define ANALYSIS(ID, id, type, free) ANALYSIS_##ID,
#include "tools/orca/model/analysis.def"
  NUM_ANALYSES
};

/* A set of analyses: ANALYSES(LOCKS) | ANALYSES(ORDERS). */
typedef unsigned analyses_t;
#define ANALYSES(name) ((analyses_t)1 << ANALYSIS_##name)
#define ALL_ANALYSES (((analyses_t)1 << NUM_ANALYSES) - 1)

struct analysis {
  struct listener listener; /* its `arg` is the struct model */
  analyses_t uses;          /* those whose results `end` uses; each has an earlier row */
  /* Before the first line, whatever the set is. NULL: nothing to do. */
  void (*start)(struct model *m);
  /* After the last line. NULL: nothing to do. False: memory ran out. */
  bool (*end)(struct model *m);
};

#define ANALYSIS(ID, id, type, free) extern const struct analysis analysis_##id;
#include "tools/orca/model/analysis.def"

extern const struct analysis *const analyses[NUM_ANALYSES];

/* analyses_with_used returns the set together with all analyses that its members use, and with
   those that every view needs: recording, cpu, threads, profile and process. */
analyses_t analyses_with_used(analyses_t set);

END_C
