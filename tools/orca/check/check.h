#pragma once
/* Are these files right? Every rule of the format, over a whole dump. */
#include "tools/orca/dump/dump.h"

#ifdef __cplusplus
extern "C" {
#endif

enum rule {
#define RULE(id, text) RULE_##id,
#include "tools/orca/check/rule.def"
  NUM_RULES
};

struct rule_info {
  const char *id;   /* "STACK_METHOD"; the `kind` of its fault */
  const char *text; /* with at most one %s */
};

extern const struct rule_info rule_infos[NUM_RULES];

/* What was looked at. */
struct check_totals {
  /* Whole lines, broken ones too; but for those that say again what stands in the set before. */
  uint64_t lines[NUM_DUMP_FILES];
  uint64_t samples;         /* Sample lines; the same holds */
  uint64_t early;           /* ends whose beginning stands in a set that is not there */
  bool cut[NUM_DUMP_FILES]; /* ends within a line: the JVM was killed */
  bool lossy;               /* events were dropped, so pairs may lack a half */
};

/* check_dump reads every file of the dump. What is wrong stands in dump_faults(d), in order.
   False where memory ran out: then something may have been missed. */
bool check_dump(struct dump *d, struct check_totals *out);

#ifdef __cplusplus
}
#endif
