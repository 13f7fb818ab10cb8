#pragma once
/* The calls of methods of the option `track`, for the trigger `method>500ms`: which are open now,
   and which have taken too long. Each call counts by itself, also inside of another one of the same
   thread, and is reported once. Writer thread only. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "agent/base/extern_c.h"
#include "agent/base/hashmap.h"
#include "agent/files/carryover.h"
#include "agent/record/record.h"

BEGIN_C

#define LONG_CALL_NAME 256 /* bytes kept of the name of a thread */

/* The longest of the calls that have taken too long. */
struct long_call {
  size_t num;      /* of these calls; 0: there is none */
  uint32_t thread; /* its hash */
  uint32_t method; /* MethodID; 0: not known */
  uint64_t ns;     /* that it has taken up to now */
  bool is_over;
  size_t name_len;           /* 0: the thread has no name, or it is not known */
  char name[LONG_CALL_NAME]; /* of the thread, escaped as in the files */
};

/* All zero is empty; long_calls_free frees it. */
struct long_calls {
  struct hashmap by_thread; /* hash of a thread -> slot of its innermost call, plus 1; 0: none */
  struct open_method *slots;
  size_t num_slots, capacity;
  size_t first_free;      /* a slot without a call, plus 1; 0: none */
  size_t num_open;        /* calls */
  size_t num_unnoticed;   /* open calls that have not been reported */
  struct long_call ended; /* those that have ended since the last report or skip */
};

/* long_calls_follow takes an event, in the order of time. A call that took longer than `limit_ns`
   is noted when it ends. `threads` knows the names of threads. */
void long_calls_follow(struct long_calls *l, const struct record *event, uint64_t limit_ns,
                       const struct carryover *threads);

/* long_calls_report returns whether there are calls that have taken longer than `limit_ns` and were
   not reported. All events before `now_ns` have been followed. */
bool long_calls_report(struct long_calls *l, uint64_t now_ns, uint64_t limit_ns,
                       const struct carryover *threads, struct long_call *out);

/* long_calls_skip forgets the long calls that have ended. Those that go on can be reported later.
 */
void long_calls_skip(struct long_calls *l);

/* long_calls_wait returns whether a call may have to be reported later, even without an event. */
bool long_calls_wait(const struct long_calls *l);

/* long_calls_forget forgets all open calls. */
void long_calls_forget(struct long_calls *l);

void long_calls_free(struct long_calls *l);

END_C
