#pragma once
/* Checks a whole dump against every rule of the file formats. */
#include "agent/base/extern_c.h"
#include "tools/orca/dump/dump.h"

BEGIN_C

enum rule {
#define RULE(id, text) RULE_##id,
#include "tools/orca/check/rule.def"
  NUM_RULES
};

struct rule_info {
  const char *id;   /* "STACK_METHOD"; the `kind` of its faults */
  const char *text; /* contains at most one %s */
};

extern const struct rule_info rule_infos[NUM_RULES];

/* What the check has read. */
struct check_totals {
  /* Complete lines, including broken ones, without lines that repeat lines of an earlier set. */
  uint64_t lines[NUM_DUMP_FILES];
  uint64_t samples;                /* Sample lines, without repeated ones */
  uint64_t num_early_ends;         /* end events whose begin event is in a missing set */
  bool is_cut[NUM_DUMP_FILES];     /* the file ends within a line, because the JVM was killed */
  bool is_lossy;                   /* events were dropped, so that pairs may be incomplete */
  uint64_t num_failed_allocations; /* of the agent: lines or their definitions may be missing */
};

/* check_dump reads every file of the dump. Afterwards dump_faults(d) contains the faults in order.
   Returns false if memory ran out; faults may then be missing. */
bool check_dump(struct dump *d, struct check_totals *out);

END_C
