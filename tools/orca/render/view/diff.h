#pragma once
/* The parts of a page about two runs. The runs are called A and B. */
#include "tools/orca/model/compare.h"
#include "tools/orca/render/page.h"

#ifdef __cplusplus
extern "C" {
#endif

/* view_diff puts all of it: what the runs are, what changed, the tables. */
void view_diff(struct page *p, const struct comparison *c, size_t top);

/* What changed, in paragraphs. */
void view_diff_words(struct builder *b, const struct comparison *c, const struct style *style);

/* Why some numbers of the two say nothing beside each other: options, what was lost; nothing where
   there is no such reason. */
void view_diff_options(struct builder *b, const struct comparison *c, const struct style *style);

/* The rows of a part. */
void view_diff_table(struct page *p, const struct comparison *c, enum compare_part part,
                     size_t top);

/* Runs as a whole: how long, how busy. */
void view_diff_totals(struct page *p, const struct comparison *c);

/* --- for the views ------------------------------------------------------------- */

/* "Pricing.price", "monitor of orders.Ledger", "Object.wait on java.lang.Object". */
void view_diff_name(struct builder *b, const struct comparison *c, enum compare_part part,
                    const struct diff_row *row);

/* Where it is: "OrderService.price (OrderService.java:88)". */
void view_diff_place(struct builder *b, const struct comparison *c, const struct diff_row *row);

/* A rate, in ns in each second of run: "1.20 s". */
void view_diff_rate(struct builder *b, double rate);

#ifdef __cplusplus
}
#endif
