#pragma once
/* The calls that threads were already in when the recording began (OpenCall). No hook sees their
   end: the methods had been entered before they were woven. So the end is inferred from the first
   event or sample of the thread whose stack does not contain the call any more. */
#include "agent/base/extern_c.h"
#include "agent/event/line.h"
#include "tools/orca/model/state/stacks.h"

BEGIN_C

struct open_calls_row;

/* All zero is empty; open_calls_free frees the memory. */
struct open_calls {
  struct hashmap announced; /* thread -> 1: its next begin event is of such a call */
  struct hashmap innermost; /* thread -> number of the row of its innermost call; 0: none */
  struct open_calls_row *rows;
  size_t num, capacity;
  size_t spare; /* the number of the first free row */
};

/* open_calls_note takes an OpenCall, and each begin event; `stack` is the stack of the event.
   `*out_is_open` receives whether the event begins such a call. Returns false when memory ran out.
 */
bool open_calls_note(struct open_calls *o, const struct event_line *line, stack_id_t stack,
                     bool *out_is_open);

/* open_calls_forget removes a call whose end event is in the files (MonitorContendedEntered). */
void open_calls_forget(struct open_calls *o, const struct event_line *end);

/* open_calls_has returns whether the thread is in such a call. */
bool open_calls_has(const struct open_calls *o, uint32_t thread);

/* An event or sample of a thread, which may show that a call is over. */
struct open_calls_sign {
  uint32_t thread;
  ticks_t time;
  stack_id_t stack;
  const struct event_line *event; /* NULL: a sample */
  bool is_running;                /* of a sample */
};

/* open_calls_infer_end returns whether a call of the thread is over. If so, it removes the call and
   fills `*out` with an end event at the time of the sign; `*out_stack` receives the stack of the
   call. Call it until it returns false: inner calls come first. */
bool open_calls_infer_end(struct open_calls *o, const struct dump *d, const struct stacks *s,
                          const struct open_calls_sign *sign, struct event_line *out,
                          stack_id_t *out_stack);

void open_calls_free(struct open_calls *o);

END_C
