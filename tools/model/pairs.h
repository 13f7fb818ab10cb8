#pragma once
/* Pairs an event X with its Xed of the same thread and object: how long did it take? */
#include "agent/base/hashmap.h"
#include "agent/event/line.h"
#include "tools/model/stacks.h"

#ifdef __cplusplus
extern "C" {
#endif

struct pair {
  enum event_kind kind; /* of the X */
  uint32_t thread, object, owner;
  stack_id_t stack; /* of the X */
  ticks_t begin, end;
  bool open; /* has not ended: its end is 0 */
};

/* All zero is empty; pairs_free gives the memory back. */
struct pairs {
  struct hashmap open; /* thread and kind -> slot plus one */
  struct pair *slots;
  size_t num, capacity;
  uint64_t without_end;   /* an X that the next X of its thread followed */
  uint64_t without_begin; /* an Xed that no X went before */
};

enum pairs_answer { PAIRS_NONE, PAIRS_DONE, PAIRS_NO_MEMORY };

/* pairs_feed takes the events in their order. PAIRS_DONE: `line` ended the pair in `*out`. */
enum pairs_answer pairs_feed(struct pairs *p, const struct event_line *line, stack_id_t stack,
                             struct pair *out);

/* pairs_next_open walks over the pairs that have not ended; start with `*cursor` = 0. */
bool pairs_next_open(const struct pairs *p, size_t *cursor, struct pair *out);

void pairs_free(struct pairs *p);

#ifdef __cplusplus
}
#endif
