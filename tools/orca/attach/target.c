#include "tools/orca/attach/target.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "tools/orca/attach/executable.h"
#include "tools/orca/attach/jvm_flag.h"
#include "tools/orca/attach/proc.h"

#define POLL_MS 50 /* between two checks of a process that may be starting */

/* --- its user -------------------------------------------------------------------------------- */

bool user_become(struct user user, struct user *out_before) {
  *out_before = (struct user){geteuid(), getegid()};
  if (out_before->uid != 0) return true;
  /* Some containers forbid it; their processes have no supplementary groups. */
  (void)!setgroups(0, NULL);
  if (setegid(user.gid) == 0 && seteuid(user.uid) == 0) return true;
  int error = errno;
  user_return(*out_before);
  errno = error;
  return false;
}

/* Restores the uid first, because only root may change the group. */
void user_return(struct user before) {
  if (before.uid != 0) return;
  int error = errno;
  (void)!seteuid(before.uid);
  (void)!setegid(before.gid);
  errno = error;
}

/* --- files of /proc/PID ---------------------------------------------------------- */

int target_open_proc(const struct target *t, const char *path, int flags) {
  struct user before;
  int fd = openat(t->proc, path, flags | O_CLOEXEC);
  if (fd >= 0 || (errno != EACCES && errno != EPERM)) return fd;
  if (!user_become(t->user, &before)) return -1;
  fd = openat(t->proc, path, flags | O_CLOEXEC);
  user_return(before);
  return fd;
}

bool target_read(const struct target *t, const char *name, struct builder *b) {
  int fd = target_open_proc(t, name, O_RDONLY);
  if (fd < 0) return false;
  ssize_t n;
  do {
    char *room = builder_room(b, 4096);
    n = room == NULL ? -1 : read(fd, room, 4096);
    if (n > 0) b->len += (size_t)n;
  } while (n > 0 || (n < 0 && errno == EINTR));
  int error = errno;
  close(fd);
  errno = error;
  return n == 0;
}

int target_open_file(const struct target *t, const char *path, int flags) {
  char below[PATH_MAX];
  int len = snprintf(below, sizeof below, "root%s", path);
  if (len < (int)sizeof below) return target_open_proc(t, below, flags);
  errno = ENAMETOOLONG;
  return -1;
}

static bool read_status(const struct target *t, struct proc_status *out) {
  struct builder b = {0};
  bool ok = target_read(t, "status", &b) && proc_status_read((struct span){b.data, b.len}, out);
  builder_free(&b);
  return ok;
}

bool target_has_ended(const struct target *t) {
  struct proc_status status;
  return !read_status(t, &status) || status.state == 'Z' || status.state == 'X';
}

/* A descriptor of /proc/PID is a valid pidfd since Linux 5.1. */
bool target_signal(const struct target *t, int signal) {
  if (syscall(SYS_pidfd_send_signal, t->proc, signal, NULL, 0) == 0) return true;
  bool is_unavailable = errno == ENOSYS || errno == EPERM; /* EPERM: a container forbids it */
  return is_unavailable && kill(t->pid, signal) == 0;
}

/* --- permanent obstacles ----------------------------------------------------------- */

static bool open_process(struct target *t, struct refusal *why) {
  char path[32];
  snprintf(path, sizeof path, "/proc/%d", (int)t->pid);
  t->proc = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  return t->proc >= 0 || refuse(why, "there is no process %d", (int)t->pid);
}

static bool check_state(struct target *t, struct proc_status *status, struct refusal *why) {
  int pid = (int)t->pid;
  if (!read_status(t, status)) return refuse(why, "there is no process %d any more", pid);
  if (status->process != t->pid) {
    return refuse(why, "%d is a thread of process %d", pid, (int)status->process);
  }
  if (strchr("ZX", status->state) != NULL) return refuse(why, "process %d has ended", pid);
  if (status->state == 'T') {
    return refuse(why, "process %d is stopped; resume it with kill -CONT %d", pid, pid);
  }
  if (status->state == 't') return refuse(why, "process %d is stopped by a debugger", pid);
  t->inner_pid = status->inner_pid;
  t->user = (struct user){status->uid, status->gid};
  return true;
}

static bool check_user(const struct target *t, struct refusal *why) {
  uid_t our_uid = geteuid();
  if (our_uid == 0 || our_uid == t->user.uid) return true;
  return refuse(why, "process %d belongs to user %u; only that user and root may attach to it",
                (int)t->pid, (unsigned)t->user.uid);
}

/* With this flag the JVM answers SIGQUIT with the stacks of its threads. */
static bool check_attach_flag(const struct target *t, struct refusal *why) {
  const char *where;
  if (!jvm_flag_is_on(t, "DisableAttachMechanism", &where)) return true;
  return refuse(why,
                "process %d was started with -XX:+DisableAttachMechanism%s%s; only -agentpath can "
                "record it",
                (int)t->pid, where[0] == '\0' ? "" : " in ", where);
}

/* --- obstacles while the process starts --------------------------------------------- */

/* The attempt to load the agent into such a JVM would only make the JVM print warnings. */
static bool check_executable(const struct target *t, bool has_musl, struct refusal *why) {
  const char *obstacle = has_musl ? EXECUTABLE_HAS_MUSL : NULL;
  int fd = target_open_proc(t, "exe", O_RDONLY);
  if (fd >= 0 && obstacle == NULL) obstacle = executable_find_obstacle(fd);
  if (fd >= 0) close(fd);
  return obstacle == NULL || refuse(why, "the JVM of process %d %s", (int)t->pid, obstacle);
}

static bool check_libjvm(const struct target *t, struct refusal *why) {
  struct builder b = {0};
  struct span path;
  bool is_hotspot = false, is_openj9 = false, has_musl = false;
  if (!target_read(t, "maps", &b)) {
    refuse(why, "cannot read the mappings of process %d: %s", (int)t->pid, strerror(errno));
    builder_free(&b);
    return false;
  }
  struct span rest = {b.data, b.len};
  while (proc_next_mapping(&rest, &path)) {
    struct span name = proc_file_name(path);
    is_hotspot |= span_is(name, "libjvm.so");
    is_openj9 |= span_starts(name, "libj9vm");
    has_musl |= ORCA_HAS_GLIBC && span_starts(name, "ld-musl-");
  }
  builder_free(&b);
  if (is_openj9) return refuse(why, "process %d is an OpenJ9 JVM; Orca needs HotSpot", (int)t->pid);
  if (!is_hotspot) {
    return refuse(why, "process %d is not a JVM (a native image of GraalVM is none either)",
                  (int)t->pid);
  }
  return check_executable(t, has_musl, why);
}

/* SIGQUIT ends a process without a handler for it. */
static bool check_quit_handler(const struct target *t, const struct proc_status *status,
                               struct refusal *why) {
  if ((status->caught >> (SIGQUIT - 1) & 1) != 0) return true;
  return refuse(why, "process %d cannot be attached to: its JVM was started with -Xrs",
                (int)t->pid);
}

bool target_is_young(const struct target *t, uint64_t young_ms) {
  struct builder b = {0};
  struct timespec now;
  uint64_t start = 0;
  uint64_t per_second = (uint64_t)sysconf(_SC_CLK_TCK);
  bool is_known =
      target_read(t, "stat", &b) && proc_start_read((struct span){b.data, b.len}, &start);
  builder_free(&b);
  clock_gettime(CLOCK_BOOTTIME, &now);
  uint64_t now_ms = (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
  return is_known && now_ms < start * 1000 / per_second + young_ms;
}

static bool wait_until_ready(struct target *t, const struct bounded_wait *w, struct refusal *why) {
  struct proc_status status = {0};
  for (;;) {
    if (!check_state(t, &status, why) || !check_user(t, why) || !check_attach_flag(t, why)) {
      return false;
    }
    if (check_libjvm(t, why) && check_quit_handler(t, &status, why)) return true;
    if (!target_is_young(t, w->limits.startup)) return false;
    if (!bounded_wait_sleep(w, POLL_MS)) return refuse(why, "interrupted");
  }
}

/* --- its file system ----------------------------------------------------------------- */

static bool is_shared(const struct target *t, const char *name) {
  char our_path[32];
  struct stat their_st, our_st;
  snprintf(our_path, sizeof our_path, "/proc/self/%s", name);
  int fd = target_open_proc(t, name, O_PATH);
  if (fd < 0) return false;
  bool is_same = fstat(fd, &their_st) == 0 && stat(our_path, &our_st) == 0 &&
                 their_st.st_dev == our_st.st_dev && their_st.st_ino == our_st.st_ino;
  close(fd);
  return is_same;
}

static bool open_tmp(struct target *t, struct refusal *why) {
  t->shares_files = is_shared(t, "ns/mnt") && is_shared(t, "root");
  t->tmp = target_open_file(t, "/tmp", O_PATH | O_DIRECTORY);
  return t->tmp >= 0 ||
         refuse(why, "cannot reach /tmp of process %d: %s", (int)t->pid, strerror(errno));
}

bool target_open(struct target *t, pid_t pid, const struct bounded_wait *w, struct refusal *why) {
  *t = (struct target){.pid = pid, .proc = -1, .tmp = -1};
  if (open_process(t, why) && wait_until_ready(t, w, why) && open_tmp(t, why)) return true;
  target_close(t);
  return false;
}

void target_close(struct target *t) {
  if (t->tmp >= 0) close(t->tmp);
  if (t->proc >= 0) close(t->proc);
  t->tmp = t->proc = -1;
}
