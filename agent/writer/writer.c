#include "agent/writer/writer.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "agent/base/clock.h"
#include "agent/base/log.h"
#include "agent/base/memory.h"
#include "agent/base/os_thread.h"
#include "agent/files/lines.h"
#include "agent/files/output.h"
#include "agent/files/snapshot.h"
#include "agent/writer/call_text.h"
#include "agent/writer/load.h"
#include "agent/writer/mailbox.h"
#include "agent/writer/order.h"
#include "agent/writer/short_threads.h"
#include "agent/writer/threshold.h"
#include "agent/writer/trigger_watch.h"
#include "agent/writer/waits.h"

#define FLUSH_NS (100 * NS_PER_MS) /* a formatted line waits at most this long to be flushed */
#define BUSY_NS (5 * NS_PER_MS)    /* least pause after a round that took records */
#define IDLE_NS (50 * NS_PER_MS)   /* pause after a round without records, while lines wait */
#define SLEEP_NS (10 * NS_PER_S)   /* longest sleep when everything is written */
#define STEP_NS (50 * NS_PER_MS)   /* between two looks for a stop, while a file takes no line */
#define MAX_TAKEN 4096             /* records taken from a lane per round */
#define LATE_NS NS_PER_MS          /* threads that push at the same time overtake each other */

struct writer {
  struct writer_input input;
  struct options options; /* in force; those of `input` */
  struct output output;
  struct order *order;
  struct threshold *threshold;         /* NULL: every pair is written */
  struct waits *waits;                 /* NULL if `threshold` is */
  struct short_threads *short_threads; /* the same */
  struct trigger_watch watch;
  struct trigger_files trigger_files; /* the files that triggers have kept */
  uint64_t written_ns;                /* the latest time of an event that left `order` */
  uint64_t num_late;                  /* events that came after later ones had left it */
  uint64_t wakeups;                   /* atomic: other threads read it */
  struct load load;
  struct mailbox mailbox; /* requests of other threads */
};

/* --- opening ------------------------------------------------------------------------ */

struct writer *writer_new(void) {
  struct writer *w = memory_new_zeroed(1, sizeof *w);
  if (w == NULL) return NULL;
  output_init(&w->output);
  load_init(&w->load);
  mailbox_init(&w->mailbox);
  return w;
}

void writer_abandon(struct writer *w) { output_close(&w->output); }

bool writer_try(struct writer *w, const char *prefix, char *error, size_t error_size) {
  return output_try(&w->output, prefix, error, error_size);
}

bool writer_open(struct writer *w, const char *prefix, const char *run, char *error,
                 size_t error_size) {
  if (!mailbox_is_open(&w->mailbox)) return output_open(&w->output, prefix, run, error, error_size);
  snprintf(error, error_size, "the files of the last recording are not finished yet");
  return false;
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

/* Writes the events that need not be held back for the start of a thread any more. */
static void write_threads_before(struct writer *w, uint64_t before_ns) {
  struct record r;
  while (short_threads_next(w->short_threads, before_ns, &r)) output_put(&w->output, &r);
}

/* Writes the events that the threshold need not hold back any more, now that all events before this
   time have been added to it. */
static void write_decided(struct writer *w, uint64_t complete_ns) {
  struct record r;
  uint64_t least_ns = w->options.threshold;
  if (w->threshold == NULL) return;
  while (threshold_next(w->threshold, complete_ns, &r)) {
    /* A thread that began before this time is no short one, if it ends with this event. */
    write_threads_before(w, r.time_ns >= least_ns ? r.time_ns - least_ns + 1 : 0);
    bool is_wanted = waits_wants(w->waits, &r) || least_ns == 0;
    if (is_wanted) short_threads_add(w->short_threads, &r);
    if (!is_wanted) record_release(&r);
    write_threads_before(w, 0);
  }
  bool is_all = complete_ns == UINT64_MAX || least_ns == 0;
  uint64_t known_ns = threshold_known(w->threshold, complete_ns);
  write_threads_before(w, is_all ? UINT64_MAX : known_ns > least_ns ? known_ns - least_ns : 0);
}

/* Counts an event that comes after later ones were written, because too many had to be held back.
   Its line gets a later time. */
static void count_late(struct writer *w, const struct record *r) {
  if (r->time_ns + LATE_NS < w->written_ns) w->num_late++;
  if (r->time_ns > w->written_ns) w->written_ns = r->time_ns;
}

static void write_records_before(struct writer *w, uint64_t before_ns) {
  const struct record *r;
  while ((r = order_next(w->order, before_ns)) != NULL) {
    if (r->kind == RECORD_EVENT) trigger_watch_follow(&w->watch, &w->input, r);
    if (w->threshold == NULL || r->kind != RECORD_EVENT) {
      bool is_virtual = r->kind == RECORD_SAMPLE && r->event != 0;
      if (is_virtual && w->threshold != NULL)
        short_threads_name(w->short_threads, r->thread, r->time_ns);
      output_put(&w->output, r);
    } else {
      count_late(w, r);
      threshold_add(w->threshold, r);
      write_decided(w, r->time_ns);
    }
  }
  write_decided(w, before_ns);
}

/* Returns the time before which no event can be missing in the queue any more, as far as young
   calls are concerned. Read it before the queue. */
static uint64_t get_decided_ns(const struct writer *w) {
  const uint64_t *decided = w->input.decided_ns;
  return decided == NULL ? UINT64_MAX : __atomic_load_n(decided, __ATOMIC_ACQUIRE);
}

static uint64_t get_earlier(uint64_t a, uint64_t b) { return a < b ? a : b; }

/* Writes all records pushed before now. Records after `decided_ns` stay, since a young call before
   them may still be recorded. Gives up after a second if the JVM or a debugger has stopped a
   producer in the middle of a push. */
static void drain_queue(struct writer *w) {
  uint64_t now = clock_monotonic_ns(), complete = 0;
  while (complete < now && clock_monotonic_ns() - now < NS_PER_S) {
    uint64_t decided = get_decided_ns(w);
    take_records(w, &complete);
    write_records_before(w, get_earlier(complete, decided));
  }
}

/* Writes all records pushed before now. Begin events without an end are written too. */
static void write_all_records(struct writer *w) {
  drain_queue(w);
  write_decided(w, UINT64_MAX);
}

/* --- triggers ------------------------------------------------------------------------- */

/* Says that a trigger fired, and keeps the files up to now; with young calls, up to the time before
   which it is decided what is recorded. */
static void fire(struct writer *w, enum trigger trigger, const char *why) {
  char kept[4800];
  write_all_records(w);
  output_trigger(&w->output, trigger, why);
  trigger_files_keep(&w->trigger_files, &w->output, kept, sizeof kept);
  log_line("trigger %s: %s%s", trigger_names[trigger], why, kept);
  if (w->input.firings != NULL) firings_note(w->input.firings, trigger);
}

/* All events before `known_ns` have been followed. */
static void look_for_triggers(struct writer *w, uint64_t known_ns) {
  char why[1024];
  if (w->output.failed) return;
  uint64_t now_ns = clock_monotonic_ns();
  short_lines_look(&w->output.short_lines, now_ns);
  w->watch.alarm.unseen_ns = w->output.short_lines.lock_ns;
  enum trigger found = trigger_watch_look(&w->watch, &w->input, now_ns, known_ns, why, sizeof why);
  if (found == TRIGGER_METHOD)
    call_text_write(&w->output, &w->watch.alarm.reported, why, sizeof why);
  if (found != NUM_TRIGGERS) fire(w, found, why);
}

/* --- a file that takes no line ------------------------------------------------------- */

/* Producers that find no room post `wake` all the time, so this does not wait for it. */
static bool wait_for_room(void *arg, uint64_t pause_ns) {
  const struct writer *w = arg;
  const struct timespec step = {.tv_nsec = STEP_NS};
  for (uint64_t ns = 0; ns < pause_ns && !mailbox_has_stop(&w->mailbox); ns += STEP_NS) {
    nanosleep(&step, NULL);
  }
  return !mailbox_has_stop(&w->mailbox);
}

/* --- rounds --------------------------------------------------------------------------- */

/* Takes the new records, writes those that are old enough, and flushes when it is time. Returns the
   number of new records. */
static size_t run_round(struct writer *w) {
  uint64_t complete, decided = get_decided_ns(w);
  size_t n = take_records(w, &complete);
  bool is_full = order_is_full(w->order);
  uint64_t hold_ns = is_full ? 0 : w->input.hold_ns;
  uint64_t before = complete > hold_ns ? complete - hold_ns : 0;
  if (!is_full) before = get_earlier(before, decided);
  write_records_before(w, before);
  /* An event may be held back twice: for a pair, and for the start of a thread. */
  uint64_t held_ns = 2 * w->options.threshold;
  output_forget_unloaded(&w->output, before > held_ns ? before - held_ns : 0);
  if (n > 0) w->output.may_have_counts = true; /* where events occur, counts may change too */
  look_for_triggers(w, before);
  uint64_t now = clock_monotonic_ns();
  if (now - w->output.flushed_ns >= FLUSH_NS) output_flush(&w->output);
  output_tend(&w->output, now);
  if (queue_size(w->input.queue).entries < MAX_TAKEN) stall_end(w->input.stall);
  load_publish(&w->load, &w->output, w->trigger_files.num);
  return n;
}

/* Waits for writer_wake, at most `ns`. */
static void wait_for_wake(struct writer *w, uint64_t ns) {
  mailbox_wait(&w->mailbox, ns);
  __atomic_store_n(&w->wakeups, w->wakeups + 1, __ATOMIC_RELAXED);
}

/* The time to sleep when everything is written: a set may have to end, or to be deleted, before the
   longest sleep is over. */
static uint64_t compute_sleep_ns(const struct writer *w) {
  bool soon = w->output.may_have_counts || alarm_wants_look(&w->watch.alarm);
  uint64_t sleep_ns = soon ? OUTPUT_COUNT_NS : SLEEP_NS;
  uint64_t now = clock_monotonic_ns(), due_ns = output_next_due(&w->output);
  uint64_t until_due_ns = due_ns > now ? due_ns - now : 0;
  return until_due_ns < sleep_ns ? until_due_ns : sleep_ns;
}

/* Waits until the next round, after one that took `n` records. While lines wait to be flushed, the
   next round comes without a wake, so that at most one producer in FLUSH_NS finds the writer asleep
   and has to wake it. */
static void wait_for_work(struct writer *w, size_t n) {
  bool holds_back = w->threshold != NULL && (!threshold_is_empty(w->threshold) ||
                                             !short_threads_is_empty(w->short_threads));
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

/* Writes everything, with the statistics. What threads still push is not written any more, so it
   counts as dropped. */
static void write_everything(struct writer *w) {
  drain_queue(w);
  write_records_before(w, UINT64_MAX); /* meanwhile threads that waited for room get it */
  drain_queue(w);
  write_records_before(w, UINT64_MAX);
  write_decided(w, UINT64_MAX);
  figure_add(&w->input.figures->events_dropped, queue_size(w->input.queue).entries);
  output_finish(&w->output, mailbox_stop_reason(&w->mailbox));
}

static void free_threshold(struct writer *w) {
  threshold_free(w->threshold);
  waits_free(w->waits);
  short_threads_free(w->short_threads);
  w->threshold = NULL;
  w->waits = NULL;
  w->short_threads = NULL;
}

static void free_recording(struct writer *w) {
  order_free(w->order);
  free_threshold(w);
  trigger_watch_end(&w->watch);
  output_end(&w->output);
  load_publish_tables(&w->load, &w->output);
  w->order = NULL;
}

/* `is_first`: nothing was recorded yet. False without memory. */
static bool make_threshold(struct writer *w, uint64_t least_ns, bool is_first) {
  w->threshold = threshold_new(least_ns, &w->output.short_lines);
  w->waits = waits_new(is_first);
  w->short_threads = short_threads_new();
  if (w->threshold != NULL && w->waits != NULL && w->short_threads != NULL) return true;
  free_threshold(w);
  return false;
}

/* Pairs that have begun but not ended have the new threshold. */
static bool change_threshold(struct writer *w, uint64_t least_ns) {
  if (w->threshold == NULL && least_ns > 0 && !make_threshold(w, least_ns, false)) return false;
  if (w->threshold != NULL) threshold_change(w->threshold, least_ns);
  if (w->threshold != NULL) write_threads_before(w, UINT64_MAX); /* they had the old threshold */
  return true;
}

static bool apply_change(struct writer *w, const struct change *c) {
  drain_queue(w);
  lines_write_counts(&w->output, /* all */ true); /* those of the old threshold */
  if (!change_threshold(w, c->options.threshold)) return false;
  w->options = c->options;
  if (change_has(c, OPTION_trigger)) trigger_watch_change(&w->watch, &w->input);
  change_put_rows(c, &w->output.files[FILE_INFO].lines, clock_monotonic_ns());
  return output_change(&w->output, &c->options);
}

static bool make_snapshot(struct writer *w, struct snapshot *s) {
  write_all_records(w);
  bool entered = stall_enter_device(w->input.stall);
  bool good = snapshot_make(s, &w->output);
  stall_leave_device(w->input.stall, entered);
  return good;
}

/* Does what another thread asks for, after all records pushed before now. */
static void answer_request(struct writer *w) {
  struct request *r = mailbox_take(&w->mailbox);
  if (r == NULL) return;
  bool is_change = r->kind == REQUEST_CHANGE;
  mailbox_answer(r, is_change ? apply_change(w, r->change) : make_snapshot(w, &r->snapshot));
}

static void *run_writer(void *arg) {
  struct writer *w = arg;
  while (!mailbox_has_stop(&w->mailbox)) {
    answer_request(w);
    size_t n = run_round(w);
    if (n < MAX_TAKEN) wait_for_work(w, n);
  }
  write_everything(w);
  free_recording(w);
  mailbox_close(&w->mailbox);
  return NULL;
}

/* --- the thread ------------------------------------------------------------------------ */

static void write_statistics(void *arg, struct builder *info) {
  const struct writer *w = arg;
  info_number(info, INFO_WRITER_WAKEUPS, w->wakeups);
  if (w->threshold != NULL) {
    struct threshold_counts counts = threshold_counts(w->threshold);
    uint64_t young = w->output.short_lines.pairs_of_threads;
    uint64_t wakes = w->input.left_out == NULL ? 0 : left_out_wakes(w->input.left_out);
    info_number(info, INFO_THRESHOLD_PAIRS, counts.pairs + young);
    info_number(info, INFO_THRESHOLD_YOUNG, young);
    info_number(info, INFO_THRESHOLD_WAKES, waits_left_out(w->waits) + wakes);
    info_number(info, INFO_THRESHOLD_THREADS, short_threads_left_out(w->short_threads));
    info_number(info, INFO_THRESHOLD_EARLY, counts.early);
    info_number(info, INFO_THRESHOLD_LATE, w->num_late);
  }
}

bool writer_start(struct writer *w, const struct writer_input *input,
                  const struct info_start *start) {
  w->input = *input;
  w->options = *input->options;
  w->input.options = &w->options;
  w->output.write_statistics = write_statistics;
  w->output.statistics_arg = w;
  w->output.wait_for_room = wait_for_room;
  w->wakeups = w->written_ns = w->num_late = 0;
  unsigned num_lanes = queue_num_lanes(input->queue);
  for (unsigned lane = 0; lane < num_lanes; lane++) {
    struct record late; /* pushed after the end of the last recording */
    uint64_t complete;
    while (queue_take(input->queue, lane, &late, 1, &complete) == 1) record_release(&late);
  }
  w->order = order_new(num_lanes);
  trigger_watch_begin(&w->watch, &w->input);
  load_begin(&w->load);
  w->trigger_files = (struct trigger_files){0};
  uint64_t least_ns = w->options.threshold;
  bool allocated = w->order != NULL && (least_ns == 0 || make_threshold(w, least_ns, true));
  mailbox_open(&w->mailbox);
  int why = output_start(&w->output, &w->input, start) ? 0 : errno;
  if (!allocated) why = ENOMEM;
  if (why == 0) why = os_thread_start(run_writer, w, "orca-writer");
  if (why == 0) return true;
  free_recording(w);
  mailbox_close(&w->mailbox);
  errno = why;
  return false;
}

/* --- other threads ---------------------------------------------------------------------- */

void writer_wake(void *w) { mailbox_wake(&((struct writer *)w)->mailbox); }

bool writer_snapshot(struct writer *w, struct snapshot *s, uint64_t limit_ns) {
  return mailbox_ask_snapshot(&w->mailbox, s, limit_ns);
}

bool writer_is_behind(const struct writer *w) { return mailbox_has_request(&w->mailbox); }

bool writer_change(struct writer *w, struct change *c, uint64_t limit_ns, char *error,
                   size_t error_size) {
  return mailbox_ask_change(&w->mailbox, c, limit_ns, error, error_size);
}

bool writer_stop(struct writer *w, const char *reason, uint64_t limit_ns) {
  return mailbox_ask_stop(&w->mailbox, reason, limit_ns);
}

struct table_size writer_size(const struct writer *w, enum writer_table table) {
  return load_read_table(&w->load, table);
}

struct writer_load writer_load(struct writer *w) {
  return load_read(&w->load);
}

struct writer_counts writer_counts(const struct writer *w) {
  return (struct writer_counts){__atomic_load_n(&w->output.events, __ATOMIC_RELAXED),
                                __atomic_load_n(&w->output.samples, __ATOMIC_RELAXED),
                                __atomic_load_n(&w->wakeups, __ATOMIC_RELAXED)};
}
