#include "agent/files/output.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "agent/base/clock.h"
#include "agent/base/log.h"
#include "agent/files/lines.h"
#include "agent/files/obstacle.h"

#define FLUSH_BYTES (256 * 1024) /* flush when this many bytes of lines are waiting */

/* --- opening --------------------------------------------------------------------------------- */

/* The reason is in errno. */
static void format_open_error(const struct dump_file *f, char *error, size_t size) {
  if (f->refusal != NULL) {
    snprintf(error, size, "cannot write %s: it %s; delete it or choose another prefix", f->path,
             f->refusal);
  } else if (errno == EWOULDBLOCK) {
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
  bool good = set_files_claim(failed, prefix, run);
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

/* Counts the lines that are on disk now: all lines of a file that was flushed. */
static void count_flushed(struct output *o, enum file file) {
  if (file == FILE_EVENTS) o->on_disk.events = o->lines.events;
  if (file == FILE_SAMPLES) {
    o->on_disk.samples = o->lines.samples;
    o->on_disk.records = o->lines.records;
  }
  ticks_t last = o->files[file].last_line_time; /* 0: the file has no line */
  if (last > o->complete[file]) o->complete[file] = last;
}

/* Counts the lines of a file whose flush failed: those that are not collected any more are in it.
 */
static void count_partly_flushed(struct output *o, enum file file) {
  struct span waiting = {o->files[file].lines.data, o->files[file].lines.len}, line, kind;
  uint64_t events = 0, samples = 0, records = 0;
  while (waiting.len > 0 && span_cut(&waiting, '\n', &line)) {
    events++;
    if (file != FILE_SAMPLES || !span_cut(&line, ',', &kind) || line.data == NULL) continue;
    records += !span_starts(line, "Stack,");
    samples += span_starts(line, "Sample,");
  }
  if (file == FILE_EVENTS) o->on_disk.events = o->lines.events - events;
  if (file != FILE_SAMPLES) return;
  o->on_disk.samples = o->lines.samples - samples;
  o->on_disk.records = o->lines.records - records;
}

static uint64_t get_least(uint64_t a, uint64_t b) { return a < b ? a : b; }

/* Returns how many of `made` lines are lost, of which the first ones are on disk. Lines that repeat
   the state before the set are no loss. */
static uint64_t count_lost(uint64_t made, uint64_t on_disk, uint64_t repeated) {
  return made - (on_disk > repeated ? on_disk : get_least(repeated, made));
}

/* Counts the lines of the set that will never be on disk as dropped. */
static void count_losses(struct output *o) {
  uint64_t events = count_lost(o->lines.events, o->on_disk.events, o->repeated.events);
  uint64_t records = count_lost(o->lines.records, o->on_disk.records, o->repeated.records);
  uint64_t samples = count_lost(o->lines.samples, o->on_disk.samples, o->repeated.samples);
  __atomic_store_n(&o->events, o->events - events, __ATOMIC_RELAXED);
  __atomic_store_n(&o->samples, o->samples - samples, __ATOMIC_RELAXED);
  figure_add(&o->input->figures->events_dropped, events + records);
  o->failed_ns = clock_monotonic_ns();
  if (events > 0) o->failed_ns = get_least(o->failed_ns, o->complete[FILE_EVENTS] / TICKS_PER_NS);
  if (records > 0) o->failed_ns = get_least(o->failed_ns, o->complete[FILE_SAMPLES] / TICKS_PER_NS);
  o->losses_checked_ns = get_least(o->losses_checked_ns, o->failed_ns);
}

/* What is still so when the recording ends has been reported already. */
void output_fail(struct output *o, const struct dump_file *f) {
  if (o->failed) return;
  if (!obstacle_is_reported(o, errno))
    log_line("cannot write %s: %s; recording stops, the program goes on", f->path, strerror(errno));
  o->failed = true;
  __atomic_store_n(o->input->is_recording, false, __ATOMIC_RELEASE);
  count_losses(o);
}

/* Writes the collected lines. False with errno. */
static bool write_lines(struct output *o, struct dump_file *f) {
  if (f->lines.len == 0 && !f->lines.failed && !f->is_torn) return true;
  bool entered = stall_enter_device(o->input->stall);
  bool good = dump_file_flush(f);
  while (!good && obstacle_wait(o, f)) good = dump_file_flush(f);
  stall_leave_device(o->input->stall, entered);
  return good;
}

/* A file has reached the largest size: the set ends, and lines are dropped until then. Lines that
   need a lost definition are dropped, too. */
static void cut_set(struct output *o, enum file file) {
  struct rotation *r = &o->rotation;
  bool is_definition = file == FILE_CLASSES || file == FILE_METHODS || file == FILE_OBJECTS;
  obstacle_report_cut(o, &o->files[file]);
  count_partly_flushed(o, file);
  o->files[file].lines.len = 0;
  r->is_cut = true;
  r->lacks_definitions |= is_definition;
}

/* One failed file ends all of them, except .info, which says so. The end of .info is in the file
   as a whole or not at all. */
static void flush_file(struct output *o, enum file file) {
  struct dump_file *f = &o->files[file];
  if ((o->failed || o->rotation.lacks_definitions) && file != FILE_INFO) {
    f->lines.len = 0;
    return;
  }
  f->is_atomic = file == FILE_INFO;
  if (write_lines(o, f)) {
    if (!o->failed) count_flushed(o, file);
    return;
  }
  int why = errno;
  if (obstacle_cuts_set(o, f, why)) {
    cut_set(o, file);
    return;
  }
  if (!f->lines.failed) count_partly_flushed(o, file);
  f->lines.len = 0;
  errno = why;
  output_fail(o, f);
}

static void flush_files(struct output *o) {
  bool was_cut = o->rotation.is_cut;
  for (int i = 0; i < NUM_FILES; i++) flush_file(o, file_order[i]);
  if (was_cut || !o->rotation.is_cut || o->failed) return;
  count_losses(o);
  o->lines = o->on_disk;
}

/* The records were dropped at some time between the last call and this one. */
void output_write_losses(struct output *o, uint64_t now) {
  uint64_t dropped = figure_get(&o->input->figures->events_dropped);
  uint64_t since = o->losses_checked_ns;
  o->losses_checked_ns = now;
  if (dropped == o->dropped) return;
  struct builder text = {0};
  text_ticks(&text, since * TICKS_PER_NS);
  builder_char(&text, ',');
  text_ticks(&text, now * TICKS_PER_NS);
  builder_char(&text, ',');
  text_decimal(&text, (int64_t)(dropped - o->dropped));
  info_value(&o->files[FILE_INFO].lines, INFO_EVENTS_LOST, &text);
  o->dropped = dropped;
}

size_t output_waiting_bytes(const struct output *o) {
  size_t n = 0;
  for (int i = 0; i < NUM_FILES; i++) n += o->files[i].lines.len;
  return n;
}

void output_flush(struct output *o) {
  uint64_t now = clock_monotonic_ns();
  if (o->rotation.is_lost) { /* the losses are written to the next set */
    definitions_take(&o->definitions);
    return;
  }
  if (now - o->counted_ns >= OUTPUT_COUNT_NS) lines_write_counts(o, /* all */ false);
  definitions_take(&o->definitions);
  output_write_losses(o, now);
  if (output_waiting_bytes(o) > 0) o->flushed_ns = now; /* else the next line is flushed at once */
  flush_files(o);
}

/* --- a lost set ------------------------------------------------------------------------------- */

/* NULL: none is deleted. */
static const struct dump_file *find_deleted(const struct output *o) {
  for (int i = 0; i < NUM_FILES; i++) {
    if (dump_file_find_place(&o->files[i]) == DUMP_DELETED) return &o->files[i];
  }
  return NULL;
}

/* Counts the lines of deleted files as dropped. `is_lost`: those of all files. A deleted file needs
   space until it is closed, so it becomes empty. */
static void lose_lines(struct output *o, bool is_lost) {
  struct set_lines *on_disk = &o->on_disk;
  for (int i = 0; i < NUM_FILES; i++) {
    struct dump_file *f = &o->files[i];
    bool is_deleted = dump_file_find_place(f) == DUMP_DELETED;
    if (!is_deleted && !is_lost) continue;
    if (i == FILE_EVENTS) on_disk->events = 0;
    if (i == FILE_SAMPLES) on_disk->samples = on_disk->records = 0;
    o->complete[i] = (is_lost ? o->rotation.start_ns : o->start_ns) * TICKS_PER_NS;
    f->lines.len = 0;
    if (is_deleted) dump_file_cut(f, 0);
  }
  count_losses(o);
}

static void end_with_files(struct output *o, const struct dump_file *deleted) {
  log_line("%s was deleted; recording stops, the program goes on", deleted->path);
  o->failed = true;
  __atomic_store_n(o->input->is_recording, false, __ATOMIC_RELEASE);
  lose_lines(o, false);
}

static void report_lost_set(const struct dump_file *deleted) {
  log_line(
      "%s was deleted; events are dropped and counted until the next set of files, which Orca "
      "tries to begin every second",
      deleted->path);
}

/* A set that lacks a file cannot be read, so its other files are deleted too. */
static void lose_set(struct output *o) {
  o->rotation.is_lost = true;
  o->rotation.is_cut = o->rotation.lacks_definitions = false;
  stall_set_lacks_files(o->input->stall, true);
  lose_lines(o, true);
  for (int i = 0; i < NUM_FILES; i++) {
    if (dump_file_find_place(&o->files[i]) == DUMP_IN_PLACE) unlink(o->files[i].path);
  }
}

/* --- sets of files ---------------------------------------------------------------------------- */

static void write_missing_hook(void *info, const char *text) {
  info_text(info, INFO_HOOKS_MISSING, text);
}

static void write_clock_loops(struct builder *info, const struct recording_figures *figures) {
  struct builder text = {0};
  clock_loops_write(&figures->clock_loops, &text);
  builder_char(&text, '\0');
  if (!text.failed && text.len > 1) info_text(info, INFO_CLOCK_LOOPS, text.data);
  builder_free(&text);
}

void output_write_end(struct output *o, const char *reason) {
  struct builder *info = &o->files[FILE_INFO].lines;
  const struct set_lines *written = o->failed ? &o->on_disk : &o->lines;
  info_ticks(info, INFO_END_MONOTONIC, o->failed ? o->failed_ns : clock_monotonic_ns());
  info_text(info, INFO_END_REASON, o->failed ? "error" : reason);
  info_number(info, INFO_EVENTS_WRITTEN, written->events);
  info_number(info, INFO_EVENTS_DROPPED, o->dropped);
  info_number(info, INFO_SAMPLES_WRITTEN, written->samples);
  if (rotation_has_limits(&o->rotation)) info_number(info, INFO_SETS_DELAYED, o->rotation.failures);
  o->write_statistics(o->statistics_arg, info);
  info_figures_write(info, o->input->figures);
  info_number(info, INFO_LOCKS_FULL, lock_counts_is_incomplete(o->input->lock_counts));
  missing_hooks_visit(&o->input->figures->missing_hooks, write_missing_hook, info);
  write_clock_loops(info, o->input->figures);
}

static bool is_full(const struct output *o) {
  return rotation_is_full(&o->rotation, definitions_is_full(&o->definitions));
}

static bool next_set(struct output *o, bool is_early) {
  bool is_next = rotation_next_set(&o->rotation, is_early);
  if (is_next) definitions_next_set(&o->definitions);
  return is_next;
}

static void write_repeated(void *o, const struct record *r) { lines_write_record(o, r); }

/* Returns the time at which the next set begins: that of the last event, or of the last sample if
   this set contains no events. */
static uint64_t find_next_start(const struct output *o) {
  bool events = o->files[FILE_EVENTS].size > 0 || o->files[FILE_SAMPLES].size == 0;
  return o->files[events ? FILE_EVENTS : FILE_SAMPLES].last_line_time / TICKS_PER_NS;
}

/* Writes the start of the next set. Time 0 dates the repeated lines immediately after the last line
   of the set before. The counts of the set include them, the totals of the recording do not. */
static void start_set(struct output *o, uint64_t time_ns) {
  uint64_t events = o->events, samples = o->samples, stacks = o->last_stack_id;
  o->first_stack_id = o->last_stack_id;
  o->lines = o->on_disk = (struct set_lines){0};
  carryover_say(&o->carryover, /* time_ns */ 0, write_repeated, o);
  o->repeated = o->lines;
  __atomic_store_n(&o->events, events, __ATOMIC_RELAXED);
  __atomic_store_n(&o->samples, samples, __ATOMIC_RELAXED);
  rotation_info(&o->rotation, &o->files[FILE_INFO].lines, time_ns, o->repeated.events,
                o->repeated.records + o->last_stack_id - stacks);
  flush_file(o, FILE_INFO);
  output_flush(o);
  if (o->rotation.is_cut) { /* not even the state fits into the files */
    lose_set(o);
    o->rotation.number--; /* it had no line of its own, so the next set has its number */
  } else {
    rotation_measure_carryover(&o->rotation);
  }
}

bool output_begin_next_set(struct output *o, bool is_early) {
  if (o->rotation.is_lost) return false;
  lines_write_counts(o, /* all */ is_early); /* a full set gets no more than it must */
  output_flush(o);
  if (o->failed || !rotation_make_next(&o->rotation)) return false;
  uint64_t time_ns = find_next_start(o), info_size = o->files[FILE_INFO].size;
  output_write_end(o, is_early ? "snapshot" : "rotated");
  flush_file(o, FILE_INFO);
  if (o->failed) {
    rotation_drop_next(&o->rotation);
  } else if (next_set(o, is_early)) {
    start_set(o, time_ns);
  } else if (!dump_file_cut(&o->files[FILE_INFO], info_size)) {
    output_fail(o, &o->files[FILE_INFO]);
  } else {
    return false;
  }
  return !o->failed;
}

static void replace_lost_set(struct output *o) {
  uint64_t time_ns = find_next_start(o);
  o->rotation.last_errno = ENOENT;
  if (!rotation_make_next(&o->rotation)) return;
  for (int i = 0; i < NUM_FILES; i++) o->files[i].lines.len = 0;
  if (!next_set(o, /* is_early */ false)) return;
  stall_set_lacks_files(o->input->stall, false);
  start_set(o, time_ns);
}

/* The first attempt to begin the next set is a second after the deletion was seen: `rm -r` may
   still be deleting. */
static void look_for_files(struct output *o, uint64_t now_ns) {
  if (o->failed || now_ns - o->looked_ns < ROTATION_RETRY_NS) return;
  o->looked_ns = now_ns;
  const struct dump_file *deleted = o->rotation.is_lost ? NULL : find_deleted(o);
  if (o->rotation.is_lost) {
    replace_lost_set(o);
  } else if (deleted != NULL && rotation_has_limits(&o->rotation)) {
    report_lost_set(deleted);
    lose_set(o);
  } else if (deleted != NULL) {
    end_with_files(o, deleted);
  }
}

void output_tend(struct output *o, uint64_t now_ns) {
  if (o->failed) return;
  look_for_files(o, now_ns);
  if (o->failed) return;
  bool entered = stall_enter_device(o->input->stall);
  if (rotation_is_old(&o->rotation, now_ns) || is_full(o)) output_begin_next_set(o, false);
  rotation_delete_old(&o->rotation, now_ns);
  stall_leave_device(o->input->stall, entered);
}

uint64_t output_next_due(const struct output *o) {
  if (o->rotation.is_lost) return o->looked_ns + ROTATION_RETRY_NS;
  return o->failed ? UINT64_MAX : rotation_next_due(&o->rotation);
}

/* --- a recording ------------------------------------------------------------------------------ */

static bool start_rotation(struct output *o, const struct info_start *start) {
  struct definitions *d = &o->definitions;
  struct rotation *r = &o->rotation;
  r->files = o->files;
  r->maxsize = o->input->options->maxsize;
  r->keep = o->input->options->keep;
  r->age_ns = o->input->options->age;
  if (!rotation_start(r, start)) return false;
  d->files = o->files;
  d->class_box = o->input->classes;
  d->method_box = o->input->methods;
  d->object_box = o->input->objects;
  d->defined_objects = o->input->defined_objects;
  d->lock_counts = o->input->lock_counts;
  d->keeps_texts = rotation_has_limits(r);
  definitions_start(d, start->monotonic_ns * TICKS_PER_NS);
  rotation_info(r, &o->files[FILE_INFO].lines, start->monotonic_ns, 0, 0);
  return true;
}

bool output_start(struct output *o, const struct writer_input *input,
                  const struct info_start *start) {
  o->input = input;
  o->start_ns = clock_monotonic_ns();
  o->events = o->samples = o->dropped = 0;
  o->lines = o->on_disk = o->repeated = (struct set_lines){0};
  for (int i = 0; i < NUM_FILES; i++) o->complete[i] = start->monotonic_ns * TICKS_PER_NS;
  o->first_stack_id = o->last_stack_id;
  o->failed = o->may_have_counts = false;
  o->reported = 0;
  o->flushed_ns = o->counted_ns = o->losses_checked_ns = o->looked_ns = clock_monotonic_ns();
  if (!short_lines_start(&o->short_lines, input->short_calls, input->recording, o->start_ns) ||
      !start_rotation(o, start)) {
    errno = ENOMEM;
    return false;
  }
  return dump_file_flush(&o->files[FILE_INFO]);
}

static void drop_record(struct output *o, const struct record *r) {
  figure_add(&o->input->figures->events_dropped, 1);
  record_release(r);
}

/* If the record of a thread is dropped, the next set of files begins with the thread; nothing else
   names a task. */
static void define_late(struct output *o, const struct record *r) {
  bool has_class =
      r->kind == RECORD_EVENT && r->owner != 0 && event_has((enum event_kind)r->event, TRAIT_OFTEN);
  uint32_t object = r->event == EVENT_THREAD_STARTED ? r->thread : r->object;
  if (has_class) object_set_define(o->input->defined_objects, object, r->owner);
}

/* Updates what the next set repeats. */
static void follow_record(struct output *o, const struct record *r) {
  carryover_follow(&o->carryover, r);
  if (o->carryover.failed) definitions_fail_file(&o->definitions, FILE_EVENTS);
  rotation_note_line(&o->rotation, r->time_ns);
}

void output_put(struct output *o, const struct record *r) {
  define_late(o, r);
  if (o->rotation.is_cut && is_full(o) && !o->failed) output_begin_next_set(o, false);
  if (rotation_has_limits(&o->rotation)) follow_record(o, r);
  if (o->failed || o->rotation.is_lost || !rotation_has_room(&o->rotation)) {
    drop_record(o, r);
  } else {
    lines_write_record(o, r);
  }
  if (is_full(o) && !o->failed) output_begin_next_set(o, false);
  if (o->files[FILE_EVENTS].lines.len >= FLUSH_BYTES ||
      o->files[FILE_SAMPLES].lines.len >= FLUSH_BYTES) {
    output_flush(o);
  }
}

void output_trigger(struct output *o, enum trigger trigger, const char *why) {
  struct builder text = {0};
  text_ticks(&text, clock_monotonic_ns() * TICKS_PER_NS);
  builder_char(&text, ',');
  builder_string(&text, trigger_names[trigger]);
  builder_char(&text, ',');
  builder_string(&text, why);
  info_value(&o->files[FILE_INFO].lines, INFO_TRIGGER, &text);
}

bool output_change(struct output *o, const struct options *options) {
  struct builder text = {0};
  options_print(options, &text);
  builder_char(&text, '\0');
  bool good = !text.failed && rotation_change(&o->rotation, text.data);
  builder_free(&text);
  return good;
}

/* A thread of Orca's own can take the stack of another thread, and record it a moment later. */
#define LATEST_RECORD_NS (5 * NS_PER_S)

static void keep_stack(void *definitions, const struct stack *stack) {
  definitions_keep_stack(definitions, stack);
}

/* Sums may have stacks with methods of classes that are unloaded, so they are written before. */
void output_forget_unloaded(struct output *o, uint64_t written_ns) {
  if (!rotation_has_limits(&o->rotation)) return;        /* it has no tables of classes */
  if (o->rotation.is_lost || o->rotation.is_cut) return; /* the next set is soon enough */
  if (o->living == NULL) o->living = living_classes_take(o->input->living_classes);
  if (o->living == NULL || written_ns < o->living->time_ns + LATEST_RECORD_NS) return;
  lines_write_counts(o, /* all */ true);
  carryover_visit_stacks(&o->carryover, keep_stack, &o->definitions);
  definitions_drop_unloaded(&o->definitions, o->living);
  living_classes_free(o->living);
  o->living = NULL;
}

void output_finish(struct output *o, const char *reason) {
  if (o->rotation.is_lost) replace_lost_set(o);
  if (o->rotation.is_cut && !o->failed) output_begin_next_set(o, false);
  if (o->rotation.is_lost) return;
  lines_write_counts(o, /* all */ true);
  output_flush(o); /* it updates `dropped` */
  output_write_end(o, reason);
  output_flush(o);
}

void output_end(struct output *o) {
  short_lines_end(&o->short_lines);
  rotation_end(&o->rotation);
  definitions_end(&o->definitions);
  carryover_free(&o->carryover);
  living_classes_free(o->living);
  o->living = NULL;
  output_close(o);
}
