#include "agent/recorder/recorder.h"

#include <time.h>
#include <unistd.h>

#include "agent/base/clock.h"
#include "agent/base/log.h"
#include "agent/options/changes.h"

#define SLOTS 8192 /* records in a lane: 512 KiB */
#define MAX_LANES 8
#define WAIT_NS 100000         /* between two attempts of a thread whose lane is full */
#define LAST_NS (5 * NS_PER_S) /* a thread waits so long for room after the recording ended */
#define MAX_STEP_NS \
  NS_PER_S /* one attempt counts at most this time: SIGSTOP may stop the process */

bool recorder_init(struct recorder *r, void (*wake)(void *), void *wake_arg) {
  /* Two lanes for each CPU are enough to make contention rare. */
  long cpus = sysconf(_SC_NPROCESSORS_ONLN);
  if (cpus < 1) cpus = 1;
  unsigned num_lanes = cpus >= MAX_LANES / 2 ? MAX_LANES : 2 * (unsigned)cpus;
  r->queue = queue_new(num_lanes, SLOTS, wake, wake_arg);
  r->decided_ns = UINT64_MAX;
  figures_init(&r->figures);
  r->short_calls = short_calls_new();
  return r->queue != NULL && r->short_calls != NULL && meta_init(&r->meta, &r->figures);
}

/* What hooks read in another form. Counting goes on with locks=all after locks=waits, so that the
   counts are those of the whole recording. */
static void follow_options(struct recorder *r) {
  bool has_threshold = r->options.threshold > 0;
  if (r->options.locks == LOCKS_WAITS) __atomic_store_n(&r->counts_locks, true, __ATOMIC_RELAXED);
  __atomic_store_n(&r->leaves_out_wakes, has_threshold, __ATOMIC_RELAXED);
  __atomic_store_n(&r->meta.wants_near, has_threshold, __ATOMIC_RELAXED);
}

void recorder_begin(struct recorder *r, const struct options *options) {
  r->options = *options;
  r->counts_locks = false;
  waiters_forget_found(&r->waiters);
  left_out_reset(&r->left_out);
  figures_begin(&r->figures);
  stall_reset(&r->stall, options->patience);
  meta_begin(&r->meta, options->depth);
  follow_options(r);
}

void recorder_change(struct recorder *r, const struct options *options) {
  options_copy_changing(&r->options, options);
  follow_options(r);
}

void recorder_switch(struct recorder *r, bool on) {
  __atomic_store_n(&r->on, on, __ATOMIC_RELEASE);
}

/* The files take no lines for too long. */
static void begin_stall(struct recorder *r) {
  if (!stall_begin(&r->stall)) return;
  figure_add(&r->figures.writer_stalls, 1);
  if (!stall_claim_report(&r->stall)) return;
  log_line(
      "the files took no events for %s (option patience); the program goes on, and events are "
      "dropped and counted until the files take them again",
      r->options.text[OPTION_patience]);
}

/* What became of a record: in the queue, dropped in a stall, or dropped for another reason. */
enum outcome { PUSHED, STALLED, DROPPED };

/* Ends when the writer has made room, which it also does after the recorder was switched off: it
   then writes all records of the queue. */
static enum outcome wait_and_push(struct recorder *r, unsigned lane, const struct record *record) {
  const struct timespec moment = {.tv_nsec = WAIT_NS};
  uint64_t now = clock_monotonic_ns(), last_on_ns = now, waited_ns = 0;
  figure_add(&r->figures.events_waited, 1);
  while (!stall_is_on(&r->stall)) {
    if (recorder_is_on(r)) last_on_ns = now;
    nanosleep(&moment, NULL);
    if (queue_push(r->queue, lane, record) != 0) return PUSHED;
    uint64_t before = now;
    now = clock_monotonic_ns();
    waited_ns += now - before < MAX_STEP_NS ? now - before : MAX_STEP_NS;
    if (now - last_on_ns >= LAST_NS) return DROPPED;
    if (stall_is_over_patience(&r->stall, waited_ns)) begin_stall(r);
  }
  return STALLED;
}

/* Returns why there is no room, for a thread that must not wait. */
static enum outcome find_cause(struct recorder *r) {
  if (!stall_is_on(&r->stall) && stall_is_over_patience(&r->stall, stall_device_ns(&r->stall)))
    begin_stall(r);
  return stall_is_on(&r->stall) ? STALLED : DROPPED;
}

bool recorder_put(struct recorder *r, unsigned lane, const struct record *record) {
  if (recorder_is_on(r)) {
    if (queue_push(r->queue, lane, record) != 0) return true;
    bool waits = r->options.overflow == OVERFLOW_WAIT && !stall_is_on(&r->stall);
    enum outcome outcome = waits ? wait_and_push(r, lane, record) : find_cause(r);
    if (outcome == PUSHED) return true;
    figure_add(&r->figures.events_dropped, 1);
    if (outcome == STALLED) figure_add(&r->figures.events_stalled, 1);
  }
  record_release(record);
  return false;
}

bool recorder_try_put(struct recorder *r, unsigned lane, const struct record *record) {
  if (recorder_is_on(r) && queue_push(r->queue, lane, record) != 0) return true;
  record_release(record);
  return false;
}
