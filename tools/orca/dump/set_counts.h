#pragma once
/* The counts of .counts from the start of the recording. A line contains either the number of
   events since the last line, or, of earlier agents, since the start of the set of files. Memory
   grows with the number of pairs of event and object. One thread at a time. */
#include "agent/base/extern_c.h"
#include "agent/base/hashmap.h"
#include "agent/event/line.h"

BEGIN_C

/* All zero is empty. The maps go from event and object to a count from the recording's start. */
struct set_counts {
  struct hashmap last;   /* the last count */
  struct hashmap before; /* the last count of all earlier sets */
};

/* set_counts_add_before makes `line->count` a count since the start of the recording, and `is_more`
   false. Returns false without memory. */
bool set_counts_add_before(struct set_counts *c, struct count_line *line);

/* set_counts_next_set begins the next set. Returns false without memory. */
bool set_counts_next_set(struct set_counts *c);

/* set_counts_free releases the memory and leaves an empty struct. */
void set_counts_free(struct set_counts *c);

END_C
