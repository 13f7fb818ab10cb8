#include "tools/orca/attach/library.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/orca/attach/proc.h"

/* --- the loaded agent ---------------------------------------------------------------- */

/* /proc/PID/maps contains paths as this program sees them. A process in a chroot sees them without
   the path of its root. */
static struct span strip_root(const struct target *t, struct span path) {
  char root[PATH_MAX];
  ssize_t len = readlinkat(t->proc, "root", root, sizeof root);
  if (len <= 1 || path.len <= (size_t)len || path.data[len] != '/') return path;
  if (memcmp(path.data, root, (size_t)len) != 0) return path;
  return (struct span){path.data + len, path.len - (size_t)len};
}

bool library_find_loaded(const struct target *t, struct library *out) {
  struct builder b = {0};
  struct span path;
  bool found = false;
  target_read(t, "maps", &b);
  struct span rest = {b.data, b.len};
  while (!found && proc_next_mapping(&rest, &path)) {
    path = strip_root(t, path);
    struct span name = proc_file_name(path);
    /* liborca-PID.so is a copy that provide_copy made. */
    bool is_agent =
        span_is(name, "liborca.so") || (span_starts(name, "liborca-") && span_ends(name, ".so"));
    found = is_agent && path.len < sizeof out->path;
    if (!found) continue;
    *out = (struct library){.is_copy = false};
    memcpy(out->path, path.data, path.len);
  }
  builder_free(&b);
  return found;
}

/* --- the original file ----------------------------------------------------------------- */

/* Whether the process can open this file. It cannot in another container, or if its user may not
   enter the folder. */
static bool can_open_agent(const struct target *t, const char *path, int agent_fd) {
  struct stat agent, opened;
  struct user before;
  if (fstat(agent_fd, &agent) != 0 || !user_become(t->user, &before)) return false;
  int fd = target_open_file(t, path, O_RDONLY);
  user_return(before);
  bool is_same = fd >= 0 && fstat(fd, &opened) == 0 && opened.st_dev == agent.st_dev &&
                 opened.st_ino == agent.st_ino;
  if (fd >= 0) close(fd);
  return is_same;
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

static const char *get_copy_name(const struct library *library) {
  return library->path + strlen("/tmp/");
}

/* Replaces the copy of an earlier process with the same pid. O_EXCL refuses a file that could not
   be removed, for example one of another user. */
static bool copy_agent(const struct target *t, int agent_fd, const struct library *to) {
  unlinkat(t->tmp, get_copy_name(to), 0);
  int fd = openat(t->tmp, get_copy_name(to), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0700);
  if (fd < 0) return false;
  bool ok = copy_bytes(agent_fd, fd);
  int error = errno;
  ok = close(fd) == 0 && ok;
  if (!ok) unlinkat(t->tmp, get_copy_name(to), 0);
  errno = error;
  return ok;
}

static bool provide_copy(const struct target *t, int agent_fd, struct library *out,
                         struct refusal *why) {
  struct user before;
  out->is_copy = true;
  snprintf(out->path, sizeof out->path, "/tmp/liborca-%d.so", (int)t->inner_pid);
  bool ok = user_become(t->user, &before) && copy_agent(t, agent_fd, out);
  if (!ok) {
    refuse(why, "cannot copy the agent to %s of process %d: %s", out->path, (int)t->pid,
           strerror(errno));
  }
  user_return(before);
  return ok;
}

bool library_provide(const struct target *t, const char *agent_path, struct library *out,
                     struct refusal *why) {
  *out = (struct library){.is_copy = false};
  int fd = open(agent_path, O_RDONLY | O_CLOEXEC);
  if (fd < 0 || realpath(agent_path, out->path) == NULL) {
    refuse(why, "cannot open the agent %s: %s", agent_path, strerror(errno));
    if (fd >= 0) close(fd);
    return false;
  }
  bool ok = can_open_agent(t, out->path, fd) || provide_copy(t, fd, out, why);
  close(fd);
  return ok;
}

/* glibc finds a loaded library by its name, without the file. musl opens the file each time. */
static bool has_glibc(const struct target *t) {
  struct builder b = {0};
  struct span path;
  bool found = false;
  target_read(t, "maps", &b);
  struct span rest = {b.data, b.len};
  while (!found && proc_next_mapping(&rest, &path)) {
    struct span name = proc_file_name(path);
    found = span_is(name, "libc.so.6") || span_starts(name, "libc-2.");
  }
  builder_free(&b);
  return found;
}

void library_remove_copy(const struct target *t, struct library *library) {
  struct library loaded;
  struct user before;
  if (!library->is_copy || (library_find_loaded(t, &loaded) && !has_glibc(t))) return;
  if (!user_become(t->user, &before)) return;
  library->is_copy = unlinkat(t->tmp, get_copy_name(library), 0) != 0;
  user_return(before);
}
