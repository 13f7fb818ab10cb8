#include "agent/writer/output.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "agent/base/clock.h"
#include "agent/base/log.h"
#include "agent/writer/claim.h"
#include "agent/writer/obstacle.h"
#include "agent/writer/output_internal.h"

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

void output_count_losses(struct output *o) {
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
  output_count_losses(o);
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
  output_count_losses(o);
  o->lines = o->on_disk;
}

size_t output_waiting_bytes(const struct output *o) {
  size_t n = 0;
  for (int i = 0; i < NUM_FILES; i++) n += o->files[i].lines.len;
  return n;
}

void output_flush(struct output *o) {
  uint64_t now = clock_monotonic_ns();
  if (o->rotation.is_lost) { /* the losses are written to the next set */
    definitions_take(&o->rotation.definitions);
    return;
  }
  if (now - o->counted_ns >= OUTPUT_COUNT_NS) output_write_counts(o, /* all */ false);
  if (rotation_is_on(&o->rotation)) {
    definitions_take(&o->rotation.definitions);
  } else {
    output_write_definitions(o, FILE_CLASSES, o->input->classes);
    output_write_definitions(o, FILE_METHODS, o->input->methods);
    output_write_definitions(o, FILE_OBJECTS, o->input->objects);
  }
  output_write_losses(o, now);
  if (output_waiting_bytes(o) > 0) o->flushed_ns = now; /* else the next line is flushed at once */
  flush_files(o);
}

/* --- sets of files ---------------------------------------------------------------------------- */

static void write_missing_hook(void *info, const char *text) {
  info_text(info, INFO_HOOKS_MISSING, text);
}

void output_write_end(struct output *o, const char *reason) {
  struct builder *info = &o->files[FILE_INFO].lines;
  const struct set_lines *written = o->failed ? &o->on_disk : &o->lines;
  info_ticks(info, INFO_END_MONOTONIC, o->failed ? o->failed_ns : clock_monotonic_ns());
  info_text(info, INFO_END_REASON, o->failed ? "error" : reason);
  info_number(info, INFO_EVENTS_WRITTEN, written->events);
  info_number(info, INFO_EVENTS_DROPPED, o->dropped);
  info_number(info, INFO_SAMPLES_WRITTEN, written->samples);
  if (rotation_is_on(&o->rotation)) info_number(info, INFO_SETS_DELAYED, o->rotation.failures);
  o->write_statistics(o->statistics_arg, info);
  info_figures_write(info, o->input->figures);
  info_number(info, INFO_LOCKS_FULL, lock_counts_is_incomplete(o->input->lock_counts));
  missing_hooks_visit(&o->input->figures->missing_hooks, write_missing_hook, info);
}

static void write_repeated(void *o, const struct record *r) { output_write_record(o, r); }

uint64_t output_find_next_start(const struct output *o) {
  bool events = o->files[FILE_EVENTS].size > 0 || o->files[FILE_SAMPLES].size == 0;
  return o->files[events ? FILE_EVENTS : FILE_SAMPLES].last_line_time / TICKS_PER_NS;
}

void output_start_set(struct output *o, uint64_t time_ns) {
  uint64_t events = o->events, samples = o->samples, stacks = o->last_stack_id;
  struct carryover *carryover = &o->rotation.carryover;
  o->first_stack_id = o->last_stack_id;
  o->lines = o->on_disk = (struct set_lines){0};
  carryover_say(carryover, /* time_ns */ 0, write_repeated, o);
  o->repeated = o->lines;
  __atomic_store_n(&o->events, events, __ATOMIC_RELAXED);
  __atomic_store_n(&o->samples, samples, __ATOMIC_RELAXED);
  rotation_info(&o->rotation, &o->files[FILE_INFO].lines, time_ns, o->repeated.events,
                o->repeated.records + o->last_stack_id - stacks);
  flush_file(o, FILE_INFO);
  output_flush(o);
  if (o->rotation.is_cut) { /* not even the state fits into the files */
    output_lose_set(o);
    o->rotation.number--; /* it had no line of its own, so the next set has its number */
  } else {
    rotation_measure_carryover(&o->rotation);
  }
}

bool output_begin_next_set(struct output *o, bool is_early) {
  if (o->rotation.is_lost) return false;
  output_write_counts(o, /* all */ is_early); /* a full set gets no more than it must */
  output_flush(o);
  if (o->failed || !rotation_make_next(&o->rotation)) return false;
  uint64_t time_ns = output_find_next_start(o), info_size = o->files[FILE_INFO].size;
  output_write_end(o, is_early ? "snapshot" : "rotated");
  flush_file(o, FILE_INFO);
  if (o->failed) {
    rotation_drop_next(&o->rotation);
  } else if (rotation_next_set(&o->rotation, is_early)) {
    output_start_set(o, time_ns);
  } else if (!dump_file_cut(&o->files[FILE_INFO], info_size)) {
    output_fail(o, &o->files[FILE_INFO]);
  } else {
    return false;
  }
  return !o->failed;
}

void output_tend(struct output *o, uint64_t now_ns) {
  if (o->failed) return;
  output_look_for_files(o, now_ns);
  if (o->failed || !rotation_is_on(&o->rotation)) return;
  bool entered = stall_enter_device(o->input->stall);
  if (rotation_is_old(&o->rotation, now_ns) || rotation_is_full(&o->rotation))
    output_begin_next_set(o, false);
  rotation_delete_old(&o->rotation, now_ns);
  stall_leave_device(o->input->stall, entered);
}

uint64_t output_next_due(const struct output *o) {
  if (o->rotation.is_lost) return o->looked_ns + ROTATION_RETRY_NS;
  return o->failed ? UINT64_MAX : rotation_next_due(&o->rotation);
}

/* --- a recording ------------------------------------------------------------------------------ */

static bool start_rotation(struct output *o, const struct info_start *start) {
  struct rotation *r = &o->rotation;
  r->is_on = true;
  r->maxsize = o->input->maxsize;
  r->keep = o->input->keep;
  r->age_ns = o->input->age_ns;
  r->definitions.files = o->files;
  r->definitions.class_box = o->input->classes;
  r->definitions.method_box = o->input->methods;
  r->definitions.object_box = o->input->objects;
  r->definitions.defined_objects = o->input->defined_objects;
  r->definitions.lock_counts = o->input->lock_counts;
  if (!rotation_start(r, start)) return false;
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
  o->rotation.is_on = false;
  if (!short_lines_start(&o->short_lines, input->short_calls, input->recording, o->start_ns)) {
    errno = ENOMEM;
    return false;
  }
  if (input->maxsize == 0 && input->age_ns == 0) {
    info_start_write(&o->files[FILE_INFO].lines, start);
  } else if (!start_rotation(o, start)) {
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
  bool has_class = r->kind == RECORD_EVENT && r->owner != 0 &&
                   event_is_left_out_often((enum event_kind)r->event);
  uint32_t object = r->event == EVENT_THREAD_STARTED ? r->thread : r->object;
  if (has_class) object_set_define(o->input->defined_objects, object, r->owner);
}

void output_put(struct output *o, const struct record *r) {
  define_late(o, r);
  if (o->rotation.is_cut && rotation_is_full(&o->rotation) && !o->failed)
    output_begin_next_set(o, false);
  if (rotation_is_on(&o->rotation)) rotation_follow(&o->rotation, r);
  if (o->failed || o->rotation.is_lost || !rotation_has_room(&o->rotation)) {
    drop_record(o, r);
  } else {
    output_write_record(o, r);
  }
  if (rotation_is_full(&o->rotation) && !o->failed) output_begin_next_set(o, false);
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
  builder_char(&text, '\0');
  if (!text.failed) info_text(&o->files[FILE_INFO].lines, INFO_TRIGGER, text.data);
  builder_free(&text);
}

bool output_change(struct output *o, const struct change *c) {
  struct builder options = {0};
  options_print(&c->options, &options);
  builder_char(&options, '\0');
  bool good = !options.failed && rotation_change(&o->rotation, options.data);
  builder_free(&options);
  change_put_rows(c, &o->files[FILE_INFO].lines, clock_monotonic_ns());
  return good;
}

/* Sums may have stacks with methods of classes that are unloaded, so they are written before. */
void output_forget_unloaded(struct output *o, uint64_t written_ns) {
  if (o->rotation.is_lost || o->rotation.is_cut) return; /* the next set is soon enough */
  if (rotation_may_forget(&o->rotation, o->input->living_classes, written_ns))
    output_write_counts(o, /* all */ true);
  rotation_forget_unloaded(&o->rotation, o->input->living_classes, written_ns);
}

void output_finish(struct output *o, const char *reason) {
  if (o->rotation.is_lost) output_replace_lost_set(o);
  if (o->rotation.is_cut && !o->failed) output_begin_next_set(o, false);
  if (o->rotation.is_lost) return;
  output_write_counts(o, /* all */ true);
  output_flush(o); /* it updates `dropped` */
  output_write_end(o, reason);
  output_flush(o);
}

void output_end(struct output *o) {
  short_lines_end(&o->short_lines);
  rotation_end(&o->rotation);
  output_close(o);
}
