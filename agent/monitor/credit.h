#pragma once
/* Time that may be spent on asking the JVM for owners: comes in as time passes, goes out as the JVM
   is held up. Where every CPU is busy most of a question is the time until the JVM's own thread
   gets one, and the program goes on meanwhile. So the shortest of the last ones is taken for what
   each costs. Times are those of clock_monotonic_ns. One thread. */
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CREDIT_RECENT 16 /* questions that tell what the next one costs */

struct credit {
  uint64_t at_ns;
  int64_t ns;
  uint64_t recent[CREDIT_RECENT]; /* how long each took */
  unsigned next;
};

/* credit_start begins with what may be saved up. */
void credit_start(struct credit *c, uint64_t now_ns);

/* credit_has: may a question be asked now? */
bool credit_has(struct credit *c, uint64_t now_ns);

/* credit_pay: one was asked, and took so long. */
void credit_pay(struct credit *c, uint64_t took_ns);

#ifdef __cplusplus
}
#endif
