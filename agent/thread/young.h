#pragma once
/* A young call: with the option `threshold`, the outermost tracked call of a thread that has no
   event yet, because it may end before the threshold. Then it never gets one: it has cost no record
   and no place in the queue, and is added to a sum (agent/record/short_calls.h). If it lasts
   longer, its begin is recorded afterwards, with the time at which it began. The thread itself does
   so when the call ends, or before that the watch of young calls (agent/track/young_watch.h), which
   looks at the threads from time to time.

   The thread writes its struct; the watch reads it, and decides with young_claim who records the
   begin. No function calls the JVM or blocks. */
#include <stdbool.h>
#include <stdint.h>

#include "agent/base/extern_c.h"

BEGIN_C

struct stack;

/* What the begin event needs. */
struct young_call {
  uint32_t recording, object, owner;
  uint32_t class_id; /* of the object; 0: the object is defined in the files */
  int32_t row;       /* of tracked.def */
};

/* All zero: there is no young call. */
struct young {
  uint64_t state; /* atomic: the time at which the call began, and a mark (young.c); 0: none */
  struct young_call call; /* atomic, each field */
  uint32_t inside;        /* calls of the same row inside of it, which the thread is in; atomic */
  struct stack *stack;    /* of the begin event, when the watch has recorded it */
  uint64_t missed_ns;     /* the watch alone: the begin of a call whose stack it did not find */
  unsigned misses;        /* so many times */
};

/* young_is_open returns whether there is a call for which young_end has not been called. The thread
   itself. */
static inline bool young_is_open(const struct young *y) {
  return __atomic_load_n(&y->state, __ATOMIC_RELAXED) != 0;
}

/* young_prepare announces that the thread is about to begin a young call: until young_begin, nobody
   knows since when. The thread itself, before it reads the clock for young_begin. */
void young_prepare(struct young *y);

/* young_round rounds a time down, by at most 3 ns, to one that a young call can begin at. */
static inline uint64_t young_round(uint64_t time_ns) { return time_ns & ~UINT64_C(3); }

/* young_begin begins the call, at the time `since_ns` (CLOCK_MONOTONIC, rounded by young_round).
   The thread itself. */
void young_begin(struct young *y, const struct young_call *call, uint64_t since_ns);

/* young_enter_inside notes that the thread enters a call of this row inside of its young call.
   young_leave_inside undoes it. So the watch knows which frame of the method is that of the young
   call. Without a young call they do nothing. The thread itself. */
void young_enter_inside(struct young *y, int32_t row);
void young_leave_inside(struct young *y, int32_t row);

/* young_inside returns how many calls of the row of the young call the thread is in, inside of
   that. Any thread. */
uint32_t young_inside(const struct young *y);

/* young_read returns since when there is a young call whose begin nobody has recorded yet, and
   copies it into `*out`. Returns YOUNG_NONE, or YOUNG_UNKNOWN: the thread is just beginning one, or
   records the begin itself now; both take a moment. Any thread. */
#define YOUNG_NONE UINT64_MAX
#define YOUNG_UNKNOWN 0
uint64_t young_read(const struct young *y, struct young_call *out);

/* young_claim is for the watch. It returns whether the thread has been in the call that began at
   `since_ns` all the time. Then the caller has to record the begin, with `stack`. The thread gets
   one use of the stack for the end event. */
bool young_claim(struct young *y, uint64_t since_ns, struct stack *stack);

/* How a call ends. */
enum young_end {
  YOUNG_LEFT_OUT, /* the call has ended, without an event */
  YOUNG_ALONE,    /* the thread has to record the begin and the end, and then call young_close */
  YOUNG_RECORDED  /* the begin is recorded, with young.stack; the thread records the end, and then
                     calls young_close */
};

/* young_end ends the call. `is_long`: it must not be left out. The thread itself. young_close is
   called after the records were handed in: then the watch knows that nothing is missing. */
enum young_end young_end(struct young *y, uint64_t since_ns, bool is_long);
void young_close(struct young *y);

END_C
