#pragma once
/* Whether the device takes the writer's lines. The writer notes while it waits for the device. When
   that takes too long, a stall begins: threads do not wait for room in the queue any more. It ends
   when the writer has caught up. All functions may be called by any thread unless they say
   otherwise. */
#include <stdbool.h>
#include <stdint.h>

#include "agent/base/extern_c.h"

BEGIN_C

/* All fields are atomic. All zero: no stall, and threads wait for ever. */
struct stall {
  uint64_t patience_ns; /* a thread waits so long for room; 0: for ever */
  uint64_t since_ns;    /* CLOCK_MONOTONIC: the writer waits for the device; 0: it does not */
  bool is_on;
  bool lacks_files; /* the files were deleted, and there are no others yet */
  bool is_reported; /* a stall of this recording has been reported on stderr */
};

/* stall_reset prepares the next recording. Nothing is being recorded. */
void stall_reset(struct stall *s, uint64_t patience_ns);

/* stall_limit_patience makes threads wait for at most `limit_ns`, for the end of the recording. */
void stall_limit_patience(struct stall *s, uint64_t limit_ns);

/* stall_enter_device notes that the writer begins to wait for the device. Returns false if it waits
   already. stall_leave_device ends that; `entered` is the result of stall_enter_device. Writer
   thread only. */
bool stall_enter_device(struct stall *s);
void stall_leave_device(struct stall *s, bool entered);

/* stall_device_ns returns how long the writer has waited for the device now, in nanoseconds; 0: it
   does not wait. */
uint64_t stall_device_ns(const struct stall *s);

static inline bool stall_is_on(const struct stall *s) {
  return __atomic_load_n(&s->is_on, __ATOMIC_RELAXED);
}

/* stall_begin begins a stall. Returns false if one was on already. */
bool stall_begin(struct stall *s);

/* stall_end ends it. Writer thread only. */
void stall_end(struct stall *s);

/* stall_set_lacks_files changes `lacks_files`. Writer thread only. */
void stall_set_lacks_files(struct stall *s, bool lacks_files);

static inline bool stall_lacks_files(const struct stall *s) {
  return __atomic_load_n(&s->lacks_files, __ATOMIC_RELAXED);
}

/* stall_is_over_patience returns whether a thread that has waited for `waited_ns` should go on. */
bool stall_is_over_patience(const struct stall *s, uint64_t waited_ns);

/* stall_claim_report returns true for the first caller in a recording, which reports the stall on
   stderr. */
bool stall_claim_report(struct stall *s);

END_C
