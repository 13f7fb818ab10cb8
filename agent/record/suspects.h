#pragma once
/* The threads that the writer suspects to block each other, on their way to the thread that asks
   the JVM, and its answer on the way back. One question at a time. Neither side waits for a lock.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "agent/base/extern_c.h"
#include "agent/base/semaphore.h"

BEGIN_C

#define SUSPECTS_MAX 4096

struct suspects {
  enum suspects_state { SUSPECTS_NONE, SUSPECTS_ASKED, SUSPECTS_ANSWERED } state; /* atomic */
  uint64_t asked_ns;              /* CLOCK_MONOTONIC */
  size_t num;                     /* of `threads` */
  uint32_t threads[SUSPECTS_MAX]; /* hashes: of the question, then of the answer */
  struct semaphore asked;         /* posted for a question, and by suspects_end */
};

/* suspects_init is called once. suspects_reset forgets question and answer while no thread
   searches. */
void suspects_init(struct suspects *s);
void suspects_reset(struct suspects *s);

/* suspects_are_free returns whether suspects_ask can ask: the last question has been answered, and
   the answer has been taken. suspects_ask asks about threads, at most SUSPECTS_MAX; otherwise it
   returns false. suspects_take takes the answer: the threads of a ring, in
   `out`, which has room for SUSPECTS_MAX. False if there is none yet. Writer only. */
bool suspects_are_free(const struct suspects *s);
bool suspects_ask(struct suspects *s, const uint32_t *threads, size_t num, uint64_t now_ns);
bool suspects_take(struct suspects *s, uint32_t *out, size_t *out_num, uint64_t *out_asked_ns);

/* suspects_wait waits for a question; false if suspects_end was called instead. The caller then
   reads `threads`, and calls suspects_answer, with 0 threads if they form no ring. Searcher only.
 */
bool suspects_wait(struct suspects *s);
void suspects_answer(struct suspects *s, const uint32_t *ring, size_t num);

/* suspects_end ends the current or next suspects_wait. Any thread. */
void suspects_end(struct suspects *s);

END_C
