#pragma once
/* Whether recordings keep their budgets. Each recording is one run of the same program.
   - A problem breaks its budget in any run, unless the file lists it as known.
   - A count breaks its budget in any run.
   - A time breaks its budget only if it does in each run: one slow run is chance. */
#include "agent/base/extern_c.h"
#include "tools/orca/budget/figures.h"

BEGIN_C

enum verdict_state { VERDICT_KEPT, VERDICT_BROKEN, VERDICT_UNPROVEN };

/* What became of one budget, or of one new problem. */
struct verdict_row {
  enum verdict_state state;
  enum budget_kind kind;
  const char *key;              /* of the figures, or of the budget; "": all of this kind */
  const struct budget_row *row; /* that holds; NULL: none, so nothing is allowed */
  const struct figure *worst;   /* the first problem or the largest figure; NULL: none was found */
  const struct figures *worst_run; /* that has it */
  const struct figure **found;     /* by run: its figure; NULL: none */
  const char *why;                 /* VERDICT_UNPROVEN: why a recording cannot prove it */
};

/* All zero before verdict_find; verdict_free frees its memory. It points to the budget and the
   runs, which must outlive it. */
struct verdict {
  const struct budget *budget;
  const struct figures *runs;
  size_t num_runs;
  struct verdict_row *rows; /* as kind.def orders the kinds; within a kind the broken ones first */
  size_t num, capacity;
  size_t num_broken, num_kept, num_unproven;
};

/* verdict_find judges `num` runs, at least one. It returns false when memory ran out. */
bool verdict_find(struct verdict *v, const struct budget *budget, const struct figures *runs,
                  size_t num);

/* verdict_breaks returns whether a figure of a run is more than its row allows. */
bool verdict_breaks(const struct budget_row *row, const struct figures *run,
                    const struct figure *figure);

/* verdict_is_retryable returns whether budgets are broken, and one more run may keep all of them,
   because each is a time. */
bool verdict_is_retryable(const struct verdict *v);

void verdict_free(struct verdict *v);

END_C
