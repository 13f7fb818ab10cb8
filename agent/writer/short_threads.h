#pragma once
/* With the option `threshold`, leaves out the two events of a virtual thread that ended before the
   threshold, if no other line names it. So the start of a virtual thread is held back until a line
   names it, it ends, or it is older than the threshold. Later events wait behind it, because lines
   are written in order of time. This comes after everything else that leaves events out
   (threshold.h, waits.h), so that those name nobody. Writer thread only. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "agent/base/extern_c.h"
#include "agent/record/record.h"

BEGIN_C

/* Records held back at most. The table of them takes 2.3 MiB. */
#define SHORT_THREADS_MAX_HELD ((size_t)1 << 14)

struct short_threads;

struct short_threads *short_threads_new(void); /* NULL without memory */

/* short_threads_free also releases the events that are still held back. */
void short_threads_free(struct short_threads *s);

/* short_threads_add adds an event that will be written, in order of time, and takes over what it
   owns. After each call, short_threads_next must be called until it returns false. */
void short_threads_add(struct short_threads *s, const struct record *event);

/* short_threads_name notes that a line of another file, with this time, names this virtual thread.
   Its start need not have been added yet. If the thread has ended meanwhile, it may be left out all
   the same. */
void short_threads_name(struct short_threads *s, uint32_t thread, uint64_t time_ns);

/* short_threads_next returns the next event to be written in `out`; false if it is not known yet
   which one that is. Threads that started before `before_ns` are not short. UINT64_MAX returns
   everything that is held back. When SHORT_THREADS_MAX_HELD is exceeded, the earliest event is
   returned early, and the end of its thread will be, too. */
bool short_threads_next(struct short_threads *s, uint64_t before_ns, struct record *out);

/* short_threads_is_empty returns whether no event is held back. */
bool short_threads_is_empty(const struct short_threads *s);

/* short_threads_left_out returns how many threads were left out. */
uint64_t short_threads_left_out(const struct short_threads *s);

END_C
