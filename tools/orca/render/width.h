#pragma once
/* How many columns of a terminal UTF-8 text takes, and cutting it to fit. */
#include "agent/base/bytes.h"

#ifdef __cplusplus
extern "C" {
#endif

/* width_of counts columns: 2 for wide characters of East Asia and emoji, 0 for what combines. */
size_t width_of(struct span text);

/* width_cut appends `text` in at most `columns` columns. Where it is longer "…" stands for what is
   left out: a quarter of the way in, as the tail of a name tells more ("com.a…Inventory"). */
void width_cut(struct builder *b, struct span text, size_t columns);

/* width_cut_end is the same with the "…" at the end, for prose and commands. */
void width_cut_end(struct builder *b, struct span text, size_t columns);

#ifdef __cplusplus
}
#endif
