#pragma once
/* The figures of a recording. Producers update them while they record, and the writer writes them
   to the end of .info. Any thread may update or read a figure at any time, atomically. */
#include <stdbool.h>
#include <stdint.h>

#include "agent/base/extern_c.h"
#include "agent/record/clock_loops.h"
#include "agent/record/missing_hooks.h"

BEGIN_C

#define FIGURE_COUNT uint64_t
#define FIGURE_TEXT const char * /* a static string; NULL: the writer leaves the key out */

#define FIGURE_ABSENT UINT64_MAX /* a count that the writer leaves out */

struct recording_figures {
#define INFO_KEY(id, key, kind, part, need, meaning)
#define INFO_FIGURE(id, field, key, kind, need, meaning) FIGURE_##kind field;
#include "agent/event/info.def"
  uint64_t events_dropped;       /* records that were dropped because their lane was full */
  uint64_t memory_failed_before; /* memory_failed() when the recording began */
  struct missing_hooks missing_hooks;
  struct clock_loops clock_loops;
};

/* figures_init is called once. figures_begin sets all figures to zero for the next recording;
   sampler_code_failed becomes FIGURE_ABSENT. The recorder is off. */
void figures_init(struct recording_figures *f);
void figures_begin(struct recording_figures *f);

static inline void figure_add(uint64_t *figure, uint64_t n) {
  __atomic_fetch_add(figure, n, __ATOMIC_RELAXED);
}

static inline uint64_t figure_get(const uint64_t *figure) {
  return __atomic_load_n(figure, __ATOMIC_RELAXED);
}

static inline void figure_set_text(const char **figure, const char *text) {
  __atomic_store_n(figure, text, __ATOMIC_RELEASE);
}

static inline const char *figure_get_text(const char *const *figure) {
  return __atomic_load_n(figure, __ATOMIC_ACQUIRE);
}

END_C
