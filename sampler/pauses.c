#include "sampler/pauses.h"

#include "agent/base/clock.h"

void pauses_init(struct pauses *p, struct recorder *recorder) {
  *p = (struct pauses){.recorder = recorder};
}

void pauses_begin(struct pauses *p) {
  __atomic_store_n(&p->begun_ns, clock_monotonic_ns(), __ATOMIC_RELAXED);
}

/* Ignores the end of a pause that began before the recording. */
void pauses_end(struct pauses *p) {
  uint64_t begun = __atomic_exchange_n(&p->begun_ns, 0, __ATOMIC_RELAXED);
  if (begun == 0 || !recorder_is_on(p->recorder)) return;
  struct record record = {.kind = RECORD_PAUSE,
                          .u.pause_ns = (int64_t)(clock_monotonic_ns() - begun)};
  if (!recorder_try_put(p->recorder, RECORDER_OWN_LANE, &record)) {
    figure_add(&p->recorder->figures.pauses_lost, 1);
  }
}
