#include "tools/orca/attach/target.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "tools/orca/attach/proc.h"

#define POLL_MS 50 /* between two looks at a JVM that is being started */

/* --- files of /proc/PID ---------------------------------------------------------- */

/* A container's root may be refused what the user of the process is not, and the other way round.
 */
static int open_any(const struct target *t, const char *path, int flags) {
  struct user before;
  int fd = openat(t->proc, path, flags | O_CLOEXEC);
  if (fd >= 0 || (errno != EACCES && errno != EPERM)) return fd;
  if (!user_become(t->user, &before)) return -1;
  fd = openat(t->proc, path, flags | O_CLOEXEC);
  user_return(before);
  return fd;
}

static bool read_all(int fd, struct builder *b) {
  for (;;) {
    char *room = builder_room(b, 4096);
    ssize_t n = room == NULL ? -1 : read(fd, room, 4096);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return n == 0;
    b->len += (size_t)n;
  }
}

bool target_read(const struct target *t, const char *name, struct builder *b) {
  int fd = open_any(t, name, O_RDONLY);
  if (fd < 0) return false;
  bool good = read_all(fd, b);
  int error = errno;
  close(fd);
  errno = error;
  return good;
}

int target_open_file(const struct target *t, const char *path, int flags) {
  char below[PATH_MAX];
  int len = snprintf(below, sizeof below, "root%s", path);
  if (len < (int)sizeof below) return open_any(t, below, flags);
  errno = ENAMETOOLONG;
  return -1;
}

static bool read_status(const struct target *t, struct proc_status *out) {
  struct builder b = {0};
  bool good = target_read(t, "status", &b) && proc_status_read((struct span){b.data, b.len}, out);
  builder_free(&b);
  return good;
}

bool target_ended(const struct target *t) {
  struct proc_status status;
  return !read_status(t, &status) || status.state == 'Z' || status.state == 'X';
}

/* /proc/PID does for a file descriptor of the process, since Linux 5.1. */
bool target_signal(const struct target *t, int signal) {
  if (syscall(SYS_pidfd_send_signal, t->proc, signal, NULL, 0) == 0) return true;
  bool unknown = errno == ENOSYS || errno == EPERM; /* containers tend to forbid new calls */
  return unknown && kill(t->pid, signal) == 0;
}

/* --- what stands against it for good ----------------------------------------------- */

static bool open_process(struct target *t, struct refusal *why) {
  char path[32];
  snprintf(path, sizeof path, "/proc/%d", (int)t->pid);
  t->proc = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  return t->proc >= 0 || refuse(why, "there is no process %d", (int)t->pid);
}

static bool know(struct target *t, struct proc_status *status, struct refusal *why) {
  int pid = (int)t->pid;
  if (!read_status(t, status)) return refuse(why, "there is no process %d any more", pid);
  if (status->process != t->pid) {
    return refuse(why, "%d is a thread of process %d", pid, (int)status->process);
  }
  if (strchr("ZX", status->state) != NULL) return refuse(why, "process %d has ended", pid);
  if (status->state == 'T') {
    return refuse(why, "process %d is stopped; kill -CONT %d lets it go on", pid, pid);
  }
  if (status->state == 't') return refuse(why, "process %d is held by a debugger", pid);
  t->inner_pid = status->inner_pid;
  t->user = (struct user){status->uid, status->gid};
  return true;
}

static bool may(const struct target *t, struct refusal *why) {
  uid_t us = geteuid();
  if (us == 0 || us == t->user.uid) return true;
  return refuse(why, "process %d belongs to user %u; only that user and root may attach to it",
                (int)t->pid, (unsigned)t->user.uid);
}

/* Such a JVM prints the stacks of its threads when it gets the signal. */
static bool lets_attach(const struct target *t, struct refusal *why) {
  struct builder b = {0};
  target_read(t, "cmdline", &b);
  bool disabled = proc_flag((struct span){b.data, b.len}, "DisableAttachMechanism");
  builder_free(&b);
  if (!disabled) return true;
  return refuse(why, "process %d was started with -XX:+DisableAttachMechanism", (int)t->pid);
}

/* --- what may become right in a moment --------------------------------------------- */

static bool has_library(const struct target *t, struct refusal *why) {
  struct builder b = {0};
  struct span path;
  bool hotspot = false, openj9 = false;
  if (!target_read(t, "maps", &b)) {
    refuse(why, "cannot look into process %d: %s", (int)t->pid, strerror(errno));
    builder_free(&b);
    return false;
  }
  struct span rest = {b.data, b.len};
  while (proc_next_mapping(&rest, &path)) {
    struct span name = proc_file_name(path);
    hotspot |= span_is(name, "libjvm.so");
    openj9 |= span_starts(name, "libj9vm");
  }
  builder_free(&b);
  if (openj9) return refuse(why, "process %d is an OpenJ9 JVM; Orca needs HotSpot", (int)t->pid);
  return hotspot || refuse(why, "process %d is not a JVM", (int)t->pid);
}

/* Who does not handle SIGQUIT dies of it. */
static bool handles_quit(const struct target *t, const struct proc_status *status,
                         struct refusal *why) {
  if ((status->caught >> (SIGQUIT - 1) & 1) != 0) return true;
  return refuse(why, "process %d cannot be attached to: its JVM was started with -Xrs",
                (int)t->pid);
}

static bool is_young(const struct target *t, uint64_t young_ms) {
  struct builder b = {0};
  struct timespec now;
  uint64_t start = 0;
  uint64_t per_second = (uint64_t)sysconf(_SC_CLK_TCK);
  bool known = target_read(t, "stat", &b) && proc_start_read((struct span){b.data, b.len}, &start);
  builder_free(&b);
  clock_gettime(CLOCK_BOOTTIME, &now);
  uint64_t now_ms = (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
  return known && now_ms < start * 1000 / per_second + young_ms;
}

static bool become_ready(struct target *t, const struct bounded_wait *w, struct refusal *why) {
  struct proc_status status;
  for (;;) {
    if (!know(t, &status, why) || !may(t, why) || !lets_attach(t, why)) return false;
    if (has_library(t, why) && handles_quit(t, &status, why)) return true;
    if (!is_young(t, w->patience.young)) return false;
    if (!bounded_wait_sleep(w, POLL_MS)) return refuse(why, "interrupted");
  }
}

/* --- where it lives ------------------------------------------------------------------ */

static bool same_as_ours(const struct target *t, const char *name) {
  char ours[32];
  struct stat their_st, our_st;
  snprintf(ours, sizeof ours, "/proc/self/%s", name);
  int fd = open_any(t, name, O_PATH);
  if (fd < 0) return false;
  bool same = fstat(fd, &their_st) == 0 && stat(ours, &our_st) == 0 &&
              their_st.st_dev == our_st.st_dev && their_st.st_ino == our_st.st_ino;
  close(fd);
  return same;
}

static bool open_tmp(struct target *t, struct refusal *why) {
  t->same_files = same_as_ours(t, "ns/mnt") && same_as_ours(t, "root");
  t->tmp = target_open_file(t, "/tmp", O_PATH | O_DIRECTORY);
  return t->tmp >= 0 ||
         refuse(why, "cannot reach /tmp of process %d: %s", (int)t->pid, strerror(errno));
}

bool target_open(struct target *t, pid_t pid, const struct bounded_wait *w, struct refusal *why) {
  *t = (struct target){.pid = pid, .proc = -1, .tmp = -1};
  if (open_process(t, why) && become_ready(t, w, why) && open_tmp(t, why)) return true;
  target_close(t);
  return false;
}

void target_close(struct target *t) {
  if (t->tmp >= 0) close(t->tmp);
  if (t->proc >= 0) close(t->proc);
  t->tmp = t->proc = -1;
}
