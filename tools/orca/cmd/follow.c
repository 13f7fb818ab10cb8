#include "tools/orca/cmd/follow.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "agent/base/clock.h"
#include "agent/base/log.h"
#include "agent/event/info.h"
#include "tools/orca/cmd/args.h"
#include "tools/orca/cmd/commands.h"
#include "tools/orca/cmd/writing_process.h"
#include "tools/orca/dump/lines.h"

/* The writer keeps lines for 100 ms, and those of owners=late for 25 ms more. */
#define WRITER_NS (400 * NS_PER_MS)

/* While the writer begins the next set, nobody seems to write; on a busy machine that takes a
 * while.
 */
#define GONE_NS (2 * NS_PER_S)

/* --- the prefix ------------------------------------------------------------------------------- */

/* Looks whether an open file of the process is the .orca of a recording; `path` receives its
   prefix. A process in a container has other paths. */
static bool is_events_file(int folder, const char *fd, char *path, size_t size) {
  ssize_t n = readlinkat(folder, fd, path, size - 1);
  const char *suffix = dump_suffixes[DUMP_EVENTS];
  size_t len = strlen(suffix);
  if (n < (ssize_t)len + 1 || path[0] != '/') return false;
  path[n] = '\0';
  if (strcmp(path + n - len, suffix) != 0) return false;
  path[(size_t)n - len] = '\0';
  return true;
}

static bool find_prefix(pid_t pid, char *path, size_t size) {
  char folder[64];
  bool found = false;
  snprintf(folder, sizeof folder, "/proc/%d/fd", (int)pid);
  DIR *dir = opendir(folder);
  if (dir == NULL) return false;
  for (struct dirent *entry; !found && (entry = readdir(dir)) != NULL;) {
    pid_t writer;
    struct refusal why;
    found = is_events_file(dirfd(dir), entry->d_name, path, size) &&
            writing_process(path, &writer, &why);
  }
  closedir(dir);
  return found;
}

/* --- opening ---------------------------------------------------------------------------------- */

static ticks_t find_lag(const struct dump *d) {
  return (WRITER_NS + dump_coverage(d)->threshold_ns) * TICKS_PER_NS;
}

#define BEGIN_STEPS 100 /* times BEGIN_STEP_NS: how long a recording may take to begin */
#define BEGIN_STEP_NS (50 * NS_PER_MS)

static bool make_path(const char *prefix, enum dump_file file, char path[PATH_MAX]) {
  return snprintf(path, PATH_MAX, "%s%s", prefix, dump_suffixes[file]) < PATH_MAX;
}

static bool has_file(const char *prefix, enum dump_file file) {
  char path[PATH_MAX];
  struct stat st;
  return make_path(prefix, file, path) && stat(path, &st) == 0;
}

/* Returns whether .info contains start.utc. The agent writes start.monotonic in the line before. */
static bool has_start(const char *prefix) {
  char path[PATH_MAX];
  const char *why;
  struct span line, key, value;
  bool found = false;
  struct lines *l = make_path(prefix, DUMP_INFO, path) ? lines_open(path, &why) : NULL;
  while (l != NULL && !found && lines_next(l, &line) == LINES_LINE)
    found = info_line_read(line, &key, &value) == NULL && info_key_find(key) == INFO_START_UTC;
  if (l != NULL) lines_close(l);
  return found;
}

/* The agent makes .info first, .orca a moment later, and then writes the first lines of .info. */
static void wait_for_begin(const char *prefix) {
  for (int i = 0; i < BEGIN_STEPS && has_file(prefix, DUMP_INFO); i++) {
    if (sets_exist(prefix) || (has_file(prefix, DUMP_EVENTS) && has_start(prefix))) return;
    nanosleep(&(struct timespec){.tv_nsec = BEGIN_STEP_NS}, NULL);
  }
}

/* A recording without a start would begin at time 0 of CLOCK_MONOTONIC, when the machine started.
 */
static bool has_times(const struct follow *f, const char *command) {
  struct span text;
  ticks_t start;
  const char *prefix = dump_prefix(f->open.dump);
  if (dump_info(f->open.dump, INFO_START_MONOTONIC, &text) && text_parse_ticks(text, &start))
    return true;
  log_line("%s: %s.info has no valid start.monotonic; see orca check %s", command, prefix, prefix);
  return false;
}

int follow_open(struct follow *f, const char *command, const char *name) {
  char path[PATH_MAX];
  pid_t pid;
  *f = (struct follow){.state = FOLLOW_GROWS};
  if (args_pid(name, &pid)) {
    if (!find_prefix(pid, path, sizeof path)) {
      log_line("%s: process %s writes no recording that this user can read", command, name);
      return MISUSED;
    }
    name = path;
  }
  wait_for_begin(name);
  if (!dump_command_open(&f->open, name)) return MISUSED;
  if (!has_times(f, command)) {
    dump_command_close(&f->open);
    return MISUSED;
  }
  dump_set_read_callback(f->open.dump, (struct read_callback){0});
  f->lag = find_lag(f->open.dump);
  if (live_start(&f->live, f->open.dump)) return DONE;
  log_line("%s: out of memory", command);
  follow_close(f);
  return WRONG;
}

void follow_close(struct follow *f) {
  live_free(&f->live);
  dump_command_close(&f->open);
}

/* --- reading ---------------------------------------------------------------------------------- */

/* The end of a recording whose writer was killed, or whose .info does not tell: when the last of
   its files was written. */
static ticks_t find_last_write(const struct follow *f) {
  const struct dump *d = f->open.dump;
  uint64_t last_ns = 0, start_ns = dump_utc_ns(d, f->live.start);
  for (int i = 0; i < 2; i++) {
    struct builder path = {0};
    struct stat st;
    sets_path(dump_sets(d), dump_sets(d)->num - 1, i == 0 ? DUMP_EVENTS : DUMP_SAMPLES, &path);
    if (!path.failed && stat(path.data, &st) == 0) {
      uint64_t ns = (uint64_t)st.st_mtim.tv_sec * NS_PER_S + (uint64_t)st.st_mtim.tv_nsec;
      if (ns > last_ns) last_ns = ns;
    }
    builder_free(&path);
  }
  return f->live.start + (last_ns > start_ns ? last_ns - start_ns : 0) * TICKS_PER_NS;
}

static bool find_end(struct follow *f, enum dump_growth growth, ticks_t now, ticks_t *out) {
  struct span text;
  pid_t writer;
  struct refusal why;
  bool has_ended = growth == DUMP_HAS_ENDED;
  if (has_ended && dump_info(f->open.dump, INFO_END_MONOTONIC, &text) &&
      text_parse_ticks(text, out))
    return true;
  bool is_written = !has_ended && dump_pack(f->open.dump) == NULL &&
                    writing_process(dump_prefix(f->open.dump), &writer, &why);
  if (is_written) f->written = now;
  if (has_ended) f->written = 0;
  if (f->written != 0 && now - f->written < GONE_NS * TICKS_PER_NS) return false;
  *out = find_last_write(f);
  return true;
}

enum follow_state follow_step(struct follow *f) {
  ticks_t now = clock_monotonic_ns() * TICKS_PER_NS, end = 0;
  if (f->state != FOLLOW_GROWS) return f->state;
  enum dump_growth growth = dump_refresh(f->open.dump);
  if (growth == DUMP_IS_REPLACED || growth == DUMP_NO_MEMORY)
    return f->state = growth == DUMP_NO_MEMORY ? FOLLOW_NO_MEMORY : FOLLOW_REPLACED;
  bool is_end = find_end(f, growth, now, &end);
  if (!is_end) end = now > f->lag ? now - f->lag : 0;
  if (!live_advance(&f->live, end, is_end)) return f->state = FOLLOW_NO_MEMORY;
  return f->state = is_end ? FOLLOW_ENDED : FOLLOW_GROWS;
}
