#include "tools/orca/cmd/writing_process.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#include "agent/base/text.h"
#include "agent/event/info.h"
#include "tools/orca/dump/lines.h"

#define MAX_TRIES 20 /* to find .info while the writer begins the next set */
#define RETRY_NS 5000000

/* Returns whether a process holds the lock of the file. */
static bool is_locked(int fd) {
  bool is_free = flock(fd, LOCK_SH | LOCK_NB) == 0;
  if (is_free) flock(fd, LOCK_UN);
  return !is_free && errno == EWOULDBLOCK;
}

/* Opens PREFIX.info if a process writes it. -1: none does, or the file cannot be opened, with
   errno. While the writer begins the next set, there is no such file for a moment. */
static int open_written(const char *path) {
  const struct timespec delay = {.tv_nsec = RETRY_NS};
  int fd = -1;
  for (int i = 0; i < MAX_TRIES; i++) {
    fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd >= 0 && is_locked(fd)) return fd;
    if (fd >= 0) close(fd);
    if (fd < 0 && errno != ENOENT) return -1;
    if (i + 1 < MAX_TRIES) nanosleep(&delay, NULL);
  }
  errno = fd < 0 ? ENOENT : 0;
  return -1;
}

/* Returns the value of the key `pid`; 0: it is missing. */
static pid_t read_pid(const char *path) {
  const char *why;
  int64_t pid = 0;
  struct span line, key, value;
  struct lines *l = lines_open(path, &why);
  while (l != NULL && pid == 0 && lines_next(l, &line) == LINES_LINE) {
    bool is_pid = info_line_read(line, &key, &value) == NULL && info_key_find(key) == INFO_PID;
    if (is_pid && !text_parse_decimal(value, &pid)) pid = 0;
  }
  if (l != NULL) lines_close(l);
  return pid > 0 && pid <= INT_MAX ? (pid_t)pid : 0;
}

static bool find_process(const char *prefix, const char *path, pid_t *out, struct refusal *why) {
  int fd = open_written(path);
  if (fd < 0 && errno == ENOENT) return refuse(why, "there is no recording %s", prefix);
  if (fd < 0 && errno != 0) return refuse(why, "cannot read %s: %s", path, strerror(errno));
  if (fd < 0) {
    return refuse(why, "no process records into %s now; orca pack keeps a recording that has ended",
                  prefix);
  }
  *out = read_pid(path);
  close(fd);
  return *out != 0 || refuse(why, "%s does not say which process writes it; give the PID", path);
}

bool writing_process(const char *prefix, pid_t *out, struct refusal *why) {
  struct builder path = {0};
  builder_string(&path, prefix);
  builder_string(&path, ".info");
  builder_char(&path, '\0');
  bool good =
      path.failed ? refuse(why, "out of memory") : find_process(prefix, path.data, out, why);
  builder_free(&path);
  return good;
}
