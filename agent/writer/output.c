#include "agent/writer/output.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "agent/base/clock.h"
#include "agent/base/log.h"
#include "agent/writer/claim.h"
#include "agent/writer/output_internal.h"

#define FLUSH_BYTES (256 * 1024) /* flush when this many bytes of lines are waiting */

/* --- opening --------------------------------------------------------------------------------- */

/* The reason is in errno. */
static void format_open_error(const struct dump_file *f, char *error, size_t size) {
  if (errno == EWOULDBLOCK) {
    snprintf(error, size, "another process is writing %s; %%p in the prefix becomes the pid",
             f->path);
  } else {
    snprintf(error, size,
             "cannot write %s: %s; the prefix has to be a path in a folder that exists", f->path,
             strerror(errno));
  }
}

void output_init(struct output *o) {
  for (int i = 0; i < NUM_FILES; i++) o->files[i].fd = -1;
}

void output_close(struct output *o) {
  for (int i = 0; i < NUM_FILES; i++) dump_file_close(&o->files[i]);
}

bool output_try(struct output *o, const char *prefix, char *error, size_t error_size) {
  for (int i = 0; i < NUM_FILES; i++) {
    struct dump_file *f = &o->files[file_order[i]];
    if (dump_file_try(f, prefix, file_suffixes[file_order[i]])) continue;
    format_open_error(f, error, error_size);
    return false;
  }
  return true;
}

bool output_open(struct output *o, const char *prefix, const char *run, char *error,
                 size_t error_size) {
  struct dump_file *failed = &o->files[FILE_INFO];
  bool good = claim_info(failed, prefix, run);
  for (int i = 0; good && file_order[i] != FILE_INFO; i++) {
    failed = &o->files[file_order[i]];
    good = dump_file_open(failed, prefix, file_suffixes[file_order[i]]);
  }
  if (good) {
    dump_file_clear(&o->files[FILE_INFO]);
  } else {
    format_open_error(failed, error, error_size);
    output_close(o);
  }
  return good;
}

/* --- files ------------------------------------------------------------------------------------ */

/* Ends the recording because a file cannot be written. The reason is in errno. */
static void end_failed(struct output *o, const struct dump_file *f) {
  if (o->failed) return;
  log_line("cannot write %s: %s; recording stops, the program goes on", f->path, strerror(errno));
  o->failed = true;
  __atomic_store_n(o->input->is_recording, false, __ATOMIC_RELEASE);
}

static void flush_file(struct output *o, enum file file) {
  struct dump_file *f = &o->files[file];
  if (o->failed && file != FILE_INFO) {
    f->lines.len = 0; /* one failed file ends all of them, except .info, which says so */
  } else if ((f->lines.len > 0 || f->lines.failed) && !dump_file_flush(f)) {
    end_failed(o, f);
  }
}

size_t output_waiting_bytes(const struct output *o) {
  size_t n = 0;
  for (int i = 0; i < NUM_FILES; i++) n += o->files[i].lines.len;
  return n;
}

void output_flush(struct output *o) {
  uint64_t now = clock_monotonic_ns();
  if (now - o->counted_ns >= OUTPUT_COUNT_NS) output_write_counts(o);
  if (rotation_is_on(&o->rotation)) {
    definitions_take(&o->rotation.definitions);
  } else {
    output_write_definitions(o, FILE_CLASSES, o->input->classes);
    output_write_definitions(o, FILE_METHODS, o->input->methods);
    output_write_definitions(o, FILE_OBJECTS, o->input->objects);
  }
  output_write_losses(o, now);
  if (output_waiting_bytes(o) > 0) o->flushed_ns = now; /* else the next line is flushed at once */
  for (int i = 0; i < NUM_FILES; i++) flush_file(o, file_order[i]);
}

/* --- sets of files ---------------------------------------------------------------------------- */

static void write_missing_hook(void *info, const char *text) {
  info_text(info, INFO_HOOKS_MISSING, text);
}

static void write_end_of_info(struct output *o, const char *reason) {
  struct builder *info = &o->files[FILE_INFO].lines;
  info_ticks(info, INFO_END_MONOTONIC, clock_monotonic_ns());
  info_text(info, INFO_END_REASON, o->failed ? "error" : reason);
  info_number(info, INFO_EVENTS_WRITTEN, o->events - o->events_before);
  info_number(info, INFO_EVENTS_DROPPED, o->dropped);
  info_number(info, INFO_SAMPLES_WRITTEN, o->samples - o->samples_before);
  o->write_statistics(o->statistics_arg, info);
  info_figures_write(info, o->input->figures);
  info_number(info, INFO_LOCKS_UNCOUNTED, lock_counts_refused(o->input->lock_counts));
  missing_hooks_visit(&o->input->figures->missing_hooks, write_missing_hook, info);
}

static void write_repeated(void *o, const struct record *r) { output_write_record(o, r); }

/* Returns the time at which the next set begins: that of the last event, or of the last sample if
   this set contains no events. */
static uint64_t get_next_start_ns(const struct output *o) {
  bool events = o->files[FILE_EVENTS].size > 0 || o->files[FILE_SAMPLES].size == 0;
  return o->files[events ? FILE_EVENTS : FILE_SAMPLES].last_line_time / TICKS_PER_NS;
}

/* Writes the start of the next set. Time 0 dates the repeated lines immediately after the last line
   of the set before. The counts of the set include them, the totals of the recording do not. */
static void write_start_of_set(struct output *o, uint64_t time_ns) {
  uint64_t events = o->events, samples = o->samples, stacks = o->last_stack_id;
  struct carryover *carryover = &o->rotation.carryover;
  o->first_stack_id = o->last_stack_id;
  carryover_say(carryover, /* time_ns */ 0, write_repeated, o);
  o->events_before = events - carryover->num_living;
  o->samples_before = samples - carryover->num_sampled;
  __atomic_store_n(&o->events, events, __ATOMIC_RELAXED);
  __atomic_store_n(&o->samples, samples, __ATOMIC_RELAXED);
  uint64_t ticks = carryover->last_tick.kind == RECORD_TICK;
  rotation_info(&o->rotation, &o->files[FILE_INFO].lines, time_ns, carryover->num_living,
                ticks + carryover->num_sampled + o->last_stack_id - stacks);
  flush_file(o, FILE_INFO);
  output_flush(o);
  rotation_measure_carryover(&o->rotation);
}

static void begin_next_set(struct output *o) {
  output_write_counts(o);
  output_flush(o);
  uint64_t time_ns = get_next_start_ns(o);
  write_end_of_info(o, "rotated");
  output_flush(o);
  if (o->failed) return;
  enum file failed = rotation_next_set(&o->rotation);
  if (failed != NUM_FILES) {
    end_failed(o, &o->files[failed]);
  } else {
    write_start_of_set(o, time_ns);
  }
}

/* --- a recording ------------------------------------------------------------------------------ */

static bool start_rotation(struct output *o, const struct info_start *start) {
  struct rotation *r = &o->rotation;
  r->maxsize = o->input->maxsize;
  r->keep = o->input->keep;
  r->definitions.files = o->files;
  r->definitions.class_box = o->input->classes;
  r->definitions.method_box = o->input->methods;
  r->definitions.object_box = o->input->objects;
  r->definitions.defined_objects = o->input->defined_objects;
  if (!rotation_start(r, start)) return false;
  rotation_info(r, &o->files[FILE_INFO].lines, start->monotonic_ns, 0, 0);
  return true;
}

bool output_start(struct output *o, const struct writer_input *input,
                  const struct info_start *start) {
  o->input = input;
  o->events = o->samples = o->dropped = o->events_before = o->samples_before = 0;
  o->first_stack_id = o->last_stack_id;
  o->failed = o->may_have_counts = false;
  o->flushed_ns = o->counted_ns = o->losses_checked_ns = clock_monotonic_ns();
  o->rotation.maxsize = 0;
  if (input->maxsize == 0) {
    info_start_write(&o->files[FILE_INFO].lines, start);
  } else if (!start_rotation(o, start)) {
    return false;
  }
  return dump_file_flush(&o->files[FILE_INFO]);
}

void output_put(struct output *o, const struct record *r) {
  if (rotation_is_on(&o->rotation)) rotation_follow(&o->rotation, r);
  output_write_record(o, r);
  if (rotation_is_due(&o->rotation) && !o->failed) begin_next_set(o);
  if (o->files[FILE_EVENTS].lines.len >= FLUSH_BYTES ||
      o->files[FILE_SAMPLES].lines.len >= FLUSH_BYTES) {
    output_flush(o);
  }
}

void output_forget_unloaded(struct output *o, uint64_t written_ns) {
  rotation_forget_unloaded(&o->rotation, o->input->living_classes, written_ns);
}

void output_finish(struct output *o, const char *reason) {
  output_write_counts(o);
  output_flush(o); /* it updates `dropped` */
  write_end_of_info(o, reason);
  output_flush(o);
}

void output_end(struct output *o) {
  rotation_end(&o->rotation);
  output_close(o);
}
