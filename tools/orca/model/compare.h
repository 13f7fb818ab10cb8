#pragma once
/* Compares two recordings: methods by CPU time, locks by blocked time, and other calls that block.
   Hashes and ids differ from run to run, so rows are matched by name:
   - a method by its class, its name and its signature;
   - a lock by its class and the method in which threads are blocked;
   - another call that blocks by the kind of call, the class of its object, and the method.
   Line numbers are not compared, because they change from build to build. */
#include "tools/orca/model/diff.h"
#include "tools/orca/model/model.h"

#ifdef __cplusplus
extern "C" {
#endif

enum compare_part { COMPARE_METHODS, COMPARE_LOCKS, COMPARE_WAITS, NUM_COMPARE_PARTS };

/* What `kind` and `sides[].id` of a row mean in each part:
   - COMPARE_METHODS: 0, and a MethodID.
   - COMPARE_LOCKS: an enum lock_sort, and a ClassID.
   - COMPARE_WAITS: the enum event_kind of the pair's begin event, and a ClassID.
   A ClassID is 0 if it is not known. */
struct comparison {
  const struct model *runs[2];               /* the caller's */
  struct diff parts[NUM_COMPARE_PARTS];      /* after diff_end */
  struct diff_row totals[NUM_COMPARE_PARTS]; /* all CPU time, blocked time, waiting time */
};

/* compare_runs compares two models. It returns false when memory ran out; call comparison_free
   either way. The models must outlive the comparison. */
bool compare_runs(struct comparison *c, const struct model *a, const struct model *b);

void comparison_free(struct comparison *c);

/* compare_put_method_key appends a text that names the same method in both runs. */
void compare_put_method_key(struct builder *b, const struct dump *d, uint32_t method);

#ifdef __cplusplus
}
#endif
