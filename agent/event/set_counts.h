#pragma once
/* The counts of a recording that comes in sets of files (option maxsize): what is counted is told
   in all, and stands in a set's .counts since the set began, so that the set can be read by itself.
   Both ways, as line.h has them. Memory goes by what is counted. */
#include "agent/base/hashmap.h"
#include "agent/event/line.h"

#ifdef __cplusplus
extern "C" {
#endif

/* All zero is empty; set_counts_free gives the memory back. */
struct set_counts {
  struct hashmap last;   /* event and object -> the last count in all */
  struct hashmap before; /* the same, when the set began */
};

/* set_counts_cut turns a count in all into the one since the set began, for the writer;
   set_counts_join turns that into the one in all, for the reader. False: memory ran out. */
bool set_counts_cut(struct set_counts *c, struct count_line *line);
bool set_counts_join(struct set_counts *c, struct count_line *line);

/* set_counts_next_set begins the next set. False: memory ran out. */
bool set_counts_next_set(struct set_counts *c);

void set_counts_free(struct set_counts *c);

#ifdef __cplusplus
}
#endif
