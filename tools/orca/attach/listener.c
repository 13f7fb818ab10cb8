#include "tools/orca/attach/listener.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#define FIRST_DELAY_MS 10
#define MAX_DELAY_MS 500

/* --- the socket -------------------------------------------------------------------- */

/* SOCKET_REFUSED: `why` contains the reason, and waiting does not help. */
enum socket_state { SOCKET_OPEN, SOCKET_ABSENT, SOCKET_REFUSED };

static enum socket_state refuse_socket(struct refusal *why, const struct target *t,
                                       const char *fault) {
  refuse(why, "/tmp/.java_pid%d of process %d %s", (int)t->inner_pid, (int)t->pid, fault);
  return SOCKET_REFUSED;
}

/* A socket without a listener was left behind by an earlier process with the same pid. */
static enum socket_state connect_socket(int fd, const struct target *t, const char *name,
                                        struct refusal *why) {
  static const struct timeval full_queue = {.tv_sec = 5};
  struct sockaddr_un at = {.sun_family = AF_UNIX};
  snprintf(at.sun_path, sizeof at.sun_path, "/proc/self/fd/%d/%s", t->tmp, name);
  setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &full_queue, sizeof full_queue);
  if (connect(fd, (struct sockaddr *)&at, sizeof at) != 0) {
    if (errno == ECONNREFUSED || errno == ENOENT) return SOCKET_ABSENT;
    return refuse_socket(why, t, errno == EAGAIN ? "is busy" : strerror(errno));
  }
  /* With two containers that share a /tmp, the socket may belong to a process with the same pid in
     the other container. */
  struct ucred peer;
  socklen_t len = sizeof peer;
  bool is_target = getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &len) == 0 && peer.pid == t->pid;
  return is_target ? SOCKET_OPEN : refuse_socket(why, t, "belongs to another process");
}

static enum socket_state try_connect(const struct target *t, int *out_fd, struct refusal *why) {
  char name[32];
  snprintf(name, sizeof name, ".java_pid%d", (int)t->inner_pid);
  /* Any user can create a file of this name in /tmp. */
  struct stat st;
  if (fstatat(t->tmp, name, &st, AT_SYMLINK_NOFOLLOW) != 0) {
    return errno == ENOENT ? SOCKET_ABSENT : refuse_socket(why, t, strerror(errno));
  }
  if (!S_ISSOCK(st.st_mode)) return refuse_socket(why, t, "is not a socket of the JVM");
  if (st.st_uid != t->user.uid) {
    return refuse_socket(why, t, "belongs to another user than the process");
  }
  int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0) return refuse_socket(why, t, strerror(errno));
  enum socket_state state = connect_socket(fd, t, name, why);
  if (state == SOCKET_OPEN) {
    *out_fd = fd;
  } else {
    close(fd);
  }
  return state;
}

/* --- making the JVM open the socket --------------------------------------------------- */

static bool send_quit(const struct target *t, struct refusal *why) {
  if (target_signal(t, SIGQUIT)) return true;
  return refuse(why, "cannot signal process %d: %s", (int)t->pid, strerror(errno));
}

/* Sends SIGQUIT and then polls with growing delays. A JVM that was still starting may have missed
   the signal, so it gets a second one after half of the time. Another JVM gets only one, because it
   may have answered with the stacks of its threads. */
static bool wait_for_socket(const struct target *t, const struct bounded_wait *w, int *out_fd,
                            struct refusal *why) {
  uint64_t waited = 0, delay = FIRST_DELAY_MS, limit = w->limits.socket;
  enum socket_state state = SOCKET_ABSENT;
  bool was_starting = target_is_young(t, w->limits.startup);
  if (!send_quit(t, why)) return false;
  while (state == SOCKET_ABSENT && waited < limit && !target_has_ended(t)) {
    bool is_first_half = waited < limit / 2;
    if (!bounded_wait_sleep(w, delay)) return refuse(why, "interrupted");
    waited += delay;
    delay = delay * 2 < MAX_DELAY_MS ? delay * 2 : MAX_DELAY_MS;
    state = try_connect(t, out_fd, why);
    bool is_half_time = was_starting && is_first_half && waited >= limit / 2;
    if (state == SOCKET_ABSENT && is_half_time && !send_quit(t, why)) return false;
  }
  if (state != SOCKET_ABSENT) return state == SOCKET_OPEN;
  if (target_has_ended(t)) return refuse(why, "process %d has ended", (int)t->pid);
  return refuse(
      why,
      "the JVM of process %d did not open its attach socket within %.0f s; it is too busy, "
      "or was started with -XX:+DisableAttachMechanism",
      (int)t->pid, (double)limit / 1000);
}

/* On SIGQUIT the JVM opens the attach socket if the file .attach_pid exists; otherwise it prints
   the stacks of all threads. The JVM looks first in its working directory, then in /tmp. The file
   is created in /tmp, because the working directory changes for a moment while the JVM starts. */
bool listener_connect(const struct target *t, const struct bounded_wait *w, int *out_fd,
                      struct refusal *why) {
  enum socket_state state = try_connect(t, out_fd, why);
  if (state != SOCKET_ABSENT) return state == SOCKET_OPEN;
  char name[32];
  snprintf(name, sizeof name, ".attach_pid%d", (int)t->inner_pid);
  int fd = openat(t->tmp, name, O_CREAT | O_WRONLY | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (fd < 0) {
    return refuse(why, "cannot create /tmp/%s of process %d: %s", name, (int)t->pid,
                  strerror(errno));
  }
  struct stat st;
  bool is_valid = fstat(fd, &st) == 0 && st.st_uid == t->user.uid; /* else the JVM ignores it */
  close(fd);
  if (!is_valid) {
    return refuse(why, "/tmp/%s of process %d belongs to another user", name, (int)t->pid);
  }
  bool ok = wait_for_socket(t, w, out_fd, why);
  unlinkat(t->tmp, name, 0);
  return ok;
}
