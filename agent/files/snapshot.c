#include "agent/files/snapshot.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent/base/clock.h"
#include "agent/base/memory.h"
#include "agent/files/lines.h"

#define BLOCK_BYTES (256 * 1024)

/* --- what is there -------------------------------------------------------------------- */

static bool note_path(void *arg, const char *path) {
  struct snapshot_files *s = arg;
  snprintf(s->path, sizeof s->path, "%s", path);
  return false; /* one is enough */
}

bool snapshot_files_exist(struct snapshot_files *s) {
  struct stat st;
  for (int i = 0; i < NUM_FILES; i++) {
    bool fits = set_files_path(s->name, 0, (enum file)i, s->path, sizeof s->path);
    if (fits && lstat(s->path, &st) == 0) return true;
  }
  s->path[0] = '\0';
  set_files_visit(s->name, note_path, s);
  return s->path[0] != '\0';
}

bool snapshot_files_can_write(struct snapshot_files *s) {
  char folder[sizeof s->path];
  if (!set_files_path(s->name, 0, FILE_EVENTS, s->path, sizeof s->path)) return false;
  strcpy(folder, s->path);
  char *slash = strrchr(folder, '/');
  if (slash != NULL) slash[1] = '\0';
  return access(slash == NULL ? "." : folder, W_OK | X_OK) == 0;
}

/* --- links and copies ----------------------------------------------------------------- */

/* Writes `size` bytes. False with errno. */
static bool write_all(int fd, const char *data, size_t size) {
  while (size > 0) {
    ssize_t n = write(fd, data, size);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return false;
    data += n;
    size -= (size_t)n;
  }
  return true;
}

/* Copies the first `size` bytes, or all if there are less. False with errno. */
static bool copy_bytes(int from, int to, uint64_t size) {
  char *block = memory_new(BLOCK_BYTES);
  bool good = block != NULL;
  while (good && size > 0) {
    ssize_t n = read(from, block, size < BLOCK_BYTES ? (size_t)size : BLOCK_BYTES);
    if (n < 0 && errno == EINTR) continue;
    if (n == 0) break;
    good = n > 0 && write_all(to, block, (size_t)n);
    size -= n > 0 ? (uint64_t)n : 0;
  }
  int why = errno;
  free(block);
  errno = why;
  return good;
}

static bool copy_file(const char *from, const char *to, uint64_t size) {
  int source = open(from, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
  if (source < 0) return false;
  int copy = open(to, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, DUMP_FILE_MODE);
  bool good = copy >= 0 && copy_bytes(source, copy, size);
  int why = errno;
  if (copy >= 0 && close(copy) != 0 && good) {
    why = errno;
    good = false;
  }
  if (copy >= 0 && !good) unlink(to);
  close(source);
  errno = why;
  return good;
}

/* Returns whether link failed because there can be no link: the folders are on different file
   systems, or the file system has no links. */
static bool is_link_impossible(int why) {
  return why == EXDEV || why == EPERM || why == EOPNOTSUPP || why == ENOSYS || why == EMLINK;
}

static bool add_file(const struct snapshot_files *s, const struct dump_file *f, enum file file,
                     unsigned number, const char *prefix) {
  char from[sizeof s->path];
  if (number == 0) return copy_file(f->path, s->path, f->size);
  if (!set_files_path(prefix, number, file, from, sizeof from)) return false;
  if (link(from, s->path) == 0) return true;
  return is_link_impossible(errno) && copy_file(from, s->path, UINT64_MAX);
}

/* The order in which files are added: .orca is the last one. */
static enum file get_file(int at) {
  if (at == NUM_FILES - 1) return FILE_EVENTS;
  return (enum file)(at < FILE_EVENTS ? at : at + 1);
}

static void remove_files(struct snapshot_files *s, unsigned number, int num) {
  char path[sizeof s->path];
  for (int at = num; at > 0; at--) {
    if (set_files_path(s->name, number, get_file(at - 1), path, sizeof path)) unlink(path);
  }
}

bool snapshot_files_add(struct snapshot_files *s, const struct dump_file files[NUM_FILES],
                        unsigned number) {
  char prefix[sizeof s->path];
  set_files_prefix(files, prefix, sizeof prefix);
  int at = 0;
  while (at < NUM_FILES) {
    enum file file = get_file(at);
    bool fits = set_files_path(s->name, number, file, s->path, sizeof s->path);
    if (!fits || !add_file(s, &files[file], file, number, prefix)) break;
    at++;
  }
  if (at == NUM_FILES) return true;
  int why = errno;
  remove_files(s, number, at);
  errno = why;
  return false;
}

void snapshot_files_remove(struct snapshot_files *s, unsigned number) {
  remove_files(s, number, NUM_FILES);
}

/* --- snapshots ------------------------------------------------------------------------ */

__attribute__((format(printf, 2, 3))) static bool refuse(struct snapshot *s, const char *format,
                                                         ...) {
  va_list values;
  va_start(values, format);
  vsnprintf(s->error, sizeof s->error, format, values);
  va_end(values);
  return false;
}

static bool refuse_file(struct snapshot *s, const char *path) {
  return refuse(s, "cannot write %s: %s; NAME has to be a path in a folder that exists", path,
                strerror(errno));
}

static bool refuse_failed(struct snapshot *s) {
  return refuse(s, "the recording has ended, as a file could not be written");
}

/* Adds the finished sets from the pinned one on. */
static bool add_sets(struct snapshot *s, struct snapshot_files *files, const struct rotation *r) {
  size_t first = 0;
  size_t last = r->num_finished;
  if (last == 0 || r->finished[last - 1].number != r->number - 1)
    return refuse(s, "somebody has moved the files that the snapshot needs");
  while (r->finished[first].number < r->pinned) first++;
  for (size_t at = first; at < r->num_finished; at++) {
    if (snapshot_files_add(files, r->files, r->finished[at].number)) continue;
    refuse_file(s, files->path);
    while (at > first) snapshot_files_remove(files, r->finished[--at].number);
    return false;
  }
  s->first_set = r->finished[first].number;
  s->num_sets = (unsigned)(r->num_finished - first);
  s->span_ns = clock_monotonic_ns() - r->finished[first].start_ns;
  return true;
}

static bool take_sets(struct snapshot *s, struct snapshot_files *files, struct output *o) {
  struct rotation *r = &o->rotation;
  uint64_t now = clock_monotonic_ns();
  rotation_pin(r, s->last_ns < now ? now - s->last_ns : 0);
  bool has_ended = output_begin_next_set(o, /* is_early */ true);
  bool good = has_ended ? add_sets(s, files, r)
              : o->failed
                  ? refuse_failed(s)
                  : refuse(s, "the current set of files cannot end: %s", strerror(r->last_errno));
  rotation_unpin(r);
  return good;
}

/* The end of .info is only in the copy: it is cut off again. */
static bool copy_files(struct snapshot *s, struct snapshot_files *files, struct output *o) {
  struct dump_file *info = &o->files[FILE_INFO];
  lines_write_counts(o, /* all */ true);
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
  if (o->rotation.is_lost)
    return refuse(s, "the files of the recording were deleted, and there are no new ones yet");
  if (snapshot_files_exist(&files))
    return refuse(s, "%s exists; a snapshot needs a new NAME", files.path);
  if (!snapshot_files_can_write(&files)) return refuse_file(s, files.path);
  return rotation_has_limits(&o->rotation) ? take_sets(s, &files, o) : copy_files(s, &files, o);
}

/* --- triggers --------------------------------------------------------------------------- */

#define MAX_NUMBER 99999 /* of the names that are tried */

/* False if the name does not fit. */
static bool make_name(const struct output *o, unsigned number, char *out, size_t size) {
  char prefix[4096];
  set_files_prefix(o->files, prefix, sizeof prefix);
  int len = snprintf(out, size, "%s.trigger-%u", prefix, number);
  return len > 0 && (size_t)len < size;
}

static bool find_free_name(const struct trigger_files *t, const struct output *o,
                           struct snapshot *s, unsigned *number) {
  struct snapshot_files files = {.name = s->name};
  for (*number = t->last + 1; *number <= MAX_NUMBER; ++*number) {
    if (!make_name(o, *number, s->name, sizeof s->name)) break;
    if (!snapshot_files_exist(&files)) return true;
  }
  snprintf(s->error, sizeof s->error, "there is no free name PREFIX.trigger-N");
  return false;
}

/* Deletes the oldest one but the first. */
static void delete_second(struct trigger_files *t, const struct output *o) {
  char name[4096];
  struct snapshot_files files = {.name = name};
  struct kept_files second = t->kept[1];
  t->num--;
  memmove(t->kept + 1, t->kept + 2, (t->num - 1) * sizeof *t->kept);
  if (!make_name(o, second.number, name, sizeof name)) return;
  for (unsigned i = 0; i < second.num_sets; i++) {
    snapshot_files_remove(&files, second.first_set + i);
  }
}

void trigger_files_keep(struct trigger_files *t, struct output *o, char *outcome, size_t size) {
  struct snapshot s = {.last_ns = SNAPSHOT_ALL};
  unsigned number;
  outcome[0] = '\0';
  if (!rotation_has_limits(&o->rotation)) return;
  if (!find_free_name(t, o, &s, &number) || !snapshot_make(&s, o)) {
    snprintf(outcome, size, "; the files up to now could not be kept: %s", s.error);
    return;
  }
  if (t->num == TRIGGER_FILES_MAX) delete_second(t, o);
  t->last = number;
  t->kept[t->num++] = (struct kept_files){number, s.first_set, s.num_sets};
  snprintf(outcome, size, "; the files up to now are kept as %s.*", s.name);
}
