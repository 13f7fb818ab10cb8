#pragma once
/* Pairs an event X with its Xed of the same thread and object: how long did it take? Inside of a
   call the program may call the same method again, so pairs of a thread and kind nest. */
#include "agent/base/hashmap.h"
#include "agent/event/line.h"
#include "tools/orca/model/state/stacks.h"

#ifdef __cplusplus
extern "C" {
#endif

struct pair {
  enum event_kind kind; /* of the X */
  uint32_t thread, object;
  uint32_t owner;      /* who kept the thread out as it began; 0: not known */
  uint32_t last_owner; /* and when last heard of */
  stack_id_t stack;    /* of the X */
  ticks_t begin, end;
  bool open;   /* has not ended: its end is 0 */
  bool failed; /* ended with a FAIL: an attempt that came to nothing */
};

struct pairs_slot;

/* All zero is empty; pairs_free gives the memory back. */
struct pairs {
  size_t depth; /* dump_depth; 0: ends may be lost, so what a stack does not show is not so */
  struct hashmap open; /* thread and kind -> slot of the innermost, plus one */
  struct pairs_slot *slots;
  size_t num, capacity;
  size_t spare;           /* a slot without a pair, plus one */
  uint64_t without_end;   /* an X that another X followed which is not inside of it */
  uint64_t without_begin; /* an Xed that no X went before */
};

enum pairs_answer { PAIRS_NONE, PAIRS_DONE, PAIRS_TOLD, PAIRS_NO_MEMORY };

/* pairs_feed takes the events in their order. PAIRS_DONE: `line` ended the pair in `*out`.
   PAIRS_TOLD: it is the first to tell the owner of the pair in `*out`, which is open. */
enum pairs_answer pairs_feed(struct pairs *p, const struct event_line *line, stack_id_t stack,
                             struct pair *out);

/* pairs_find gives the innermost pair of a thread and kind that has not ended. */
bool pairs_find(const struct pairs *p, uint32_t thread, enum event_kind kind, struct pair *out);

/* pairs_next_open walks over the pairs that have not ended; start with `*cursor` = 0. */
bool pairs_next_open(const struct pairs *p, size_t *cursor, struct pair *out);

void pairs_free(struct pairs *p);

#ifdef __cplusplus
}
#endif
