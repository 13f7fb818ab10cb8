#include "tools/orca/cmd/whole_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool write_text(int fd, struct span text) {
  while (text.len > 0) {
    ssize_t n = write(fd, text.data, text.len);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    text.data += n;
    text.len -= (size_t)n;
  }
  return true;
}

/* Writes the text, and closes the file. `mode` 0: leaves the mode as it is. */
static bool fill_file(int fd, struct span text, mode_t mode) {
  bool good = write_text(fd, text) && (mode == 0 || fchmod(fd, mode) == 0);
  int why = errno;
  if (close(fd) != 0 && good) return false;
  errno = why;
  return good;
}

static bool write_in_place(const char *name, struct span text, mode_t mode) {
  int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  return fd >= 0 && fill_file(fd, text, mode);
}

/* The mode of the old file, or of a new one. */
static mode_t find_mode(const char *name) {
  struct stat old;
  if (stat(name, &old) == 0) return old.st_mode & 07777;
  mode_t mask = umask(0);
  umask(mask);
  return 0666 & ~mask;
}

/* Returns false, with the reason in `errno`. `*out_is_possible` is false if a file cannot be
   replaced here. */
static bool replace(const char *name, struct span text, mode_t mode, bool *out_is_possible) {
  char path[PATH_MAX];
  const char *slash = strrchr(name, '/');
  int folder = slash == NULL ? 0 : (int)(slash - name) + 1;
  *out_is_possible = true;
  /* The name is short, since that of the file may be as long as a name can be. */
  if (snprintf(path, sizeof path, "%.*s.orca.XXXXXX", folder, name) >= (int)sizeof path) {
    errno = ENAMETOOLONG;
    return false;
  }
  int fd = mkostemp(path, O_CLOEXEC);
  *out_is_possible = fd >= 0 || (errno != EACCES && errno != EPERM && errno != EROFS);
  if (fd < 0) return false;
  bool good = fill_file(fd, text, mode == 0 ? find_mode(name) : mode);
  if (good && rename(path, name) == 0) return true;
  int why = errno;
  *out_is_possible = !good || why != EBUSY;
  unlink(path);
  errno = why;
  return false;
}

/* Whether the name is a link to a file that does not exist. */
static bool is_dangling_link(const char *name) {
  struct stat old;
  return stat(name, &old) != 0 && lstat(name, &old) == 0 && S_ISLNK(old.st_mode);
}

bool whole_file_replace(const char *name, struct span text, mode_t mode) {
  char real[PATH_MAX];
  struct stat old;
  bool is_possible;
  if (realpath(name, real) != NULL) name = real;
  if (stat(name, &old) == 0 && (!S_ISREG(old.st_mode) || access(name, W_OK) != 0)) {
    return write_in_place(name, text, 0); /* a device, or not to be written: then it says so */
  }
  if (is_dangling_link(name)) return write_in_place(name, text, mode);
  return replace(name, text, mode, &is_possible) ||
         (!is_possible && write_in_place(name, text, mode));
}
