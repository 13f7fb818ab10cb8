#pragma once
/* The lines of .counts with sums of short calls (agent/record/short_calls.h). The writer takes the
   sums of the threads once a second, adds the calls that it leaves out itself, and writes what has
   come together after a pause that grows with the recording. Writer thread only. */
#include <stdbool.h>
#include <stdint.h>

#include "agent/base/extern_c.h"
#include "agent/record/short_calls.h"

BEGIN_C

struct short_lines {
  struct short_calls *calls; /* of the threads */
  uint32_t recording;
  struct short_sums sums; /* not written yet */
  uint64_t start_ns, taken_ns, written_ns;
  uint64_t num_of_threads;   /* calls that came from the threads, in this recording */
  uint64_t pairs_of_threads; /* those of them that would have been pairs of lines */
  uint64_t lock_ns;          /* how long those of them took that acquire locks */
};

/* short_lines_start begins the recording with this number, with the sums of these threads; NULL:
   there are none. False without memory. short_lines_end frees the memory. */
bool short_lines_start(struct short_lines *s, struct short_calls *calls, uint32_t recording,
                       uint64_t now_ns);
void short_lines_end(struct short_lines *s);

/* short_lines_take takes the sums of the threads. short_lines_look does so if a second has passed
   since then. */
void short_lines_take(struct short_lines *s, uint64_t now_ns);
void short_lines_look(struct short_lines *s, uint64_t now_ns);

/* short_lines_add adds a call that began with an event of this kind. Of the stack it keeps the near
   part, if that is known; nothing if the stack is not shared. */
void short_lines_add(struct short_lines *s, enum event_kind kind, uint32_t object,
                     struct stack *stack, uint64_t ns);

/* short_lines_is_due returns whether it is time to write the sums. */
bool short_lines_is_due(const struct short_lines *s, uint64_t now_ns);

/* short_lines_write hands all sums to `write`, and forgets them. */
void short_lines_write(struct short_lines *s, uint64_t now_ns,
                       void (*write)(void *arg, struct short_sum *sum), void *arg);

END_C
