#pragma once
/* Counts of a recording with several sets of files (option maxsize). The agent counts from the
   start of the recording. A set's .counts contains counts from the start of the set, so that the
   set can be read alone. The writer converts to the second kind, the tools convert back. Memory
   grows with the number of pairs of event and object. One thread at a time. */
#include "agent/base/hashmap.h"
#include "agent/event/line.h"

#ifdef __cplusplus
extern "C" {
#endif

/* All zero is empty. The maps go from event and object to a count from the recording's start. */
struct set_counts {
  struct hashmap last;   /* the last count */
  struct hashmap before; /* the last count of all earlier sets */
};

/* set_counts_subtract_before converts `line->count` from a count since the start of the recording
   to a count since the start of the set. Returns false without memory. */
bool set_counts_subtract_before(struct set_counts *c, struct count_line *line);

/* set_counts_add_before converts `line->count` from a count since the start of the set to a count
   since the start of the recording. Returns false without memory. */
bool set_counts_add_before(struct set_counts *c, struct count_line *line);

/* set_counts_next_set begins the next set. Returns false without memory. */
bool set_counts_next_set(struct set_counts *c);

/* set_counts_free releases the memory and leaves an empty struct. */
void set_counts_free(struct set_counts *c);

#ifdef __cplusplus
}
#endif
