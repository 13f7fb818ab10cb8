#pragma once
/* What is counted, set by set: the producers tell how often something happened in all, a set's file
   how often since the set began. Memory goes by what is counted. Writer thread only. */
#include "agent/base/hashmap.h"
#include "agent/event/line.h"

#ifdef __cplusplus
extern "C" {
#endif

/* All zero is empty; set_counts_free gives the memory back. */
struct set_counts {
  struct hashmap told;   /* event and object -> the last count in all */
  struct hashmap before; /* the same, when the set began */
};

/* set_counts_line turns a count in all into one since the set began. False: memory ran out. */
bool set_counts_line(struct set_counts *c, struct count_line *line);

/* set_counts_next_set begins the next set. False: memory ran out. */
bool set_counts_next_set(struct set_counts *c);

void set_counts_free(struct set_counts *c);

#ifdef __cplusplus
}
#endif
