#include "agent/writer/dump_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

const char *const file_suffixes[NUM_FILES] = {
#define DUMP_FILE(id, suffix, line, need) suffix,
#include "agent/event/file.def"
};

const enum file file_order[NUM_FILES] = {FILE_CLASSES, FILE_METHODS, FILE_OBJECTS, FILE_SAMPLES,
                                         FILE_COUNTS,  FILE_EVENTS,  FILE_INFO};

static bool set_path(struct dump_file *f, const char *prefix, const char *suffix) {
  *f = (struct dump_file){.fd = -1};
  int n = snprintf(f->path, sizeof f->path, "%s%s", prefix, suffix);
  bool fits = n >= 0 && (size_t)n < sizeof f->path;
  if (!fits) errno = ENAMETOOLONG;
  return fits;
}

bool dump_file_try(struct dump_file *f, const char *prefix, const char *suffix) {
  if (!set_path(f, prefix, suffix)) return false;
  int fd = open(f->path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  bool made = fd >= 0;
  if (!made && errno == EEXIST) fd = open(f->path, O_WRONLY | O_CLOEXEC);
  bool good = fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0;
  int why = errno;
  if (made) unlink(f->path);
  if (fd >= 0) close(fd);
  errno = why;
  return good;
}

bool dump_file_lock(struct dump_file *f, const char *prefix, const char *suffix, bool create) {
  if (!set_path(f, prefix, suffix)) return false;
  /* O_APPEND: after a failed write was cut off, the next write starts at the new end. */
  f->fd = open(f->path, O_WRONLY | (create ? O_CREAT : 0) | O_APPEND | O_CLOEXEC, 0666);
  return f->fd >= 0 && flock(f->fd, LOCK_EX | LOCK_NB) == 0;
}

void dump_file_clear(struct dump_file *f) {
  int truncated = ftruncate(f->fd, 0);
  (void)truncated; /* a device cannot and need not be truncated */
}

bool dump_file_open(struct dump_file *f, const char *prefix, const char *suffix) {
  if (!dump_file_lock(f, prefix, suffix, true)) return false;
  dump_file_clear(f); /* only now: another process may have been writing it */
  return true;
}

/* Files count tenths of a nanosecond, so that up to ten lines can be of the same nanosecond. */
ticks_t dump_file_next_time(struct dump_file *f, uint64_t time_ns) {
  ticks_t t = time_ns * TICKS_PER_NS;
  if (t <= f->last_line_time) t = f->last_line_time + 1;
  return f->last_line_time = t;
}

bool dump_file_flush(struct dump_file *f) {
  struct builder *b = &f->lines;
  if (b->failed) errno = ENOMEM;
  if (b->failed || f->fd < 0) return false;
  size_t done = 0;
  while (done < b->len) {
    ssize_t written = write(f->fd, b->data + done, b->len - done);
    if (written < 0 && errno == EINTR) continue;
    if (written == 0) errno = ENOSPC;
    if (written <= 0) break;
    done += (size_t)written;
  }
  bool all = done == b->len;
  int why = errno;
  if (!all) { /* the file keeps the whole lines */
    const char *end = done == 0 ? NULL : memrchr(b->data, '\n', done);
    done = end == NULL ? 0 : (size_t)(end - b->data) + 1;
    if (ftruncate(f->fd, (off_t)(f->size + done)) != 0) done = 0; /* not a regular file */
  }
  f->size += done;
  b->len = 0;
  errno = why;
  return all;
}

void dump_file_close(struct dump_file *f) {
  if (f->fd >= 0) close(f->fd);
  f->fd = -1;
  builder_free(&f->lines);
}
