#pragma once
/* Compares two recordings: methods by CPU time, locks by blocked time, and other calls that block.
   Hashes and ids differ from run to run, so rows are matched by name:
   - a method by its class, its name and its signature;
   - a lock by its class and the method in which threads are blocked;
   - another call that blocks by the kind of call, the class of its object, and the method.
   Line numbers are not compared, because they change from build to build. */
#include "agent/base/extern_c.h"
#include "tools/orca/model/diff.h"
#include "tools/orca/model/model.h"

BEGIN_C

/* `kind` and `sides[].id` of a row are those of struct sums_row; `sides[].more` is the rate of
   several objects that are not told apart, whose time may be of the row. `is_open` of a row: with
   such time in the run that has less of it, the row may not have changed. A row of several objects
   is open if rows of the same kind changed as much in the other direction. */
struct comparison {
  const struct model *runs[2];               /* the caller's */
  struct diff parts[NUM_COMPARE_PARTS];      /* after diff_end */
  struct diff_row totals[NUM_COMPARE_PARTS]; /* all CPU time, blocked time, waiting time */
  struct sums_cut cut[NUM_COMPARE_PARTS][2]; /* what digests leave out */
};

/* compare_runs compares two models. It returns false when memory ran out; call comparison_free
   either way. The models must outlive the comparison. */
bool compare_runs(struct comparison *c, const struct model *a, const struct model *b);

void comparison_free(struct comparison *c);

/* compare_has_same_option returns whether an option had the same value in both runs all the time. A
   recording without the option has its default. */
bool compare_has_same_option(const struct comparison *c, enum option_key key);

/* compare_is_several returns whether a row is of several objects that are not told apart. */
bool compare_is_several(enum compare_part part, const struct diff_row *row);

/* compare_has_same_short_calls returns whether the times of both runs contain all calls that were
   shorter than the threshold, or those of both runs contain none. */
bool compare_has_same_short_calls(const struct comparison *c);

END_C
