#pragma once
/* What two runs are compared in: methods by CPU time, locks by the time that threads were blocked,
   other calls that block. Hashes and ids are of one run, so that things are told by name: a method
   by class, name and parameters; a lock by its class and the method in which threads are blocked,
   so that alike locks are one row and a change shows where it is; other calls by what is called,
   the class of the object, and the method. Lines are no part of it, as two builds number them anew.
 */
#include "tools/orca/model/diff.h"
#include "tools/orca/model/model.h"

#ifdef __cplusplus
extern "C" {
#endif

enum compare_part { COMPARE_METHODS, COMPARE_LOCKS, COMPARE_WAITS, NUM_COMPARE_PARTS };

/* The kind of a row is nothing, an enum lock_sort, the enum event_kind of the pair's BEGIN; the id
   is a method, and of the others a ClassID, 0 where it is not known. */
struct comparison {
  const struct model *runs[2];
  struct diff parts[NUM_COMPARE_PARTS];      /* ended */
  struct diff_row totals[NUM_COMPARE_PARTS]; /* all CPU time, blocked time, waiting time */
};

/* compare_runs compares two models that were read. False: memory ran out; comparison_free either
   way. The models must outlive it. */
bool compare_runs(struct comparison *c, const struct model *a, const struct model *b);

void comparison_free(struct comparison *c);

#ifdef __cplusplus
}
#endif
