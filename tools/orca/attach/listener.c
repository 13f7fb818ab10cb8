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

#define FIRST_PAUSE_MS 10
#define LONGEST_PAUSE_MS 500

/* --- the socket -------------------------------------------------------------------- */

enum door { OPEN, ABSENT, BARRED };

static enum door bar(struct refusal *why, const struct target *t, const char *fault) {
  refuse(why, "/tmp/.java_pid%d of process %d %s", (int)t->inner_pid, (int)t->pid, fault);
  return BARRED;
}

/* Anybody may put something of this name into /tmp. */
static enum door look(const struct target *t, const char *name, struct refusal *why) {
  struct stat st;
  if (fstatat(t->tmp, name, &st, AT_SYMLINK_NOFOLLOW) != 0) {
    return errno == ENOENT ? ABSENT : bar(why, t, strerror(errno));
  }
  if (!S_ISSOCK(st.st_mode)) return bar(why, t, "is no socket: something else put it there");
  if (st.st_uid != t->user.uid) return bar(why, t, "belongs to another user than the process");
  return OPEN;
}

/* Two containers that share a /tmp have processes of the same number. */
static bool is_target_behind(int fd, const struct target *t) {
  struct ucred peer;
  socklen_t len = sizeof peer;
  return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &len) == 0 && peer.pid == t->pid;
}

/* A socket that nobody listens at was left behind by an earlier process of this number. */
static enum door reach(int fd, const struct target *t, const char *name, struct refusal *why) {
  static const struct timeval full_queue = {.tv_sec = 5};
  struct sockaddr_un at = {.sun_family = AF_UNIX};
  snprintf(at.sun_path, sizeof at.sun_path, "/proc/self/fd/%d/%s", t->tmp, name);
  setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &full_queue, sizeof full_queue);
  if (connect(fd, (struct sockaddr *)&at, sizeof at) != 0) {
    if (errno == ECONNREFUSED || errno == ENOENT) return ABSENT;
    return bar(why, t, errno == EAGAIN ? "is busy" : strerror(errno));
  }
  return is_target_behind(fd, t) ? OPEN : bar(why, t, "is another process's");
}

static enum door knock(const struct target *t, int *out_fd, struct refusal *why) {
  char name[32];
  snprintf(name, sizeof name, ".java_pid%d", (int)t->inner_pid);
  enum door door = look(t, name, why);
  if (door != OPEN) return door;
  int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0) return bar(why, t, strerror(errno));
  door = reach(fd, t, name, why);
  if (door == OPEN) {
    *out_fd = fd;
  } else {
    close(fd);
  }
  return door;
}

/* --- asking for it ------------------------------------------------------------------- */

/* The file that tells the JVM's SIGQUIT from one that wants the stacks of all threads. The JVM
   looks for it in its working directory first; but while it starts that is another for a moment, so
   the file goes to the second place it looks at. */
struct trigger {
  char name[32];
};

/* Somebody else's file of this name the JVM would not heed. */
static bool is_its_own(int fd, const struct target *t) {
  struct stat st;
  return fstat(fd, &st) == 0 && st.st_uid == t->user.uid;
}

static bool trigger_put(struct trigger *trigger, const struct target *t, struct refusal *why) {
  int flags = O_CREAT | O_WRONLY | O_NOFOLLOW | O_CLOEXEC;
  snprintf(trigger->name, sizeof trigger->name, ".attach_pid%d", (int)t->inner_pid);
  int fd = openat(t->tmp, trigger->name, flags, 0600);
  if (fd < 0) {
    return refuse(why, "cannot create /tmp/%s of process %d: %s", trigger->name, (int)t->pid,
                  strerror(errno));
  }
  bool good = is_its_own(fd, t);
  close(fd);
  return good ||
         refuse(why, "/tmp/%s of process %d belongs to another user", trigger->name, (int)t->pid);
}

static void trigger_remove(const struct trigger *trigger, const struct target *t) {
  unlinkat(t->tmp, trigger->name, 0);
}

static bool quit(const struct target *t, struct refusal *why) {
  if (target_signal(t, SIGQUIT)) return true;
  return refuse(why, "cannot signal process %d: %s", (int)t->pid, strerror(errno));
}

static bool gave_up(const struct target *t, const struct bounded_wait *w, struct refusal *why) {
  if (target_ended(t)) return refuse(why, "process %d has ended", (int)t->pid);
  return refuse(why, "the JVM of process %d did not open its attach socket in %.0f s", (int)t->pid,
                (double)w->patience.wake / 1000);
}

/* Signals, and then looks ever less often. A JVM that was still starting may have missed the
   signal, so it gets another at half time. */
static bool await_door(const struct target *t, const struct bounded_wait *w, int *out_fd,
                       struct refusal *why) {
  uint64_t waited = 0, pause = FIRST_PAUSE_MS, wake = w->patience.wake;
  enum door door = ABSENT;
  if (!quit(t, why)) return false;
  while (door == ABSENT && waited < wake && !target_ended(t)) {
    bool first_half = waited < wake / 2;
    if (!bounded_wait_sleep(w, pause)) return refuse(why, "interrupted");
    waited += pause;
    pause = pause * 2 < LONGEST_PAUSE_MS ? pause * 2 : LONGEST_PAUSE_MS;
    door = knock(t, out_fd, why);
    bool half_time = first_half && waited >= wake / 2;
    if (door == ABSENT && half_time && !quit(t, why)) return false;
  }
  return door == OPEN || (door == ABSENT ? gave_up(t, w, why) : false);
}

bool listener_connect(const struct target *t, const struct bounded_wait *w, int *out_fd,
                      struct refusal *why) {
  struct trigger trigger;
  enum door door = knock(t, out_fd, why);
  if (door != ABSENT) return door == OPEN;
  if (!trigger_put(&trigger, t, why)) return false;
  bool good = await_door(t, w, out_fd, why);
  trigger_remove(&trigger, t);
  return good;
}
