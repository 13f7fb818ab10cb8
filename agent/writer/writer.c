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
#include "agent/event/line.h"
#include "agent/meta/stack.h"
#include "agent/monitor/blocked.h"
#include "agent/writer/dump_file.h"
#include "agent/writer/order.h"
#include "agent/writer/rotation.h"
#include "agent/writer/threshold.h"

#define FLUSH_NS (100 * NS_PER_MS) /* a line waits no longer than this once it is formatted */
#define FLUSH_BYTES (256 * 1024)   /* or until there are so many */
#define BUSY_NS (5 * NS_PER_MS)    /* least pause between two looks when there was something */
#define IDLE_NS (50 * NS_PER_MS)   /* and when there was nothing, but lines still wait */
#define SLEEP_NS (10 * NS_PER_S)   /* when all is written: until a producer wakes it, or so long, */
#define COUNT_NS NS_PER_S          /* or, where what is only counted may have changed, so long */
#define TAKE 4096                  /* records taken from a lane at a time */

struct writer {
  struct writer_source source;
  struct dump_file files[NUM_FILES];
  struct order *order;
  struct threshold *threshold; /* NULL: every pair is written */
  struct rotation rotation;
  uint64_t last_stack_id;  /* given to a stack in .samples; goes on through all recordings, */
  uint64_t first_stack_id; /* so that one from before this set is told by its number */
  uint64_t events, samples, wakeups;      /* atomic: others read them */
  uint64_t events_before, samples_before; /* the set being written */
  uint64_t dropped, intact_ns; /* losses that .info tells, and the time up to which it tells all */
  uint64_t flushed_ns, counted_ns;
  bool counting; /* may counts have changed since `counted_ns`, or do they change all the time? */
  bool failed;

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

/* Why a file cannot be written: errno. */
static void refuse_file(const struct dump_file *f, char *error, size_t size) {
  if (errno == EWOULDBLOCK) {
    snprintf(error, size, "another process is writing %s; %%p in the prefix becomes the pid",
             f->path);
  } else {
    snprintf(error, size,
             "cannot write %s: %s; the prefix has to be a path in a folder that exists", f->path,
             strerror(errno));
  }
}

struct writer *writer_new(void) {
  struct writer *w = calloc(1, sizeof *w);
  if (w == NULL) return NULL;
  for (int i = 0; i < NUM_FILES; i++) w->files[i].fd = -1;
  sem_init(&w->wake, 0, 0);
  sem_init(&w->done, 0, 0);
  return w;
}

void writer_abandon(struct writer *w) {
  for (int i = 0; i < NUM_FILES; i++) dump_file_close(&w->files[i]);
}

static bool is_running(const struct writer *w) {
  return __atomic_load_n(&w->running, __ATOMIC_ACQUIRE);
}

bool writer_try(struct writer *w, const char *prefix, char *error, size_t error_size) {
  for (int i = 0; i < NUM_FILES; i++) {
    if (dump_file_try(&w->files[i], prefix, file_suffixes[i])) continue;
    refuse_file(&w->files[i], error, error_size);
    return false;
  }
  return true;
}

bool writer_open(struct writer *w, const char *prefix, char *error, size_t error_size) {
  if (is_running(w)) {
    snprintf(error, error_size, "the files of the last recording are not finished yet");
    return false;
  }
  for (int i = 0; i < NUM_FILES; i++) {
    if (dump_file_open(&w->files[i], prefix, file_suffixes[i])) continue;
    refuse_file(&w->files[i], error, error_size);
    writer_abandon(w);
    return false;
  }
  return true;
}

/* --- lines --------------------------------------------------------------------------- */

static ticks_t next_time(struct writer *w, enum file file, uint64_t time_ns) {
  return dump_file_time(&w->files[file], time_ns);
}

static struct span stack_text(const struct stack *s) {
  return s == NULL ? (struct span){"0", 1} : (struct span){s->text, s->text_len};
}

/* Only this thread counts, the others read: an atomic addition would take longer than the line. */
static void count(uint64_t *counter) { __atomic_store_n(counter, *counter + 1, __ATOMIC_RELAXED); }

static void write_event(struct writer *w, const struct record *r) {
  enum event_shape shape = event_infos[r->event].shape;
  struct event_line line = {.time = next_time(w, ORCA, r->time_ns),
                            .kind = (enum event_kind)r->event,
                            .thread = r->thread,
                            .object = r->object,
                            .owner = r->owner,
                            .stack = stack_text(r->stack)};
  if (shape_has_name(shape)) line.name = (struct span){r->u.name.text, r->u.name.len};
  if (shape_has_owner(shape) && r->u.blocked != NULL) line.owner = blocked_take_owner(r->u.blocked);
  if (shape_has_outcome(shape)) {
    line.thrown = r->object;
    line.cpu_ns = r->u.cpu_ns;
  }
  if (rotation_is_on(&w->rotation)) {
    known_event(&w->rotation.known, &line, r->stack);
    known_follow(&w->rotation.known, &line);
  }
  event_line_write(&w->files[ORCA].lines, &line);
  if (shape_has_name(shape)) free(r->u.name.text);
  count(&w->events);
}

static void write_stack(struct writer *w, struct stack *s, uint64_t time_ns) {
  if (rotation_is_on(&w->rotation)) known_stack(&w->rotation.known, s);
  s->sample_id = ++w->last_stack_id;
  struct sample_line line = {.time = next_time(w, SAMPLES, time_ns),
                             .kind = SAMPLE_STACK,
                             .stack_id = s->sample_id,
                             .stack = stack_text(s)};
  sample_line_write(&w->files[SAMPLES].lines, &line);
}

static void write_sample(struct writer *w, const struct record *r) {
  if (r->stack != NULL && r->stack->sample_id <= w->first_stack_id)
    write_stack(w, r->stack, r->time_ns);
  struct sample_line line = {.time = next_time(w, SAMPLES, r->time_ns),
                             .kind = SAMPLE_THREAD,
                             .stack_id = r->stack == NULL ? 0 : r->stack->sample_id,
                             .thread = r->thread,
                             .state = (enum thread_state)r->state,
                             .cpu_ns = r->u.cpu_ns};
  sample_line_write(&w->files[SAMPLES].lines, &line);
  count(&w->samples);
}

static void write_tick(struct writer *w, const struct record *r) {
  struct sample_line line = {.time = next_time(w, SAMPLES, r->time_ns),
                             .kind = SAMPLE_TICK,
                             .number = r->u.tick.number,
                             .pause_ns = r->u.tick.pause_ns,
                             .threads = r->u.tick.threads};
  sample_line_write(&w->files[SAMPLES].lines, &line);
}

static void write_record(struct writer *w, const struct record *r) {
  switch ((enum record_kind)r->kind) {
    case RECORD_EVENT:
      write_event(w, r);
      break;
    case RECORD_SAMPLE:
      write_sample(w, r);
      break;
    case RECORD_TICK:
      write_tick(w, r);
      break;
  }
  stack_release(r->stack);
}

static void write_definitions(struct writer *w, enum file file, struct outbox *box) {
  struct builder *lines = &w->files[file].lines;
  for (struct definition *d = outbox_take(box), *next; d != NULL; d = next) {
    next = d->next;
    text_ticks(lines, next_time(w, file, d->time_ns));
    builder_char(lines, ',');
    builder_bytes(lines, d->body, d->len);
    free(d);
  }
}

static void write_count(void *arg, enum event_kind kind, uint32_t object, uint64_t count) {
  struct writer *w = arg;
  struct count_line line = {next_time(w, COUNTS, w->counted_ns), kind, object, (int64_t)count};
  if (rotation_is_on(&w->rotation)) {
    known_count(&w->rotation.known, &line);
    if (!set_counts_cut(&w->rotation.counts, &line)) w->files[COUNTS].lines.failed = true;
  }
  count_line_write(&w->files[COUNTS].lines, &line);
}

static void write_counts(struct writer *w) {
  size_t before = w->files[COUNTS].lines.len;
  w->counted_ns = clock_monotonic_ns();
  w->source.counts(w->source.arg, write_count, w);
  w->counting = w->files[COUNTS].lines.len > before;
}

/* Where events were lost: between the times of two looks. */
static void write_losses(struct writer *w, uint64_t now) {
  uint64_t dropped = __atomic_load_n(w->source.dropped, __ATOMIC_RELAXED), since = w->intact_ns;
  w->intact_ns = now;
  if (dropped == w->dropped) return;
  struct builder text = {0};
  text_ticks(&text, since * TICKS_PER_NS);
  builder_char(&text, ',');
  text_ticks(&text, now * TICKS_PER_NS);
  builder_char(&text, ',');
  text_decimal(&text, (int64_t)(dropped - w->dropped));
  builder_char(&text, '\0');
  if (!text.failed) info_text(&w->files[INFO].lines, "events.lost", text.data);
  builder_free(&text);
  w->dropped = dropped;
}

/* --- rounds --------------------------------------------------------------------------- */

static void fail(struct writer *w, const struct dump_file *f) {
  if (w->failed) return;
  log_line("cannot write %s: %s; recording stops, the program goes on", f->path, strerror(errno));
  w->failed = true;
  w->source.failed(w->source.arg);
}

static void flush_file(struct writer *w, enum file file) {
  struct dump_file *f = &w->files[file];
  if (w->failed && file != INFO) {
    f->lines.len = 0; /* a dump that stops, stops everywhere; only .info says so */
  } else if ((f->lines.len > 0 || f->lines.failed) && !dump_file_flush(f)) {
    fail(w, f);
  }
}

/* Bytes of lines that no file has yet. */
static size_t num_waiting(const struct writer *w) {
  size_t n = 0;
  for (int i = 0; i < NUM_FILES; i++) n += w->files[i].lines.len;
  return n;
}

static void flush(struct writer *w) {
  uint64_t now = clock_monotonic_ns();
  if (now - w->counted_ns >= COUNT_NS) write_counts(w);
  if (rotation_is_on(&w->rotation)) {
    known_take(&w->rotation.known);
  } else {
    write_definitions(w, CLASSTABLE, w->source.classes);
    write_definitions(w, METHODS, w->source.methods);
    write_definitions(w, OBJECTS, w->source.objects);
  }
  write_losses(w, now);
  if (num_waiting(w) > 0) w->flushed_ns = now; /* else the next line need not wait for others */
  for (int i = 0; i < NUM_FILES; i++) flush_file(w, (enum file)i);
}

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

static void write_figures(struct writer *w, const char *reason);

/* A record that says again what stood. */
static void write_again(void *w, const struct record *r) { write_record(w, r); }

/* When the next set begins: what is written of events may be behind what is written of samples. */
static uint64_t time_of_seam(const struct writer *w) {
  bool events = w->files[ORCA].size > 0 || w->files[SAMPLES].size == 0;
  return w->files[events ? ORCA : SAMPLES].last / TICKS_PER_NS;
}

/* The start of the next set. What it says again comes at once behind the lines before. */
static void begin_set(struct writer *w, uint64_t time_ns) {
  uint64_t events = w->events, samples = w->samples, stacks = w->last_stack_id;
  const struct standing *standing = &w->rotation.standing;
  w->first_stack_id = w->last_stack_id;
  standing_say(&w->rotation.standing, /* time */ 0, write_again, w);
  w->events_before = events - standing->living;
  w->samples_before = samples - standing->sampled;
  __atomic_store_n(&w->events, events, __ATOMIC_RELAXED);
  __atomic_store_n(&w->samples, samples, __ATOMIC_RELAXED);
  uint64_t ticks = standing->tick.kind == RECORD_TICK;
  rotation_info(&w->rotation, &w->files[INFO].lines, time_ns, standing->living,
                ticks + standing->sampled + w->last_stack_id - stacks);
  flush_file(w, INFO);
  flush(w);
  rotation_began(&w->rotation);
}

static void turn(struct writer *w) {
  write_counts(w);
  flush(w);
  uint64_t time_ns = time_of_seam(w);
  write_figures(w, "rotated");
  flush(w);
  if (w->failed) return;
  enum file failed = rotation_turn(&w->rotation);
  if (failed != NUM_FILES) {
    fail(w, &w->files[failed]);
  } else {
    begin_set(w, time_ns);
  }
}

static void write_and_flush(struct writer *w, const struct record *r) {
  if (rotation_is_on(&w->rotation)) rotation_follow(&w->rotation, r);
  write_record(w, r);
  if (rotation_is_due(&w->rotation) && !w->failed) turn(w);
  if (w->files[ORCA].lines.len >= FLUSH_BYTES || w->files[SAMPLES].lines.len >= FLUSH_BYTES) {
    flush(w);
  }
}

/* What the threshold held back and lets go, now that all before this time has been seen. */
static void write_held(struct writer *w, uint64_t complete_ns) {
  struct record r;
  if (w->threshold == NULL) return;
  while (threshold_next(w->threshold, complete_ns, &r)) write_and_flush(w, &r);
}

static void write_before(struct writer *w, uint64_t before_ns) {
  const struct record *r;
  while ((r = order_next(w->order, before_ns)) != NULL) {
    if (w->threshold == NULL || r->kind != RECORD_EVENT) {
      write_and_flush(w, r);
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
  if (n > 0) w->counting = true; /* where there are events there may be what is only counted */
  if (clock_monotonic_ns() - w->flushed_ns >= FLUSH_NS) flush(w);
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
  count(&w->wakeups);
}

static bool is_all_written(const struct writer *w) {
  bool holds_back = w->threshold != NULL && !threshold_is_empty(w->threshold);
  return num_waiting(w) == 0 && order_is_empty(w->order) && !holds_back;
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
  pause_for(w, w->counting ? COUNT_NS : SLEEP_NS);
  queue_awake(w->source.queue);
  write_losses(w, clock_monotonic_ns());
}

static void write_figures(struct writer *w, const char *reason) {
  struct builder *info = &w->files[INFO].lines;
  info_ticks(info, "end.monotonic", clock_monotonic_ns());
  info_text(info, "end.reason", w->failed ? "error" : reason);
  info_number(info, "events.written", w->events - w->events_before);
  info_number(info, "events.dropped", w->dropped);
  info_number(info, "samples.written", w->samples - w->samples_before);
  info_number(info, "writer.wakeups", w->wakeups);
  if (w->threshold != NULL) {
    struct threshold_counts counts = threshold_counts(w->threshold);
    info_number(info, "threshold.pairs", counts.pairs);
    info_number(info, "threshold.early", counts.early);
  }
  w->source.end(w->source.arg, info);
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
  write_counts(w);
  flush(w); /* the losses are counted by now */
  write_figures(w, reason);
  flush(w);
}

static void free_order(struct writer *w) {
  order_free(w->order);
  threshold_free(w->threshold);
  rotation_end(&w->rotation);
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
  writer_abandon(w);
  free_order(w);
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

static bool start_info(struct writer *w, const struct info_start *start) {
  struct rotation *r = &w->rotation;
  struct builder *info = &w->files[INFO].lines;
  r->maxsize = w->source.maxsize;
  r->keep = w->source.keep;
  r->known.files = w->files;
  r->known.class_box = w->source.classes;
  r->known.method_box = w->source.methods;
  r->known.object_box = w->source.objects;
  r->known.forget_objects = w->source.forget_objects;
  r->known.arg = w->source.arg;
  if (!rotation_is_on(r)) {
    info_start_write(info, start);
  } else if (rotation_start(r, start)) {
    rotation_info(r, info, start->monotonic_ns, 0, 0);
  } else {
    return false;
  }
  return dump_file_flush(&w->files[INFO]);
}

bool writer_start(struct writer *w, const struct writer_source *source,
                  const struct info_start *start) {
  w->source = *source;
  w->events = w->samples = w->wakeups = w->dropped = w->events_before = w->samples_before = 0;
  w->first_stack_id = w->last_stack_id;
  w->failed = false;
  w->counting = false;
  w->flushed_ns = w->counted_ns = w->intact_ns = clock_monotonic_ns();
  throw_away(source->queue);
  bool room = make_order(w);
  w->asked = w->answered = 0;
  w->running = true;
  if (room && start_info(w, start) && start_thread(w)) return true;
  w->running = false;
  free_order(w);
  writer_abandon(w);
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
  return (struct writer_counts){__atomic_load_n(&w->events, __ATOMIC_RELAXED),
                                __atomic_load_n(&w->samples, __ATOMIC_RELAXED),
                                __atomic_load_n(&w->wakeups, __ATOMIC_RELAXED)};
}
