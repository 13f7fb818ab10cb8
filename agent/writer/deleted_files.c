/* What the writer does when the current set is lost: somebody deletes its files, or they cannot
   take the state that a set begins with. */
#include <errno.h>
#include <unistd.h>

#include "agent/base/log.h"
#include "agent/writer/output_internal.h"

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
  output_count_losses(o);
}

static void end_recording(struct output *o, const struct dump_file *deleted) {
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
void output_lose_set(struct output *o) {
  o->rotation.is_lost = true;
  o->rotation.is_cut = o->rotation.lacks_definitions = false;
  stall_set_lacks_files(o->input->stall, true);
  lose_lines(o, true);
  for (int i = 0; i < NUM_FILES; i++) {
    if (dump_file_find_place(&o->files[i]) == DUMP_IN_PLACE) unlink(o->files[i].path);
  }
}

void output_replace_lost_set(struct output *o) {
  uint64_t time_ns = output_find_next_start(o);
  o->rotation.last_errno = ENOENT;
  if (!rotation_make_next(&o->rotation)) return;
  for (int i = 0; i < NUM_FILES; i++) o->files[i].lines.len = 0;
  if (!rotation_next_set(&o->rotation, /* is_early */ false)) return;
  stall_set_lacks_files(o->input->stall, false);
  output_start_set(o, time_ns);
}

/* The first attempt to begin the next set is a second after the deletion was seen: `rm -r` may
   still be deleting. */
void output_look_for_files(struct output *o, uint64_t now_ns) {
  if (o->failed || now_ns - o->looked_ns < ROTATION_RETRY_NS) return;
  o->looked_ns = now_ns;
  const struct dump_file *deleted = o->rotation.is_lost ? NULL : find_deleted(o);
  if (o->rotation.is_lost) {
    output_replace_lost_set(o);
  } else if (deleted != NULL && rotation_is_on(&o->rotation)) {
    report_lost_set(deleted);
    output_lose_set(o);
  } else if (deleted != NULL) {
    end_recording(o, deleted);
  }
}
