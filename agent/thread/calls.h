#pragma once
/* The stack of tracked calls that a thread is in, the innermost last. Tracked methods that the JDK
   calls inside a tracked call are not recorded, only counted in that call. Only the thread itself
   uses its calls. */
#include <jvmti.h>
#include <stdbool.h>
#include <stdint.h>

#include "agent/base/extern_c.h"

BEGIN_C

struct call {
  jmethodID method;    /* of the top frame at the entry; NULL: not known */
  struct stack *stack; /* of the entry event, which the exit event has too */
  struct stack *near;  /* of a young call of a virtual thread: its near part, found at the entry,
                          because older frames may be in the heap at the exit */
  int64_t cpu_ns;      /* CPU time of the thread at the entry; -1: not measured */
  uintptr_t above;     /* address on the stack above the frames of the call's calls: walker_above */
  uint32_t recording;  /* that contains the entry event, and will contain the exit event; 0: none */
  uint64_t since_ns;   /* it is the young call of the thread, and began then; 0: it is not */
  uint64_t early_ns;   /* it began then, and is no young call because of context.long_row; 0: for
                          another reason, or it is one */
  uint32_t object;
  uint32_t class_id;  /* of the object, if that may not be defined in the files yet; else 0 */
  uint32_t executor;  /* of a TASK row; 0: not known */
  uint32_t reader;    /* the only thread that holds the read lock for which the call waits; 0: none,
                         several, or not known */
  uint32_t lock;      /* the number of the lock in lock_counts.h; 0: it is not counted */
  int32_t row;        /* of tracked.def, or CALL_OF_USER */
  uint32_t closed_in; /* the recording in which calls inside of it are part of it, without a look at
                         the stack; 0: none */
  uint32_t inside;    /* calls inside this one that are not recorded and have not exited */
  bool waits;         /* it is in struct waiters */
  bool is_brief_wake; /* it wakes nobody and has no event, or wakes nobody who has waited for long,
                         and its event has no stack */
  bool skipped;       /* not recorded, because too little of the thread's stack was left */
};

#define CALL_OF_USER (-1) /* the row of a method that the option `track` selects */

/* All zero is empty; calls_free frees it. */
struct calls {
  struct call *at;
  unsigned num, capacity;
};

/* calls_top returns the innermost call, NULL without one. Valid until the next calls_push. */
static inline struct call *calls_top(const struct calls *c) {
  return c->num == 0 ? NULL : &c->at[c->num - 1];
}

/* calls_have returns whether the thread is in a call of this row. */
bool calls_have(const struct calls *c, int row);

/* calls_push adds a call that is all zero, as the innermost one. NULL without memory, or if there
   are too many calls: a recursion near the end of the stack. */
struct call *calls_push(struct calls *c);

/* calls_pop removes and returns the innermost call. There must be one. Valid until the next
   calls_push: a copy would take longer than the rest. */
struct call *calls_pop(struct calls *c);

/* calls_free frees the memory and leaves an empty struct. */
void calls_free(struct calls *c);

END_C
