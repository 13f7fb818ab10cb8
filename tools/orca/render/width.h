#pragma once
/* Measures and cuts UTF-8 text by the number of terminal columns that it needs. */
#include "agent/base/bytes.h"
#include "agent/base/extern_c.h"

BEGIN_C

/* width_measure returns the number of columns: 2 for wide East Asian characters and emoji, 0 for
   combining characters, 1 for others. */
size_t width_measure(struct span text);

/* width_cut appends `text`, cut to at most `columns` columns. In longer text "…" replaces the part
   after the first quarter, because the end of a name says more ("com.a…Inventory"). A number that
   is a word of its own is kept, because it tells names apart ("…12 of Cart.add:7"). */
void width_cut(struct builder *b, struct span text, size_t columns);

/* width_cut_end puts the "…" at the end instead, for prose and commands. */
void width_cut_end(struct builder *b, struct span text, size_t columns);

END_C
