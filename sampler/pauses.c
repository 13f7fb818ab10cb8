#include "sampler/pauses.h"

#include <sys/syscall.h>
#include <unistd.h>

#include "agent/base/clock.h"

#define NO_PAUSE (-1)

void pauses_init(struct pauses *p, struct recorder *recorder) {
  *p = (struct pauses){.recorder = recorder, .begun_cpu_ns = NO_PAUSE};
}

void pauses_begin(struct pauses *p) {
  __atomic_store_n(&p->begun_ns, clock_monotonic_ns(), __ATOMIC_RELAXED);
  __atomic_store_n(&p->tid, (uint32_t)syscall(SYS_gettid), __ATOMIC_RELAXED);
  __atomic_store_n(&p->begun_cpu_ns, (int64_t)clock_own_cpu_ns(), __ATOMIC_RELAXED);
}

/* A reader between the two stores would miss the pause, not count it twice; its next look has it.
 */
static void add_cpu(struct pauses *p) {
  int64_t begun = __atomic_exchange_n(&p->begun_cpu_ns, NO_PAUSE, __ATOMIC_RELAXED);
  if (begun != NO_PAUSE) {
    __atomic_fetch_add(&p->cpu_ns, (int64_t)clock_own_cpu_ns() - begun, __ATOMIC_RELAXED);
  }
}

int64_t pauses_cpu(const struct pauses *p, uint32_t tid, int64_t cpu_ns) {
  if (__atomic_load_n(&p->tid, __ATOMIC_RELAXED) != tid) return 0;
  int64_t begun = __atomic_load_n(&p->begun_cpu_ns, __ATOMIC_RELAXED);
  int64_t ended = __atomic_load_n(&p->cpu_ns, __ATOMIC_RELAXED);
  return ended + (begun != NO_PAUSE && cpu_ns > begun ? cpu_ns - begun : 0);
}

/* Ignores the end of a pause that began before the recording. */
void pauses_end(struct pauses *p) {
  add_cpu(p);
  uint64_t begun = __atomic_exchange_n(&p->begun_ns, 0, __ATOMIC_RELAXED);
  if (begun == 0 || !recorder_is_on(p->recorder)) return;
  struct record record = {.kind = RECORD_PAUSE,
                          .u.pause_ns = (int64_t)(clock_monotonic_ns() - begun)};
  if (!recorder_try_put(p->recorder, RECORDER_OWN_LANE, &record)) {
    figure_add(&p->recorder->figures.pauses_lost, 1);
  }
}
