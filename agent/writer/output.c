#include "agent/writer/output.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "agent/base/clock.h"
#include "agent/base/log.h"
#include "agent/writer/output_internal.h"

#define FLUSH_BYTES (256 * 1024) /* lines are written once they are so many */

/* --- opening --------------------------------------------------------------------------------- */

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

void output_init(struct output *o) {
  for (int i = 0; i < NUM_FILES; i++) o->files[i].fd = -1;
}

void output_close(struct output *o) {
  for (int i = 0; i < NUM_FILES; i++) dump_file_close(&o->files[i]);
}

bool output_try(struct output *o, const char *prefix, char *error, size_t error_size) {
  for (int i = 0; i < NUM_FILES; i++) {
    if (dump_file_try(&o->files[i], prefix, file_suffixes[i])) continue;
    refuse_file(&o->files[i], error, error_size);
    return false;
  }
  return true;
}

bool output_open(struct output *o, const char *prefix, char *error, size_t error_size) {
  for (int i = 0; i < NUM_FILES; i++) {
    if (dump_file_open(&o->files[i], prefix, file_suffixes[i])) continue;
    refuse_file(&o->files[i], error, error_size);
    output_close(o);
    return false;
  }
  return true;
}

/* --- files ------------------------------------------------------------------------------------ */

static void fail(struct output *o, const struct dump_file *f) {
  if (o->failed) return;
  log_line("cannot write %s: %s; recording stops, the program goes on", f->path, strerror(errno));
  o->failed = true;
  o->source->failed(o->source->arg);
}

static void flush_file(struct output *o, enum file file) {
  struct dump_file *f = &o->files[file];
  if (o->failed && file != INFO) {
    f->lines.len = 0; /* a dump that stops, stops everywhere; only .info says so */
  } else if ((f->lines.len > 0 || f->lines.failed) && !dump_file_flush(f)) {
    fail(o, f);
  }
}

size_t output_waiting(const struct output *o) {
  size_t n = 0;
  for (int i = 0; i < NUM_FILES; i++) n += o->files[i].lines.len;
  return n;
}

void output_flush(struct output *o) {
  uint64_t now = clock_monotonic_ns();
  if (now - o->counted_ns >= OUTPUT_COUNT_NS) output_counts(o);
  if (rotation_is_on(&o->rotation)) {
    definitions_take(&o->rotation.known);
  } else {
    output_definitions(o, CLASSTABLE, o->source->classes);
    output_definitions(o, METHODS, o->source->methods);
    output_definitions(o, OBJECTS, o->source->objects);
  }
  output_losses(o, now);
  if (output_waiting(o) > 0) o->flushed_ns = now; /* else the next line need not wait for others */
  for (int i = 0; i < NUM_FILES; i++) flush_file(o, (enum file)i);
}

/* --- sets of files ---------------------------------------------------------------------------- */

static void write_figures(struct output *o, const char *reason) {
  struct builder *info = &o->files[INFO].lines;
  info_ticks(info, "end.monotonic", clock_monotonic_ns());
  info_text(info, "end.reason", o->failed ? "error" : reason);
  info_number(info, "events.written", o->events - o->events_before);
  info_number(info, "events.dropped", o->dropped);
  info_number(info, "samples.written", o->samples - o->samples_before);
  o->figures(o->figures_arg, info);
  o->source->end(o->source->arg, info);
}

/* A record that says again what stood. */
static void write_again(void *o, const struct record *r) { output_record(o, r); }

/* When the next set begins: what is written of events may be behind what is written of samples. */
static uint64_t time_of_seam(const struct output *o) {
  bool events = o->files[ORCA].size > 0 || o->files[SAMPLES].size == 0;
  return o->files[events ? ORCA : SAMPLES].last / TICKS_PER_NS;
}

/* The start of the next set. What it says again comes at once behind the lines before. */
static void begin_set(struct output *o, uint64_t time_ns) {
  uint64_t events = o->events, samples = o->samples, stacks = o->last_stack_id;
  const struct carryover *standing = &o->rotation.standing;
  o->first_stack_id = o->last_stack_id;
  carryover_say(&o->rotation.standing, /* time */ 0, write_again, o);
  o->events_before = events - standing->living;
  o->samples_before = samples - standing->sampled;
  __atomic_store_n(&o->events, events, __ATOMIC_RELAXED);
  __atomic_store_n(&o->samples, samples, __ATOMIC_RELAXED);
  uint64_t ticks = standing->tick.kind == RECORD_TICK;
  rotation_info(&o->rotation, &o->files[INFO].lines, time_ns, standing->living,
                ticks + standing->sampled + o->last_stack_id - stacks);
  flush_file(o, INFO);
  output_flush(o);
  rotation_began(&o->rotation);
}

static void turn(struct output *o) {
  output_counts(o);
  output_flush(o);
  uint64_t time_ns = time_of_seam(o);
  write_figures(o, "rotated");
  output_flush(o);
  if (o->failed) return;
  enum file failed = rotation_turn(&o->rotation);
  if (failed != NUM_FILES) {
    fail(o, &o->files[failed]);
  } else {
    begin_set(o, time_ns);
  }
}

/* --- a recording ------------------------------------------------------------------------------ */

/* The rotation takes from the source what it needs itself. */
static bool start_rotation(struct output *o, const struct info_start *start) {
  struct rotation *r = &o->rotation;
  r->maxsize = o->source->maxsize;
  r->keep = o->source->keep;
  r->known.files = o->files;
  r->known.class_box = o->source->classes;
  r->known.method_box = o->source->methods;
  r->known.object_box = o->source->objects;
  r->known.forget_objects = o->source->forget_objects;
  r->known.arg = o->source->arg;
  if (!rotation_start(r, start)) return false;
  rotation_info(r, &o->files[INFO].lines, start->monotonic_ns, 0, 0);
  return true;
}

bool output_start(struct output *o, const struct writer_source *source,
                  const struct info_start *start) {
  o->source = source;
  o->events = o->samples = o->dropped = o->events_before = o->samples_before = 0;
  o->first_stack_id = o->last_stack_id;
  o->failed = o->counting = false;
  o->flushed_ns = o->counted_ns = o->intact_ns = clock_monotonic_ns();
  o->rotation.maxsize = 0;
  if (source->maxsize == 0) {
    info_start_write(&o->files[INFO].lines, start);
  } else if (!start_rotation(o, start)) {
    return false;
  }
  return dump_file_flush(&o->files[INFO]);
}

void output_put(struct output *o, const struct record *r) {
  if (rotation_is_on(&o->rotation)) rotation_follow(&o->rotation, r);
  output_record(o, r);
  if (rotation_is_due(&o->rotation) && !o->failed) turn(o);
  if (o->files[ORCA].lines.len >= FLUSH_BYTES || o->files[SAMPLES].lines.len >= FLUSH_BYTES) {
    output_flush(o);
  }
}

void output_finish(struct output *o, const char *reason) {
  output_counts(o);
  output_flush(o); /* the losses are counted by now */
  write_figures(o, reason);
  output_flush(o);
}

void output_end(struct output *o) {
  rotation_end(&o->rotation);
  output_close(o);
}
