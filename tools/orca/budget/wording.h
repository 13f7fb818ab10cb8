#pragma once
/* The words for budgets and findings that all outputs share. Each function appends to a builder. */
#include "agent/base/extern_c.h"
#include "tools/orca/budget/verdict.h"

BEGIN_C

/* wording_name appends what a row is about: "lock: shop.Cart at shop.Cart.add", "deadlock". */
void wording_name(struct builder *b, const struct verdict_row *row);

/* wording_limit appends what the budget allows: "at most 20 waits, longest 100ms", "none that the
   file does not list". */
void wording_limit(struct builder *b, const struct verdict_row *row);

/* wording_figure appends what a run has: "312 waits, longest 58.9 ms", "12.5 %", "3". "At least"
   before it if the run may have more. If threads waited for a CPU, it says by how much the limits
   grow. Nothing for a problem. */
void wording_figure(struct builder *b, const struct figures *run, const struct figure *figure);

/* wording_unproven appends why a budget is not proven. If its figure is only the least possible,
   that comes first: "at least 15 waits, longest 9.00 ms; …". */
void wording_unproven(struct builder *b, const struct verdict_row *row);

/* wording_message appends one line about a broken row: its name, the limit, the figure, the number
   of runs, and the first line of its text. */
void wording_message(struct builder *b, const struct verdict *v, const struct verdict_row *row);

/* wording_runs appends in which runs the figure was found, with the figures, one line each:
   "/tmp/a: 312 waits, longest 58.9 ms". Each line begins with `indent` and ends with '\n'. */
void wording_runs(struct builder *b, const struct verdict *v, const struct verdict_row *row,
                  const char *indent);

/* wording_command appends the first command to see more: "orca locks /tmp/a". If only a digest of
   the recording is known, it is "orca locks PREFIX". */
void wording_command(struct builder *b, const struct verdict_row *row);

/* wording_sum appends "2 budgets are broken, 5 are kept, 1 is not proven, in 3 runs". */
void wording_sum(struct builder *b, const struct verdict *v);

END_C
