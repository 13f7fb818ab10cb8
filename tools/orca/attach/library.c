#include "tools/orca/attach/library.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/orca/attach/proc.h"

/* --- loaded already ------------------------------------------------------------------ */

/* liborca.so, or a copy of ours: liborca-PID.so. */
static bool is_agent(struct span path) {
  struct span name = proc_file_name(path);
  return span_is(name, "liborca.so") || (span_starts(name, "liborca-") && span_ends(name, ".so"));
}

/* The paths in maps are ours; a process in a chroot sees them without its root in front. */
static struct span as_seen_by(const struct target *t, struct span path) {
  char root[PATH_MAX];
  ssize_t len = readlinkat(t->proc, "root", root, sizeof root);
  if (len <= 1 || path.len <= (size_t)len || path.data[len] != '/') return path;
  if (memcmp(path.data, root, (size_t)len) != 0) return path;
  return (struct span){path.data + len, path.len - (size_t)len};
}

bool library_loaded(const struct target *t, struct library *out) {
  struct builder b = {0};
  struct span path;
  bool found = false;
  target_read(t, "maps", &b);
  struct span rest = {b.data, b.len};
  while (!found && proc_next_mapping(&rest, &path)) {
    path = as_seen_by(t, path);
    found = is_agent(path) && path.len < sizeof out->path;
    if (!found) continue;
    *out = (struct library){.copied = false};
    memcpy(out->path, path.data, path.len);
  }
  builder_free(&b);
  return found;
}

/* --- where it lies --------------------------------------------------------------------- */

static bool is_file(int fd, const struct stat *wanted) {
  struct stat st;
  return fd >= 0 && fstat(fd, &st) == 0 && st.st_dev == wanted->st_dev &&
         st.st_ino == wanted->st_ino;
}

/* Not only another container hides our file: so does a folder that the process's user may not
   enter. */
static bool sees(const struct target *t, const char *path, int own) {
  struct stat wanted;
  struct user before;
  if (fstat(own, &wanted) != 0 || !user_become(t->user, &before)) return false;
  int fd = target_open_file(t, path, O_RDONLY);
  user_return(before);
  bool same = is_file(fd, &wanted);
  if (fd >= 0) close(fd);
  return same;
}

/* --- a copy ------------------------------------------------------------------------------ */

static bool copy_bytes(int from, int to) {
  char bytes[65536];
  ssize_t n;
  while ((n = read(from, bytes, sizeof bytes)) > 0) {
    for (ssize_t at = 0, done; at < n; at += done) {
      if ((done = write(to, bytes + at, (size_t)(n - at))) < 0) return false;
    }
  }
  return n == 0;
}

static const char *copy_name(const struct library *library) {
  return library->path + strlen("/tmp/");
}

/* One that an earlier process of this number left is in the way; one of another user cannot be
   removed, and is not written to. */
static bool copy(const struct target *t, int own, const struct library *to) {
  unlinkat(t->tmp, copy_name(to), 0);
  int fd = openat(t->tmp, copy_name(to), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0700);
  if (fd < 0) return false;
  bool good = copy_bytes(own, fd);
  int error = errno;
  good = close(fd) == 0 && good;
  if (!good) unlinkat(t->tmp, copy_name(to), 0);
  errno = error;
  return good;
}

static bool provide_copy(const struct target *t, int own, struct library *out,
                         struct refusal *why) {
  struct user before;
  out->copied = true;
  snprintf(out->path, sizeof out->path, "/tmp/liborca-%d.so", (int)t->inner_pid);
  bool good = user_become(t->user, &before) && copy(t, own, out);
  if (!good) {
    refuse(why, "cannot copy the agent to %s of process %d: %s", out->path, (int)t->pid,
           strerror(errno));
  }
  user_return(before);
  return good;
}

bool library_provide(const struct target *t, const char *own, struct library *out,
                     struct refusal *why) {
  *out = (struct library){.copied = false};
  int fd = open(own, O_RDONLY | O_CLOEXEC);
  if (fd < 0 || realpath(own, out->path) == NULL) {
    refuse(why, "cannot open the agent %s: %s", own, strerror(errno));
    if (fd >= 0) close(fd);
    return false;
  }
  bool good = sees(t, out->path, fd) || provide_copy(t, fd, out, why);
  close(fd);
  return good;
}

void library_withdraw(const struct target *t, const struct library *library) {
  struct user before;
  if (!library->copied || !user_become(t->user, &before)) return;
  unlinkat(t->tmp, copy_name(library), 0);
  user_return(before);
}
