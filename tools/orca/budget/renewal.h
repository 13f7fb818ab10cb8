#pragma once
/* Budgets made from recordings, for `orca budget --update`.
   - A known problem that no run has any more is dropped. A new one is added only if the user
   accepts it. A deadlock is never accepted: the caller refuses a run that has one.
   - A count, such as that of unheard signals, only becomes smaller.
   - A new limit of a time is twice the largest figure, rounded up to two digits. It is not reduced
   if the machine was loaded: the next run of the same program on an idle machine has to keep it. A
   limit that all runs keep stays as it is, unless it is more than twice the new one: equal programs
   give equal files.
   - A lock gets a row only if the row of BUDGET_ANY_LOCK is not enough. Its row is dropped when
   that is enough again.
   - Comments stay with their budgets. */
#include "agent/base/extern_c.h"
#include "tools/orca/budget/figures.h"

BEGIN_C

/* renewal_make fills the empty `*out` from the budgets so far, which may be none, and at least one
   run. It returns false when memory ran out; call budget_free either way. */
bool renewal_make(struct budget *out, const struct budget *old, const struct figures *runs,
                  size_t num, bool accepts);

END_C
