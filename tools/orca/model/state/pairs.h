#pragma once
/* Matches the event that begins a call with the event of the same thread and object that ends it,
   and so measures the call. Pairs of one thread and kind can nest, because the program can call the
   same method inside the call. */
#include "agent/base/extern_c.h"
#include "agent/base/hashmap.h"
#include "agent/event/line.h"
#include "tools/orca/model/state/stacks.h"

BEGIN_C

struct pair {
  enum event_kind kind; /* of the BEGIN */
  uint32_t thread, object;
  uint32_t owner;      /* of the lock when the pair began; 0: unknown */
  uint32_t last_owner; /* the last owner that an event named; 0: unknown */
  ticks_t owner_time;  /* of that event */
  stack_id_t stack;    /* of the BEGIN */
  ticks_t begin, end;
  bool owner_is_late; /* `owner` may have got it after the pair began */
  bool open;          /* has not ended; `end` is 0 */
  bool is_older;      /* began before the recording: `begin` is when the recording found it */
  bool failed;        /* ended with a FAIL: timed out, refused, or left by an exception */
};

struct pairs_slot;

/* All zero is empty; pairs_free frees the memory. */
struct pairs {
  size_t depth; /* of the coverage: the length at which stacks are cut. 0: ends may be missing */
  struct hashmap open; /* thread and kind -> slot of the innermost open pair, plus one */
  struct pairs_slot *slots;
  size_t num, capacity;
  size_t spare;           /* the first free slot, plus one */
  uint64_t without_end;   /* removed pairs whose END is missing */
  uint64_t without_begin; /* ENDs without a BEGIN */
};

enum pairs_answer {
  PAIRS_NONE,
  PAIRS_DONE,        /* the event ended the pair in `*out` */
  PAIRS_OWNER_KNOWN, /* the event is the first to name the owner of the open pair in `*out` */
  PAIRS_NO_MEMORY
};

/* pairs_feed takes each event, in order of time. `stack` is the stack of the event; only that of a
   BEGIN is used. */
enum pairs_answer pairs_feed(struct pairs *p, const struct event_line *line, stack_id_t stack,
                             struct pair *out);

/* pairs_mark_older sets `is_older` of the innermost open pair of a thread and kind, if there is
 * one. */
void pairs_mark_older(struct pairs *p, uint32_t thread, enum event_kind kind);

/* pairs_find copies the innermost open pair of a thread and kind; false: there is none. */
bool pairs_find(const struct pairs *p, uint32_t thread, enum event_kind kind, struct pair *out);

/* pairs_next_open copies the next open pair, in no order; false after the last. Start with
   `*cursor` = 0. */
bool pairs_next_open(const struct pairs *p, size_t *cursor, struct pair *out);

void pairs_free(struct pairs *p);

/* Keeps the longest of many pairs. */
struct longest {
  struct pair *rows; /* after longest_sort: the longest first */
  size_t num, max;
  uint64_t seen; /* number of pairs that were added */
};

/* longest_start prepares `*l` to keep `max` pairs, at least one. It returns false when memory ran
   out. longest_free frees the memory. */
bool longest_start(struct longest *l, size_t max);

/* longest_add adds a pair that has an end. */
void longest_add(struct longest *l, const struct pair *pair);

/* longest_sort sorts the pairs and keeps the `max` longest. Call it after the last longest_add. Of
   pairs with the same length the earlier one comes first. */
void longest_sort(struct longest *l);

void longest_free(struct longest *l);

END_C
