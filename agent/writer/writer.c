#include "agent/writer/writer.h"

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "agent/base/clock.h"
#include "agent/base/log.h"
#include "agent/base/memory.h"
#include "agent/writer/alarm.h"
#include "agent/writer/order.h"
#include "agent/writer/output.h"
#include "agent/writer/snapshot.h"
#include "agent/writer/threshold.h"
#include "agent/writer/trigger_files.h"
#include "agent/writer/waits.h"

#define FLUSH_NS (100 * NS_PER_MS) /* a formatted line waits at most this long to be flushed */
#define BUSY_NS (5 * NS_PER_MS)    /* least pause after a round that took records */
#define IDLE_NS (50 * NS_PER_MS)   /* pause after a round without records, while lines wait */
#define SLEEP_NS (10 * NS_PER_S)   /* longest sleep when everything is written */
#define RETRY_NS (50 * NS_PER_MS)  /* between two attempts to write to a full disk */
#define MAX_TAKEN 4096             /* records taken from a lane per round */

/* A snapshot or a change that another thread asks for. Both threads use it; the last one frees it.
 */
struct wish {
  struct snapshot snapshot;
  struct change *change; /* NULL: it is a snapshot */
  bool is_good;          /* the wish has been fulfilled */
  bool is_done;          /* atomic */
  int users;             /* atomic */
};

struct writer {
  struct writer_input input;
  struct output output;
  struct order *order;
  struct threshold *threshold; /* NULL: every pair is written */
  struct waits *waits;         /* NULL if `threshold` is */
  struct alarm alarm;
  unsigned signals;                           /* those that the alarm knows */
  uint64_t dropped;                           /* the same for events */
  struct trigger_files trigger_files;         /* the files that triggers have kept */
  uint64_t wakeups;                           /* atomic: other threads read it */
  struct table_size sizes[NUM_WRITER_TABLES]; /* atomic, too */
  struct rates rates;
  uint64_t bytes; /* written by the recording up to now */
  struct {
    unsigned number; /* the current set, and its bytes, when `bytes` was computed */
    uint64_t size;
  } counted_set;
  struct writer_load load; /* atomic, but for `recent` */

  /* Requests of other threads. A request is a new number in `last_request`, with the bit STOP if
     the thread shall end; then `wake` is posted. The answer to a flush is the same number in
     `last_answer`, the answer to a stop is that `running` is cleared; then `done` is posted. As
     each request has its own number, a requester does not mistake the late answer to an earlier
     request, which timed out, for its own. */
  unsigned last_request, last_answer; /* atomic */
  const char *reason;                 /* of the stop */
  struct wish *wish;                  /* atomic: the writer thread takes it. NULL: none */
  sem_t wake, done;
  bool running; /* the thread exists; it clears this at its end. Atomic */
};

enum { STOP = 1, NEXT_REQUEST = 2 };

/* --- opening ------------------------------------------------------------------------ */

struct writer *writer_new(void) {
  struct writer *w = memory_new_zeroed(1, sizeof *w);
  if (w == NULL) return NULL;
  output_init(&w->output);
  rates_init(&w->rates);
  sem_init(&w->wake, 0, 0);
  sem_init(&w->done, 0, 0);
  return w;
}

void writer_abandon(struct writer *w) { output_close(&w->output); }

static bool is_running(const struct writer *w) {
  return __atomic_load_n(&w->running, __ATOMIC_ACQUIRE);
}

bool writer_try(struct writer *w, const char *prefix, char *error, size_t error_size) {
  return output_try(&w->output, prefix, error, error_size);
}

bool writer_open(struct writer *w, const char *prefix, const char *run, char *error,
                 size_t error_size) {
  if (!is_running(w)) return output_open(&w->output, prefix, run, error, error_size);
  snprintf(error, error_size, "the files of the last recording are not finished yet");
  return false;
}

/* --- sizes ---------------------------------------------------------------------------- */

static void publish_size(struct writer *w, enum writer_table table, size_t entries, size_t bytes) {
  __atomic_store_n(&w->sizes[table].entries, entries, __ATOMIC_RELAXED);
  __atomic_store_n(&w->sizes[table].bytes, bytes, __ATOMIC_RELAXED);
}

static void publish_sizes(struct writer *w) {
  const struct definitions *d = &w->output.rotation.definitions;
  const struct carryover *c = &w->output.rotation.carryover;
  publish_size(w, WRITER_CLASSES, hashmap_size(&d->classes),
               d->class_bytes + hashmap_bytes(&d->classes));
  publish_size(w, WRITER_METHODS, hashmap_size(&d->methods),
               d->method_bytes + hashmap_bytes(&d->methods));
  publish_size(w, WRITER_OBJECTS, d->num_objects,
               d->capacity * sizeof *d->objects + hashmap_bytes(&d->by_hash));
  publish_size(w, WRITER_THREADS, carryover_count(c),
               c->capacity * sizeof *c->threads + hashmap_bytes(&c->by_hash));
}

struct table_size writer_size(const struct writer *w, enum writer_table table) {
  return (struct table_size){__atomic_load_n(&w->sizes[table].entries, __ATOMIC_RELAXED),
                             __atomic_load_n(&w->sizes[table].bytes, __ATOMIC_RELAXED)};
}

/* --- load ----------------------------------------------------------------------------- */

static uint64_t count_current_bytes(const struct writer *w) {
  uint64_t bytes = 0;
  for (int i = 0; i < NUM_FILES; i++) bytes += w->output.files[i].size;
  return bytes;
}

/* Counts what was written since the last call: by the sets that have ended since, and the current
   one. */
static void count_bytes(struct writer *w) {
  const struct rotation *r = &w->output.rotation;
  uint64_t size = count_current_bytes(w), before = w->counted_set.size;
  unsigned number = rotation_is_on(r) ? r->number : 0;
  for (size_t i = 0; number != w->counted_set.number && i < r->num_finished; i++) {
    if (r->finished[i].number < w->counted_set.number) continue;
    bool is_counted = r->finished[i].number == w->counted_set.number;
    w->bytes += r->finished[i].bytes - (is_counted ? before : 0);
  }
  if (number != w->counted_set.number) before = 0;
  w->bytes += size > before ? size - before : 0;
  w->counted_set.number = number;
  w->counted_set.size = size;
}

static void publish_load(struct writer *w) {
  const struct rotation *r = &w->output.rotation;
  uint64_t bytes = count_current_bytes(w);
  size_t num = rotation_is_on(r) ? r->num_finished : 0;
  for (size_t i = 0; i < num; i++) bytes += r->finished[i].bytes;
  __atomic_store_n(&w->load.disk_bytes, bytes, __ATOMIC_RELAXED);
  __atomic_store_n(&w->load.sets, num + 1, __ATOMIC_RELAXED);
  __atomic_store_n(&w->load.kept, w->trigger_files.num, __ATOMIC_RELAXED);
  __atomic_store_n(&w->load.sets_delayed, rotation_is_on(r) ? r->failures : 0, __ATOMIC_RELAXED);
  count_bytes(w);
  struct rates_look totals = {clock_monotonic_ns(), w->output.events, w->output.samples, w->bytes};
  rates_note(&w->rates, &totals);
}

struct writer_load writer_load(struct writer *w) {
  return (struct writer_load){
      .recent = rates_read(&w->rates, clock_monotonic_ns()),
      .disk_bytes = __atomic_load_n(&w->load.disk_bytes, __ATOMIC_RELAXED),
      .sets = __atomic_load_n(&w->load.sets, __ATOMIC_RELAXED),
      .kept = __atomic_load_n(&w->load.kept, __ATOMIC_RELAXED),
      .sets_delayed = __atomic_load_n(&w->load.sets_delayed, __ATOMIC_RELAXED)};
}

/* --- taking and writing records ------------------------------------------------------- */

/* Takes the records of all lanes; returns their number. All records before `*out_complete_ns` have
   been taken. */
static size_t take_records(struct writer *w, uint64_t *out_complete_ns) {
  size_t total = 0;
  *out_complete_ns = UINT64_MAX;
  for (unsigned lane = 0; lane < queue_num_lanes(w->input.queue); lane++) {
    uint64_t complete;
    size_t n = MAX_TAKEN;
    struct record *room = order_room(w->order, lane, &n);
    n = queue_take(w->input.queue, lane, room, n, &complete);
    order_add(w->order, lane, n);
    total += n;
    if (complete < *out_complete_ns) *out_complete_ns = complete;
  }
  return total;
}

/* Writes the events that the threshold need not hold back any more, now that all events before this
   time have been added to it. */
static void write_decided(struct writer *w, uint64_t complete_ns) {
  struct record r;
  if (w->threshold == NULL) return;
  while (threshold_next(w->threshold, complete_ns, &r)) {
    bool is_wanted = waits_wants(w->waits, &r) || w->input.threshold_ns == 0;
    if (is_wanted) output_put(&w->output, &r);
    if (!is_wanted) record_release(&r);
  }
}

static bool has_alarm(const struct writer *w) { return triggers_any(&w->alarm.triggers); }

static void write_records_before(struct writer *w, uint64_t before_ns) {
  const struct record *r;
  while ((r = order_next(w->order, before_ns)) != NULL) {
    if (r->kind == RECORD_EVENT && has_alarm(w)) alarm_follow(&w->alarm, r);
    if (w->threshold == NULL || r->kind != RECORD_EVENT) {
      output_put(&w->output, r);
    } else {
      threshold_add(w->threshold, r);
      write_decided(w, r->time_ns);
    }
  }
  write_decided(w, before_ns);
}

/* Writes all records pushed before now. If the JVM or a debugger has stopped a producer in the
   middle of a push, gives up after a second. */
static void drain_queue(struct writer *w) {
  uint64_t now = clock_monotonic_ns(), complete = 0;
  while (complete < now && clock_monotonic_ns() - now < NS_PER_S) {
    take_records(w, &complete);
    write_records_before(w, complete);
  }
}

/* Writes all records pushed before now. Begin events without an end are written too. */
static void write_all_records(struct writer *w) {
  drain_queue(w);
  write_decided(w, UINT64_MAX);
}

/* --- triggers ------------------------------------------------------------------------- */

static uint64_t read_cpu_ns(void) {
  struct timespec t = {0, 0};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (uint64_t)t.tv_sec * NS_PER_S + (uint64_t)t.tv_nsec;
}

static void start_alarm(struct writer *w) {
  const struct writer_input *i = &w->input;
  w->alarm = (struct alarm){.triggers = i->triggers, .rest_ns = i->rest_ns, .cpus = i->cpus};
  w->dropped = figure_get(&i->figures->events_dropped);
  w->signals = i->signals == NULL ? 0 : __atomic_load_n(i->signals, __ATOMIC_RELAXED);
}

/* Takes the answer about suspects, and asks about new ones. */
static void look_for_deadlock(struct writer *w, uint64_t now) {
  uint32_t threads[SUSPECTS_MAX];
  uint64_t asked;
  size_t num;
  if (suspects_take(w->input.suspects, threads, &num, &asked))
    alarm_answer(&w->alarm, threads, num, asked, now);
  if (!suspects_are_free(w->input.suspects)) return;
  num = alarm_suspects(&w->alarm, now, threads);
  if (num > 1) suspects_ask(w->input.suspects, threads, num, now);
}

/* Says that a trigger fired, and keeps the files up to now. */
static void fire(struct writer *w, enum trigger trigger, const char *why) {
  char kept[4800];
  write_all_records(w);
  output_trigger(&w->output, trigger, why);
  trigger_files_keep(&w->trigger_files, &w->output, kept, sizeof kept);
  log_line("trigger %s: %s%s", trigger_names[trigger], why, kept);
  if (w->input.firings != NULL) firings_note(w->input.firings, trigger);
}

static void look_for_triggers(struct writer *w) {
  char why[160];
  if (!has_alarm(w) || w->output.failed) return;
  uint64_t now = clock_monotonic_ns(), dropped = figure_get(&w->input.figures->events_dropped);
  unsigned signals = __atomic_load_n(w->input.signals, __ATOMIC_RELAXED);
  if (dropped != w->dropped) alarm_forget(&w->alarm);
  if (signals != w->signals) alarm_signal(&w->alarm);
  w->dropped = dropped;
  w->signals = signals;
  look_for_deadlock(w, now);
  enum trigger found = alarm_look(&w->alarm, now, read_cpu_ns(), why, sizeof why);
  if (found != NUM_TRIGGERS) fire(w, found, why);
}

/* --- a full disk -------------------------------------------------------------------- */

/* Producers that find no room post `wake` all the time, so this does not wait for it. */
static bool wait_for_room(void *arg) {
  const struct writer *w = arg;
  const struct timespec pause = {.tv_nsec = RETRY_NS};
  if ((__atomic_load_n(&w->last_request, __ATOMIC_ACQUIRE) & STOP) == 0) nanosleep(&pause, NULL);
  return (__atomic_load_n(&w->last_request, __ATOMIC_ACQUIRE) & STOP) == 0;
}

/* --- rounds --------------------------------------------------------------------------- */

/* Takes the new records, writes those that are old enough, and flushes when it is time. Returns the
   number of new records. */
static size_t run_round(struct writer *w) {
  uint64_t complete;
  size_t n = take_records(w, &complete);
  uint64_t hold_ns = order_is_full(w->order) ? 0 : w->input.hold_ns;
  uint64_t before = complete > hold_ns ? complete - hold_ns : 0;
  write_records_before(w, before);
  output_forget_unloaded(&w->output,
                         before > w->input.threshold_ns ? before - w->input.threshold_ns : 0);
  if (n > 0) w->output.may_have_counts = true; /* where events occur, counts may change too */
  look_for_triggers(w);
  uint64_t now = clock_monotonic_ns();
  if (now - w->output.flushed_ns >= FLUSH_NS) output_flush(&w->output);
  output_tend(&w->output, now);
  if (queue_size(w->input.queue).entries < MAX_TAKEN) stall_end(w->input.stall);
  publish_sizes(w);
  publish_load(w);
  return n;
}

/* Returns the time on CLOCK_MONOTONIC that is `ns` from now. */
static struct timespec compute_deadline(uint64_t ns) {
  uint64_t at = clock_monotonic_ns() + ns;
  return (struct timespec){(time_t)(at / NS_PER_S), (long)(at % NS_PER_S)};
}

/* Waits for writer_wake, at most `ns`. */
static void wait_for_wake(struct writer *w, uint64_t ns) {
  struct timespec until = compute_deadline(ns);
  bool woken = sem_clockwait(&w->wake, CLOCK_MONOTONIC, &until) == 0;
  while (woken && sem_trywait(&w->wake) == 0) continue; /* several wakes count as one */
  __atomic_store_n(&w->wakeups, w->wakeups + 1, __ATOMIC_RELAXED);
}

/* The time to sleep when everything is written: a set may have to end, or to be deleted, before the
   longest sleep is over. */
static uint64_t compute_sleep_ns(const struct writer *w) {
  bool soon = w->output.may_have_counts || alarm_wants_look(&w->alarm);
  uint64_t sleep_ns = soon ? OUTPUT_COUNT_NS : SLEEP_NS;
  uint64_t now = clock_monotonic_ns(), due_ns = output_next_due(&w->output);
  uint64_t until_due_ns = due_ns > now ? due_ns - now : 0;
  return until_due_ns < sleep_ns ? until_due_ns : sleep_ns;
}

/* Waits until the next round, after one that took `n` records. While lines wait to be flushed, the
   next round comes without a wake, so that at most one producer in FLUSH_NS finds the writer asleep
   and has to wake it. */
static void wait_for_work(struct writer *w, size_t n) {
  bool holds_back = w->threshold != NULL && !threshold_is_empty(w->threshold);
  bool all_written =
      output_waiting_bytes(&w->output) == 0 && order_is_empty(w->order) && !holds_back;
  if (!all_written || !queue_announce_sleep(w->input.queue)) {
    /* New records must be held for hold_ns anyway. A producer that fills half a lane in the
       meantime ends the pause. */
    uint64_t pause_ns = n > 0 ? w->input.hold_ns : IDLE_NS;
    wait_for_wake(w, pause_ns < BUSY_NS ? BUSY_NS : pause_ns > IDLE_NS ? IDLE_NS : pause_ns);
    return;
  }
  wait_for_wake(w, compute_sleep_ns(w));
  queue_withdraw_sleep(w->input.queue);
  output_write_losses(&w->output, clock_monotonic_ns());
}

static void answer_request(struct writer *w, unsigned request) {
  __atomic_store_n(&w->last_answer, request, __ATOMIC_RELEASE);
  if ((request & STOP) != 0) __atomic_store_n(&w->running, false, __ATOMIC_RELEASE);
  sem_post(&w->done);
}

/* Writes everything up to now, with the statistics. `is_last`: what threads still push is not
   written any more, so it counts as dropped. */
static void write_everything(struct writer *w, const char *reason, bool is_last) {
  drain_queue(w);
  if (is_last) write_records_before(w, UINT64_MAX);
  write_decided(w, UINT64_MAX);
  if (is_last) figure_add(&w->input.figures->events_dropped, queue_size(w->input.queue).entries);
  output_finish(&w->output, reason);
}

static void free_recording(struct writer *w) {
  order_free(w->order);
  threshold_free(w->threshold);
  waits_free(w->waits);
  alarm_free(&w->alarm);
  output_end(&w->output);
  publish_sizes(w);
  w->order = NULL;
  w->threshold = NULL;
  w->waits = NULL;
}

static void release_wish(struct wish *wish) {
  if (__atomic_sub_fetch(&wish->users, 1, __ATOMIC_ACQ_REL) != 0) return;
  free(wish->change);
  free(wish);
}

/* `is_first`: nothing was recorded yet. False without memory. */
static bool make_threshold(struct writer *w, uint64_t least_ns, bool is_first) {
  w->threshold = threshold_new(least_ns);
  w->waits = waits_new(is_first);
  if (w->threshold != NULL && w->waits != NULL) return true;
  threshold_free(w->threshold);
  waits_free(w->waits);
  w->threshold = NULL;
  w->waits = NULL;
  return false;
}

/* Pairs that have begun but not ended have the new threshold. */
static bool change_threshold(struct writer *w, uint64_t least_ns) {
  if (w->threshold == NULL && least_ns > 0 && !make_threshold(w, least_ns, false)) return false;
  if (w->threshold != NULL) threshold_change(w->threshold, least_ns);
  w->input.threshold_ns = least_ns;
  return true;
}

static void change_triggers(struct writer *w, const struct change *c) {
  w->input.triggers = c->options.trigger;
  w->alarm.rest_ns = w->input.rest_ns = c->options.rest;
  if (!change_has(c, OPTION_trigger)) return;
  alarm_free(&w->alarm);
  start_alarm(w);
}

static bool apply_change(struct writer *w, const struct change *c) {
  drain_queue(w);
  if (!change_threshold(w, c->options.threshold)) return false;
  change_triggers(w, c);
  return output_change(&w->output, c);
}

static bool make_snapshot(struct writer *w, struct snapshot *s) {
  write_all_records(w);
  bool entered = stall_enter_device(w->input.stall);
  bool good = snapshot_make(s, &w->output);
  stall_leave_device(w->input.stall, entered);
  return good;
}

/* Does what another thread asks for, after all records pushed before now. */
static void fulfil_wish(struct writer *w) {
  struct wish *wish = __atomic_exchange_n(&w->wish, NULL, __ATOMIC_ACQ_REL);
  if (wish == NULL) return;
  wish->is_good =
      wish->change != NULL ? apply_change(w, wish->change) : make_snapshot(w, &wish->snapshot);
  __atomic_store_n(&wish->is_done, true, __ATOMIC_RELEASE);
  release_wish(wish);
  sem_post(&w->done);
}

static void *run_writer(void *arg) {
  struct writer *w = arg;
  unsigned request;
  while (((request = __atomic_load_n(&w->last_request, __ATOMIC_ACQUIRE)) & STOP) == 0) {
    if (request != w->last_answer) {
      write_everything(w, "flush", false);
      answer_request(w, request);
    }
    fulfil_wish(w);
    size_t n = run_round(w);
    if (n < MAX_TAKEN) wait_for_work(w, n);
  }
  drain_queue(w);
  write_records_before(w, UINT64_MAX); /* meanwhile threads that waited for room get it */
  write_everything(w, w->reason, true);
  free_recording(w);
  answer_request(w, request);
  return NULL;
}

/* --- the thread ------------------------------------------------------------------------ */

/* Returns 0, or the errno of pthread_create. */
static int start_writer_thread(struct writer *w) {
  pthread_t thread;
  pthread_attr_t attr;
  sigset_t all, old;
  pthread_attr_init(&attr);
  pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
  pthread_attr_setstacksize(&attr, 256 * 1024);
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all,
                  &old); /* inherited: the JVM's signal handlers must not run in the new thread */
  int why = pthread_create(&thread, &attr, run_writer, w);
  pthread_sigmask(SIG_SETMASK, &old, NULL);
  pthread_attr_destroy(&attr);
  if (why == 0) pthread_setname_np(thread, "orca-writer");
  return why;
}

static void write_statistics(void *arg, struct builder *info) {
  const struct writer *w = arg;
  info_number(info, INFO_WRITER_WAKEUPS, w->wakeups);
  if (w->threshold != NULL) {
    struct threshold_counts counts = threshold_counts(w->threshold);
    info_number(info, INFO_THRESHOLD_PAIRS, counts.pairs);
    info_number(info, INFO_THRESHOLD_WAKES, waits_left_out(w->waits));
    info_number(info, INFO_THRESHOLD_EARLY, counts.early);
  }
}

bool writer_start(struct writer *w, const struct writer_input *input,
                  const struct info_start *start) {
  w->input = *input;
  w->output.write_statistics = write_statistics;
  w->output.statistics_arg = w;
  w->output.wait_for_room = wait_for_room;
  w->wakeups = 0;
  unsigned num_lanes = queue_num_lanes(input->queue);
  for (unsigned lane = 0; lane < num_lanes; lane++) {
    struct record late; /* pushed after the end of the last recording */
    uint64_t complete;
    while (queue_take(input->queue, lane, &late, 1, &complete) == 1) record_release(&late);
  }
  w->order = order_new(num_lanes);
  start_alarm(w);
  rates_begin(&w->rates, clock_monotonic_ns());
  w->bytes = w->counted_set.number = 0;
  w->counted_set.size = 0;
  w->trigger_files = (struct trigger_files){0};
  bool allocated = w->order != NULL &&
                   (input->threshold_ns == 0 || make_threshold(w, input->threshold_ns, true));
  w->last_request = w->last_answer = 0;
  w->running = true;
  int why = output_start(&w->output, &w->input, start) ? 0 : errno;
  if (!allocated) why = ENOMEM;
  if (why == 0) why = start_writer_thread(w);
  if (why == 0) return true;
  w->running = false;
  free_recording(w);
  errno = why;
  return false;
}

void writer_wake(void *w) { sem_post(&((struct writer *)w)->wake); }

/* A stop is answered when the thread has cleared `running`, its last access to the recording. So
   the next recording can begin at once. */
static bool is_answered(const struct writer *w, unsigned request) {
  bool has_number = __atomic_load_n(&w->last_answer, __ATOMIC_ACQUIRE) == request;
  return !is_running(w) || (has_number && (request & STOP) == 0);
}

/* Sends a flush request, or a stop request if `stop` is STOP, and waits for its answer. False if
   there was none within `limit_ns`. */
static bool send_request(struct writer *w, unsigned stop, uint64_t limit_ns) {
  struct timespec until = compute_deadline(limit_ns);
  unsigned request = (w->last_request + NEXT_REQUEST) | stop;
  __atomic_store_n(&w->last_request, request, __ATOMIC_RELEASE);
  writer_wake(w);
  while (!is_answered(w, request)) {
    if (sem_clockwait(&w->done, CLOCK_MONOTONIC, &until) != 0 && errno != EINTR) break;
  }
  return is_answered(w, request);
}

bool writer_flush(struct writer *w, uint64_t limit_ns) {
  return is_running(w) && send_request(w, 0, limit_ns);
}

/* `c` may be NULL. The wish takes it over. */
static struct wish *new_wish(struct change *c) {
  struct wish *wish = memory_new_zeroed(1, sizeof *wish);
  if (wish == NULL) {
    free(c);
    return NULL;
  }
  wish->change = c;
  wish->users = 2;
  return wish;
}

/* Waits until the wish is fulfilled, at most `limit_ns`. */
static bool wait_for_wish(struct writer *w, const struct wish *wish, uint64_t limit_ns) {
  struct timespec until = compute_deadline(limit_ns);
  writer_wake(w);
  while (!__atomic_load_n(&wish->is_done, __ATOMIC_ACQUIRE) && is_running(w)) {
    if (sem_clockwait(&w->done, CLOCK_MONOTONIC, &until) != 0 && errno != EINTR) break;
  }
  sem_post(&w->done); /* VMDeath may wait too, and this thread may have taken its wake */
  return __atomic_load_n(&wish->is_done, __ATOMIC_ACQUIRE);
}

/* Hands a wish to the writer thread and waits for it. False, with the reason in `error`, if it was
   not done. The caller releases the wish. `what`: for the user, "the snapshot". */
static bool make_wish(struct writer *w, struct wish *wish, const char *what, uint64_t limit_ns,
                      char *error, size_t error_size) {
  struct wish *none = NULL, *mine = wish;
  if (!__atomic_compare_exchange_n(&w->wish, &none, wish, false, __ATOMIC_ACQ_REL,
                                   __ATOMIC_ACQUIRE)) {
    snprintf(error, error_size, "the last snapshot or change has not begun yet");
    release_wish(wish);
    return false;
  }
  bool is_done = wait_for_wish(w, wish, limit_ns);
  if (!is_done && is_running(w)) {
    snprintf(error, error_size, "%s is not finished after %.0f s", what,
             (double)limit_ns / NS_PER_S);
  } else if (!is_done) {
    snprintf(error, error_size, "the recording ended before %s", what);
  }
  bool is_withdrawn =
      __atomic_compare_exchange_n(&w->wish, &mine, NULL, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
  if (is_withdrawn) release_wish(wish);
  return is_done;
}

bool writer_snapshot(struct writer *w, struct snapshot *s, uint64_t limit_ns) {
  struct wish *wish = is_running(w) ? new_wish(NULL) : NULL;
  snprintf(s->error, sizeof s->error, "%s",
           is_running(w) ? "there is no memory for a snapshot" : "nothing is being recorded");
  if (wish == NULL) return false;
  wish->snapshot = *s;
  bool good = make_wish(w, wish, "the snapshot", limit_ns, s->error, sizeof s->error);
  if (good) *s = wish->snapshot;
  good = good && wish->is_good;
  release_wish(wish);
  return good;
}

bool writer_change(struct writer *w, struct change *c, uint64_t limit_ns, char *error,
                   size_t error_size) {
  struct wish *wish = new_wish(c);
  snprintf(error, error_size, "there is no memory for a change");
  if (wish == NULL) return false;
  bool good = make_wish(w, wish, "the change", limit_ns, error, error_size) && wish->is_good;
  release_wish(wish);
  return good;
}

bool writer_stop(struct writer *w, const char *reason, uint64_t limit_ns) {
  if (!is_running(w)) return true;
  w->reason = reason;
  return send_request(w, STOP, limit_ns);
}

struct writer_counts writer_counts(const struct writer *w) {
  return (struct writer_counts){__atomic_load_n(&w->output.events, __ATOMIC_RELAXED),
                                __atomic_load_n(&w->output.samples, __ATOMIC_RELAXED),
                                __atomic_load_n(&w->wakeups, __ATOMIC_RELAXED)};
}
