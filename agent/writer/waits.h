#pragma once
/* With the option `threshold`, most calls that wake other threads (notify, signal, unpark) wake
   nobody who has waited for long. Such a call is written only if a thread is in a call that is
   written and may be what it wakes: one on the same object, or for unpark one of the same thread.
   Blocking on a monitor is no such call. The hooks leave out most of the others before
   (agent/record/waiters.h).
   Writer thread only. */
#include <stdbool.h>
#include <stdint.h>

#include "agent/base/extern_c.h"
#include "agent/record/record.h"

BEGIN_C

#define WAITS_MAX_OPEN 65536 /* calls; while there are more, everything is written */

struct waits;

/* waits_new: `knows_all`: no thread is in a call whose begin event was written already. Else
   everything is written. NULL without memory. */
struct waits *waits_new(bool knows_all);
void waits_free(struct waits *w);

/* waits_wants takes the next event that the threshold returned, in order of time, and returns
   whether it must be written. */
bool waits_wants(struct waits *w, const struct record *event);

/* waits_left_out returns how many events waits_wants refused. */
uint64_t waits_left_out(const struct waits *w);

END_C
