#include "agent/writer/claim.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "agent/writer/set_files.h"

/* A run, and whether a recording of it was found. */
struct search {
  const char *run;
  bool found;
};

/* The key `run` is among the first lines of .info, which are short. */
static bool is_of_run(const char *path, const char *run) {
  char start[512], line[256];
  int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  ssize_t n = fd < 0 ? -1 : read(fd, start, sizeof start - 1);
  if (fd >= 0) close(fd);
  start[n < 0 ? 0 : n] = '\0';
  snprintf(line, sizeof line, "\nrun=%s\n", run);
  return strstr(start, line) != NULL;
}

static bool search_finished_set(void *arg, const char *path) {
  struct search *s = arg;
  size_t len = strlen(path), suffix = strlen(file_suffixes[FILE_INFO]);
  bool is_info = len > suffix && strcmp(path + len - suffix, file_suffixes[FILE_INFO]) == 0;
  s->found = is_info && is_of_run(path, s->run);
  return !s->found;
}

/* Must not make .info while another JVM of the run switches to its next set of files: it has
   renamed its .info and makes the next one. Its finished set is there then. */
static bool lock_info(struct dump_file *info, const char *prefix, const char *run) {
  const char *suffix = file_suffixes[FILE_INFO];
  if (run == NULL) return dump_file_lock(info, prefix, suffix, true);
  if (dump_file_lock(info, prefix, suffix, false)) return true;
  if (errno != ENOENT) return false;
  struct search s = {.run = run};
  set_files_visit(prefix, search_finished_set, &s);
  if (!s.found) return dump_file_lock(info, prefix, suffix, true);
  errno = EWOULDBLOCK;
  return false;
}

bool claim_info(struct dump_file *info, const char *prefix, const char *run) {
  if (!lock_info(info, prefix, run)) return false;
  if (run == NULL || !is_of_run(info->path, run)) return true;
  errno = EWOULDBLOCK;
  return false;
}
