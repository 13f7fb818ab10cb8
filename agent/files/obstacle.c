#include "agent/files/obstacle.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include "agent/base/clock.h"
#include "agent/base/log.h"

#define ROOM_RETRY_NS (50 * NS_PER_MS) /* between two attempts to write to a full disk */
#define RETRY_NS NS_PER_S              /* the same for other obstacles */

enum obstacle { OBSTACLE_NONE, OBSTACLE_FULL, OBSTACLE_DEVICE, OBSTACLE_SIZE };

static enum obstacle find_obstacle(int why) {
  switch (why) {
    case ENOSPC:
    case EDQUOT:
      return OBSTACLE_FULL;
    case EIO: /* from here on: a device or a server that may come back, with this file */
    case EREMOTEIO:
    case EROFS: /* ext4 becomes read-only after an error */
    case ETIMEDOUT:
      return OBSTACLE_DEVICE;
    case EFBIG:
      return OBSTACLE_SIZE;
    default:
      return OBSTACLE_NONE;
  }
}

/* --- reports --------------------------------------------------------------------------------- */

/* Returns whether this is the first time in the recording. */
static bool claim_report(struct output *o, enum obstacle obstacle) {
  bool is_first = (o->reported >> obstacle & 1) == 0;
  o->reported |= 1u << obstacle;
  return is_first;
}

bool obstacle_is_reported(const struct output *o, int why) {
  return (o->reported >> find_obstacle(why) & 1) != 0;
}

static void format_limit(char *out, size_t size) {
  struct rlimit limit;
  bool is_limited = getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
  if (is_limited) {
    snprintf(out, size, "a file may have %llu bytes (ulimit -f)",
             (unsigned long long)limit.rlim_cur);
  } else {
    snprintf(out, size, "the file system has no larger files");
  }
}

static void report_wait(const struct dump_file *f, enum obstacle obstacle, bool is_room_made) {
  int why = errno;
  char limit[80] = "";
  const char *until = "there is room";
  if (obstacle == OBSTACLE_DEVICE) until = "the device takes them again";
  if (obstacle == OBSTACLE_SIZE) {
    format_limit(limit, sizeof limit);
    until = "it may be larger; the option maxsize makes several smaller files";
  }
  if (is_room_made) {
    log_line("cannot write %s: %s; the oldest sets of files are deleted for it", f->path,
             strerror(why));
  } else {
    log_line(
        "cannot write %s: %s%s%s; the program goes on, and events are dropped and counted until %s",
        f->path, strerror(why), *limit == '\0' ? "" : ": ", limit, until);
  }
  errno = why;
}

void obstacle_report_cut(struct output *o, const struct dump_file *f) {
  char limit[80];
  if (!claim_report(o, OBSTACLE_SIZE)) return;
  format_limit(limit, sizeof limit);
  log_line(
      "cannot write %s: %s: %s; events are dropped and counted until the next set of files begins",
      f->path, strerror(EFBIG), limit);
}

/* --- going on -------------------------------------------------------------------------------- */

bool obstacle_cuts_set(const struct output *o, const struct dump_file *f, int why) {
  return find_obstacle(why) == OBSTACLE_SIZE && rotation_has_limits(&o->rotation) &&
         f != &o->files[FILE_INFO] && !f->lines.failed;
}

bool obstacle_wait(struct output *o, const struct dump_file *f) {
  int why = errno;
  enum obstacle obstacle = find_obstacle(why);
  bool is_hopeless = obstacle == OBSTACLE_NONE || f->lines.failed || obstacle_cuts_set(o, f, why);
  if (is_hopeless || o->failed || o->wait_for_room == NULL) return false;
  bool is_room_made = obstacle == OBSTACLE_FULL && rotation_delete_for_room(&o->rotation);
  errno = why;
  if (claim_report(o, obstacle)) report_wait(f, obstacle, is_room_made);
  if (is_room_made) return true;
  if (stall_begin(o->input->stall)) figure_add(&o->input->figures->writer_stalls, 1);
  uint64_t pause_ns = obstacle == OBSTACLE_FULL ? ROOM_RETRY_NS : RETRY_NS;
  bool goes_on = o->wait_for_room(o->statistics_arg, pause_ns);
  errno = why;
  return goes_on;
}
