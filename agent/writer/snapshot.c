#include "agent/writer/snapshot.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "agent/base/clock.h"
#include "agent/writer/output_internal.h"
#include "agent/writer/snapshot_files.h"

static bool refuse_file(struct snapshot *s, const char *path) {
  snprintf(s->error, sizeof s->error,
           "cannot write %s: %s; NAME has to be a path in a folder that exists", path,
           strerror(errno));
  return false;
}

static bool refuse_existing(struct snapshot *s, const char *path) {
  snprintf(s->error, sizeof s->error, "%s exists; a snapshot needs a new NAME", path);
  return false;
}

/* Removes the sets that were added before the one with index `end`. */
static void remove_sets(struct snapshot_files *files, const struct rotation *r, size_t first,
                        size_t end) {
  for (size_t at = first; at < end; at++) snapshot_files_remove(files, r->finished[at].number);
}

static bool refuse_moved(struct snapshot *s) {
  snprintf(s->error, sizeof s->error, "somebody has moved the files that the snapshot needs");
  return false;
}

/* Adds the finished sets from the pinned one on. */
static bool add_sets(struct snapshot *s, struct snapshot_files *files, const struct rotation *r) {
  size_t first = 0;
  size_t last = r->num_finished;
  if (last == 0 || r->finished[last - 1].number != r->number - 1) return refuse_moved(s);
  while (r->finished[first].number < r->pinned) first++;
  for (size_t at = first; at < r->num_finished; at++) {
    if (snapshot_files_add(files, r->definitions.files, r->finished[at].number)) continue;
    refuse_file(s, files->path);
    remove_sets(files, r, first, at);
    return false;
  }
  s->first_set = r->finished[first].number;
  s->num_sets = (unsigned)(r->num_finished - first);
  s->span_ns = clock_monotonic_ns() - r->finished[first].start_ns;
  return true;
}

static bool refuse_failed(struct snapshot *s) {
  snprintf(s->error, sizeof s->error, "the recording has ended, as a file could not be written");
  return false;
}

static bool refuse_lost(struct snapshot *s) {
  snprintf(s->error, sizeof s->error,
           "the files of the recording were deleted, and there are no new ones yet");
  return false;
}

static bool refuse_set(struct snapshot *s, int why) {
  snprintf(s->error, sizeof s->error, "the current set of files cannot end: %s", strerror(why));
  return false;
}

static bool take_sets(struct snapshot *s, struct snapshot_files *files, struct output *o) {
  struct rotation *r = &o->rotation;
  uint64_t now = clock_monotonic_ns();
  rotation_pin(r, s->last_ns < now ? now - s->last_ns : 0);
  bool has_ended = output_begin_next_set(o, /* is_early */ true);
  bool good = has_ended   ? add_sets(s, files, r)
              : o->failed ? refuse_failed(s)
                          : refuse_set(s, r->last_errno);
  rotation_unpin(r);
  return good;
}

/* The end of .info is only in the copy: it is cut off again. */
static bool copy_files(struct snapshot *s, struct snapshot_files *files, struct output *o) {
  struct dump_file *info = &o->files[FILE_INFO];
  output_write_counts(o, /* all */ true);
  output_flush(o);
  uint64_t info_size = info->size;
  output_write_end(o, "snapshot");
  output_flush(o);
  if (o->failed) return refuse_failed(s);
  bool good = snapshot_files_add(files, o->files, 0) || refuse_file(s, files->path);
  if (!dump_file_cut(info, info_size)) output_fail(o, info);
  s->num_sets = 1;
  s->is_copy = true;
  s->span_ns = clock_monotonic_ns() - o->start_ns;
  return good;
}

bool snapshot_make(struct snapshot *s, struct output *o) {
  struct snapshot_files files = {.name = s->name};
  if (o->failed) return refuse_failed(s);
  if (o->rotation.is_lost) return refuse_lost(s);
  if (snapshot_files_exist(&files)) return refuse_existing(s, files.path);
  if (!snapshot_files_can_write(&files)) return refuse_file(s, files.path);
  return rotation_is_on(&o->rotation) ? take_sets(s, &files, o) : copy_files(s, &files, o);
}
