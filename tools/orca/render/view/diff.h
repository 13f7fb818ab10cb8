#pragma once
/* The parts of a page that compares two runs. The page calls the runs A and B. */
#include "agent/base/extern_c.h"
#include "tools/orca/model/compare.h"
#include "tools/orca/model/diff_limit.h"
#include "tools/orca/render/page.h"

BEGIN_C

/* view_diff writes the whole page: both runs, the changes in sentences, the tables. `top` limits
   the rows of each table. */
void view_diff(struct page *p, const struct comparison *c, size_t top);

/* Appends the largest changes as paragraphs. */
void view_diff_words(struct builder *b, const struct comparison *c, const struct style *style);

/* Appends the reasons why some numbers cannot be compared: different options, lost events. Appends
   nothing if there is no reason. */
void view_diff_options(struct builder *b, const struct comparison *c, const struct style *style);

/* Writes the table of a part: methods, locks or waits. */
void view_diff_table(struct page *p, const struct comparison *c, enum compare_part part,
                     size_t top);

/* Writes the table of totals: length, CPUs busy, threads blocked and waiting. */
void view_diff_totals(struct page *p, const struct comparison *c);

/* Writes whether the runs keep the limits: for each broken one what got worse, where, before and
   after. Returns whether one is broken. Writes nothing without limits. */
bool view_diff_limits(struct page *p, const struct comparison *c, const struct diff_limit *limits,
                      size_t num);

/* --- helpers of the views ------------------------------------------------------ */

/* Appends the name of a row: "Pricing.price", "monitor of orders.Ledger", "Object.wait on
   java.lang.Object". */
void view_diff_name(struct builder *b, const struct comparison *c, enum compare_part part,
                    const struct diff_row *row);

/* Appends the place where a row spends most time: "OrderService.price (OrderService.java:88)". */
void view_diff_place(struct builder *b, const struct comparison *c, const struct diff_row *row);

/* Writes the cells of a row with the place as a JSON object, and for locks and other waits the lock
   or the object of the call: nothing for methods. */
void view_diff_put_place_object(const struct cell *c, const struct comparison *comparison,
                                const struct diff_row *row);
void view_diff_put_lock_object(const struct cell *c, const struct comparison *comparison,
                               enum compare_part part, const struct diff_row *row);

/* Appends a rate, in nanoseconds per second of run, as a duration: "1.20 s". */
void view_diff_rate(struct builder *b, double rate);

END_C
