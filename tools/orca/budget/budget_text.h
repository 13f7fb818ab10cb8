#pragma once
/* The file of budgets: text that people read, review and merge. One line is one budget, so that two
   changes of different locks do not conflict:

     # Who knows why, and until when.
     lost = 0
     order: shop.Cart at shop.Cart.add > shop.Stock at shop.Stock.take
     unheard = 3
     blocked = 12.5%
     lock: * = 20 waits, longest 100ms
     lock: java.lang.Object at shop.Ledger.enter = 600 waits, longest 120ms

   A key is all text between the colon and the last " = " of a lock, or the end of the line. It is
   compared as a whole, so a name may contain any character. A line that begins with '#' is a
   comment about the next budget. */
#include "agent/base/extern_c.h"
#include "tools/orca/budget/budget.h"

BEGIN_C

#define BUDGET_MOST_ROWS 10000

/* budget_parse reads the text of a file into the empty `*out`, sorted. For a text that is wrong it
   returns false and appends the number of the line and the reason to `*why`, without a newline. It
   also returns false when memory ran out; `why->failed` is then true. Call budget_free either way.
 */
bool budget_parse(struct span text, struct budget *out, struct builder *why);

/* budget_write appends the text of sorted budgets. budget_parse reads the same budgets from it. */
void budget_write(struct builder *b, const struct budget *budget);

/* budget_put_row appends one budget as its line, without the newline. */
void budget_put_row(struct builder *b, const struct budget_row *row);

/* budget_put_limits appends what a row allows: "20 waits, longest 100ms", "12.5%", "3"; nothing for
   a known problem. */
void budget_put_limits(struct builder *b, const struct budget_row *row);

END_C
