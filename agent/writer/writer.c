#include "agent/writer/writer.h"

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>

#include "agent/base/clock.h"
#include "agent/base/memory.h"
#include "agent/writer/order.h"
#include "agent/writer/output.h"
#include "agent/writer/threshold.h"

#define FLUSH_NS (100 * NS_PER_MS) /* a line waits no longer than this once it is formatted */
#define BUSY_NS (5 * NS_PER_MS)    /* least pause between two looks when there was something */
#define IDLE_NS (50 * NS_PER_MS)   /* and when there was nothing, but lines still wait */
#define SLEEP_NS (10 * NS_PER_S)   /* when all is written: until a producer wakes it, or so long */
#define TAKE 4096                  /* records taken from a lane at a time */

struct writer {
  struct writer_source source;
  struct output output;
  struct order *order;
  struct threshold *threshold; /* NULL: every pair is written */
  uint64_t wakeups;            /* atomic: others read it */

  /* What another thread wants: a new number in `asked`, plus STOP once it shall stop. Set before
     `wake` is posted; the answer is the same number, then `done`. A number of its own tells it
     from a late answer to one that had given up. */
  unsigned asked, answered; /* atomic */
  const char *reason;       /* of the stop */
  sem_t wake, done;
  bool running; /* is there a thread? It clears this at its end. Atomic */
};

enum { STOP = 1, ASK = 2 };

/* --- opening ------------------------------------------------------------------------ */

struct writer *writer_new(void) {
  struct writer *w = memory_new_zeroed(1, sizeof *w);
  if (w == NULL) return NULL;
  output_init(&w->output);
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

bool writer_open(struct writer *w, const char *prefix, char *error, size_t error_size) {
  if (!is_running(w)) return output_open(&w->output, prefix, error, error_size);
  snprintf(error, error_size, "the files of the last recording are not finished yet");
  return false;
}

/* --- rounds --------------------------------------------------------------------------- */

/* Takes from every lane what is there; returns how many, and the time before which all is here. */
static size_t take_all(struct writer *w, uint64_t *out_complete_ns) {
  size_t total = 0;
  *out_complete_ns = UINT64_MAX;
  for (unsigned lane = 0; lane < queue_num_lanes(w->source.queue); lane++) {
    uint64_t complete;
    size_t n = TAKE;
    struct record *room = order_room(w->order, lane, &n);
    n = queue_take(w->source.queue, lane, room, n, &complete);
    order_add(w->order, lane, n);
    total += n;
    if (complete < *out_complete_ns) *out_complete_ns = complete;
  }
  return total;
}

/* What the threshold held back and lets go, now that all before this time has been seen. */
static void write_held(struct writer *w, uint64_t complete_ns) {
  struct record r;
  if (w->threshold == NULL) return;
  while (threshold_next(w->threshold, complete_ns, &r)) output_put(&w->output, &r);
}

static void write_before(struct writer *w, uint64_t before_ns) {
  const struct record *r;
  while ((r = order_next(w->order, before_ns)) != NULL) {
    if (w->threshold == NULL || r->kind != RECORD_EVENT) {
      output_put(&w->output, r);
    } else {
      threshold_add(w->threshold, r);
      write_held(w, r->time_ns);
    }
  }
  write_held(w, before_ns);
}

static uint64_t minus(uint64_t a, uint64_t b) { return a > b ? a - b : 0; }

/* One look at everything; returns how many records there were. */
static size_t look(struct writer *w, bool hold) {
  uint64_t complete;
  size_t n = take_all(w, &complete);
  bool held = hold && !order_is_full(w->order);
  write_before(w, held ? minus(complete, w->source.hold_ns) : complete);
  if (n > 0)
    w->output.counting = true; /* where there are events there may be what is only counted */
  if (clock_monotonic_ns() - w->output.flushed_ns >= FLUSH_NS) output_flush(&w->output);
  return n;
}

static struct timespec from_now(uint64_t ns) {
  uint64_t at = clock_monotonic_ns() + ns;
  return (struct timespec){(time_t)(at / NS_PER_S), (long)(at % NS_PER_S)};
}

static void pause_for(struct writer *w, uint64_t ns) {
  struct timespec until = from_now(ns);
  bool called = sem_clockwait(&w->wake, CLOCK_MONOTONIC, &until) == 0;
  while (called && sem_trywait(&w->wake) == 0) continue; /* many calls count as one */
  __atomic_store_n(&w->wakeups, w->wakeups + 1, __ATOMIC_RELAXED);
}

static bool is_all_written(const struct writer *w) {
  bool holds_back = w->threshold != NULL && !threshold_is_empty(w->threshold);
  return output_waiting(&w->output) == 0 && order_is_empty(w->order) && !holds_back;
}

/* Between two looks while there is something to do: what was just taken has to be held first, and
   who fills half a lane meanwhile ends the pause. */
static uint64_t pause_ns(const struct writer *w, size_t n) {
  uint64_t held = n > 0 ? w->source.hold_ns : IDLE_NS;
  return held < BUSY_NS ? BUSY_NS : held > IDLE_NS ? IDLE_NS : held;
}

/* Until there is something to do. As long as lines wait it looks again by itself, so that at most
   one event in FLUSH_NS finds it asleep and has to wake it. */
static void rest(struct writer *w, size_t n) {
  if (!is_all_written(w) || !queue_sleep(w->source.queue)) {
    pause_for(w, pause_ns(w, n));
    return;
  }
  pause_for(w, w->output.counting ? OUTPUT_COUNT_NS : SLEEP_NS);
  queue_awake(w->source.queue);
  output_losses(&w->output, clock_monotonic_ns());
}

/* Everything that was pushed before now; a producer that is stopped in mid-push is not waited for
   longer than writer_stop waits for us. */
static void drain(struct writer *w) {
  uint64_t now = clock_monotonic_ns(), complete = 0;
  while (complete < now && clock_monotonic_ns() - now < NS_PER_S) {
    take_all(w, &complete);
    write_before(w, complete);
  }
}

static void answer(struct writer *w, unsigned asked) {
  __atomic_store_n(&w->answered, asked, __ATOMIC_RELEASE);
  if ((asked & STOP) != 0) __atomic_store_n(&w->running, false, __ATOMIC_RELEASE);
  sem_post(&w->done);
}

/* Everything so far, and how far that is. */
static void finish(struct writer *w, const char *reason) {
  drain(w);
  write_held(w, UINT64_MAX); /* what is not over stands there as well */
  output_finish(&w->output, reason);
}

static void end(struct writer *w) {
  order_free(w->order);
  threshold_free(w->threshold);
  output_end(&w->output);
  w->order = NULL;
  w->threshold = NULL;
}

static void *run(void *arg) {
  struct writer *w = arg;
  unsigned asked;
  while (((asked = __atomic_load_n(&w->asked, __ATOMIC_ACQUIRE)) & STOP) == 0) {
    if (asked != w->answered) {
      finish(w, "flush");
      answer(w, asked);
    }
    size_t n = look(w, true);
    if (n < TAKE) rest(w, n);
  }
  drain(w);
  write_before(w, UINT64_MAX);
  finish(w, w->reason);
  end(w);
  answer(w, asked);
  return NULL;
}

/* --- the thread ------------------------------------------------------------------------ */

static bool start_thread(struct writer *w) {
  pthread_t thread;
  pthread_attr_t attr;
  sigset_t all, old;
  pthread_attr_init(&attr);
  pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
  pthread_attr_setstacksize(&attr, 256 * 1024);
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &old); /* inherited: the JVM's handlers must not run there */
  bool good = pthread_create(&thread, &attr, run, w) == 0;
  pthread_sigmask(SIG_SETMASK, &old, NULL);
  pthread_attr_destroy(&attr);
  if (good) pthread_setname_np(thread, "orca-writer");
  return good;
}

/* Records that came after the end of the last recording. */
static void throw_away(struct queue *q) {
  struct record r;
  uint64_t complete;
  for (unsigned lane = 0; lane < queue_num_lanes(q); lane++) {
    while (queue_take(q, lane, &r, 1, &complete) == 1) record_release(&r);
  }
}

static bool make_order(struct writer *w) {
  uint64_t least_ns = w->source.threshold_ns;
  w->order = order_new(queue_num_lanes(w->source.queue));
  w->threshold = least_ns == 0 ? NULL : threshold_new(least_ns);
  return w->order != NULL && (w->threshold != NULL || least_ns == 0);
}

static void add_figures(void *arg, struct builder *info) {
  const struct writer *w = arg;
  info_number(info, "writer.wakeups", w->wakeups);
  if (w->threshold != NULL) {
    struct threshold_counts counts = threshold_counts(w->threshold);
    info_number(info, "threshold.pairs", counts.pairs);
    info_number(info, "threshold.early", counts.early);
  }
}

bool writer_start(struct writer *w, const struct writer_source *source,
                  const struct info_start *start) {
  w->source = *source;
  w->output.figures = add_figures;
  w->output.figures_arg = w;
  w->wakeups = 0;
  throw_away(source->queue);
  bool room = make_order(w);
  w->asked = w->answered = 0;
  w->running = true;
  bool good = output_start(&w->output, &w->source, start);
  if (room && good && start_thread(w)) return true;
  w->running = false;
  end(w);
  return false;
}

void writer_wake(void *w) { sem_post(&((struct writer *)w)->wake); }

static bool is_answered(const struct writer *w, unsigned asked) {
  return __atomic_load_n(&w->answered, __ATOMIC_ACQUIRE) == asked || !is_running(w);
}

/* Asks the thread for something and waits for the answer. */
static bool ask(struct writer *w, unsigned stop, uint64_t limit_ns) {
  uint64_t at = clock_monotonic_ns() + limit_ns;
  struct timespec until = {(time_t)(at / NS_PER_S), (long)(at % NS_PER_S)};
  unsigned asked = (w->asked + ASK) | stop;
  __atomic_store_n(&w->asked, asked, __ATOMIC_RELEASE);
  writer_wake(w);
  while (!is_answered(w, asked)) {
    if (sem_clockwait(&w->done, CLOCK_MONOTONIC, &until) != 0 && errno != EINTR) break;
  }
  return is_answered(w, asked);
}

bool writer_flush(struct writer *w, uint64_t limit_ns) {
  return is_running(w) && ask(w, 0, limit_ns);
}

bool writer_stop(struct writer *w, const char *reason, uint64_t limit_ns) {
  if (!is_running(w)) return true;
  w->reason = reason;
  return ask(w, STOP, limit_ns);
}

struct writer_counts writer_counts(const struct writer *w) {
  return (struct writer_counts){__atomic_load_n(&w->output.events, __ATOMIC_RELAXED),
                                __atomic_load_n(&w->output.samples, __ATOMIC_RELAXED),
                                __atomic_load_n(&w->wakeups, __ATOMIC_RELAXED)};
}
