#pragma once
/* The tracked calls that a thread is in, the innermost last. What the JDK calls inside of one is
   not recorded, and only counted in it. A thread's own; nobody else looks. */
#include <jvmti.h>
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct call {
  jmethodID method;    /* on top of the stack at the entry; NULL: not known */
  struct stack *stack; /* of the entry, and so of the exit */
  int64_t cpu_ns;      /* the thread's CPU time at the entry; -1: not measured */
  uint32_t recording;  /* that has the entry, and so shall have the exit; 0: none */
  uint32_t object;
  uint32_t lock;   /* what the lock is counted by (lock_counts.h), 0: it is not */
  int32_t row;     /* of tracked.def, or CALL_OF_USER */
  uint32_t inside; /* calls inside that are not recorded, and have not left */
  bool skipped;    /* too little of the stack was left to record it */
};

#define CALL_OF_USER (-1) /* a method of the option `track` */

/* All zero is empty; calls_free gives the memory back. */
struct calls {
  struct call *at;
  unsigned num, capacity;
};

/* calls_top is the innermost one, NULL where there is none. Good until the next push. */
static inline struct call *calls_top(const struct calls *c) {
  return c->num == 0 ? NULL : &c->at[c->num - 1];
}

/* calls_have: is one of this row among them? */
bool calls_have(const struct calls *c, int row);

/* calls_push adds one, all zero; NULL when they are too many (a recursion near the end of the
   stack) or memory runs out. */
struct call *calls_push(struct calls *c);

/* calls_pop takes the innermost one off; there must be one. */
struct call calls_pop(struct calls *c);

void calls_free(struct calls *c);

#ifdef __cplusplus
}
#endif
