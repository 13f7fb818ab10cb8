#include "agent/files/dump_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
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

/* --- opening --------------------------------------------------------------------------- */

/* Returns why a recording must not write to this file, "is a symbolic link"; NULL: it may. */
static const char *find_refusal(const struct stat *st) {
  if (S_ISLNK(st->st_mode)) return "is a symbolic link";
  if (!S_ISREG(st->st_mode) && !S_ISFIFO(st->st_mode)) return "is neither a file nor a pipe";
  if (st->st_uid != geteuid()) return "belongs to another user";
  if (st->st_nlink > 1) return "has further names (hard links)";
  return NULL;
}

/* Opens f->path for writing. -1 with errno, and `f->refusal` if the file may not be replaced.
   O_APPEND: after a failed write was cut off, the next write starts at the new end. O_NONBLOCK: to
   open a pipe does not block; it fails if nobody reads. Writing to it may block then. */
static int open_path(struct dump_file *f, int flags) {
  struct stat st;
  int fd = open(f->path, O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | flags,
                DUMP_FILE_MODE);
  if (fd < 0) {
    int why = errno;
    bool may_refuse = why != EEXIST && why != EISDIR && lstat(f->path, &st) == 0;
    f->refusal = may_refuse ? find_refusal(&st) : NULL;
    errno = f->refusal == NULL ? why : EPERM;
    return -1;
  }
  f->refusal = fstat(fd, &st) == 0 ? find_refusal(&st) : "cannot be examined";
  if (f->refusal == NULL) {
    if (S_ISFIFO(st.st_mode)) fcntl(fd, F_SETFL, O_APPEND);
    return fd;
  }
  close(fd);
  errno = EPERM;
  return -1;
}

/* Opens and locks f->path. */
static bool lock_path(struct dump_file *f, int flags) {
  f->fd = open_path(f, flags);
  return f->fd >= 0 && flock(f->fd, LOCK_EX | LOCK_NB) == 0;
}

bool dump_file_try(struct dump_file *f, const char *prefix, const char *suffix) {
  if (!set_path(f, prefix, suffix)) return false;
  bool good = lock_path(f, O_CREAT | O_EXCL), made = f->fd >= 0;
  if (!made && errno == EEXIST) good = lock_path(f, 0);
  int why = errno;
  if (made) unlink(f->path);
  dump_file_close(f);
  errno = why;
  return good;
}

bool dump_file_lock(struct dump_file *f, const char *prefix, const char *suffix, bool create) {
  return set_path(f, prefix, suffix) && lock_path(f, create ? O_CREAT : 0);
}

void dump_file_clear(struct dump_file *f) {
  dump_file_cut(f, 0);
  fchmod(f->fd, DUMP_FILE_MODE); /* a file of an earlier recording may have another mode */
}

bool dump_file_open(struct dump_file *f, const char *prefix, const char *suffix) {
  if (!dump_file_lock(f, prefix, suffix, true)) return false;
  dump_file_clear(f); /* only now: another process may have been writing it */
  return true;
}

bool dump_file_make(struct dump_file *f, const char *prefix, const char *suffix) {
  return set_path(f, prefix, suffix) && lock_path(f, O_CREAT | O_EXCL);
}

/* --- lines ------------------------------------------------------------------------------ */

/* Files count tenths of a nanosecond, so that up to ten lines can be of the same nanosecond. */
ticks_t dump_file_next_time(struct dump_file *f, uint64_t time_ns) {
  ticks_t t = time_ns * TICKS_PER_NS;
  if (t <= f->last_line_time) t = f->last_line_time + 1;
  return f->last_line_time = t;
}

/* Cuts the file to `size` bytes, now or before the next line. False with errno for a pipe, whose
   bytes are gone. */
static bool cut_bytes(struct dump_file *f, uint64_t size) {
  bool is_cut = ftruncate(f->fd, (off_t)size) == 0;
  f->is_torn = !is_cut && errno != EINVAL && errno != EBADF;
  return is_cut || f->is_torn;
}

bool dump_file_flush(struct dump_file *f) {
  struct builder *b = &f->lines;
  if (b->failed) errno = ENOMEM;
  if (b->failed || f->fd < 0) return false;
  if (f->is_torn && ftruncate(f->fd, (off_t)f->size) != 0) return false;
  f->is_torn = false;
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
    const char *end = done == 0 || f->is_atomic ? NULL : memrchr(b->data, '\n', done);
    done = end == NULL ? 0 : (size_t)(end - b->data) + 1;
    if (!cut_bytes(f, f->size + done)) done = 0;
  }
  f->size += done;
  b->len -= done;
  if (b->len > 0) memmove(b->data, b->data + done, b->len);
  errno = why;
  return all;
}

bool dump_file_cut(struct dump_file *f, uint64_t size) {
  bool good = cut_bytes(f, size);
  if (good) f->size = size;
  return good;
}

enum dump_place dump_file_find_place(const struct dump_file *f) {
  struct stat own, found;
  if (f->fd < 0 || fstat(f->fd, &own) != 0) return DUMP_IN_PLACE; /* not known */
  if (own.st_nlink == 0) return DUMP_DELETED;
  bool is_same =
      lstat(f->path, &found) == 0 && own.st_dev == found.st_dev && own.st_ino == found.st_ino;
  return is_same ? DUMP_IN_PLACE : DUMP_MOVED;
}

void dump_file_close(struct dump_file *f) {
  if (f->fd >= 0) close(f->fd);
  f->fd = -1;
  builder_free(&f->lines);
}
