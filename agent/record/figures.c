#include "agent/record/figures.h"

#include "agent/base/memory.h"

static void reset_COUNT(uint64_t *figure) { __atomic_store_n(figure, 0, __ATOMIC_RELAXED); }
static void reset_TEXT(const char **figure) { figure_set_text(figure, NULL); }

void figures_init(struct recording_figures *f) {
  missing_hooks_init(&f->missing_hooks);
  figures_begin(f);
}

void figures_begin(struct recording_figures *f) {
#define INFO_KEY(id, key, kind, part, need, meaning)
#define INFO_FIGURE(id, field, key, kind, need, meaning) reset_##kind(&f->field);
#include "agent/event/info.def"
  __atomic_store_n(&f->sampler_code_failed, FIGURE_ABSENT, __ATOMIC_RELAXED);
  __atomic_store_n(&f->events_dropped, 0, __ATOMIC_RELAXED);
  f->memory_failed_before = memory_failed();
  missing_hooks_clear(&f->missing_hooks);
  clock_loops_clear(&f->clock_loops);
}
