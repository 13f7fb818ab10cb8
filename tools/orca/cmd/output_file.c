#include "tools/orca/cmd/output_file.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent/base/log.h"
#include "tools/orca/cmd/dump_command.h"

static bool is_same(const struct stat *it, const char *path) {
  struct stat file;
  return stat(path, &file) == 0 && file.st_dev == it->st_dev && file.st_ino == it->st_ino;
}

static bool is_of_set(const struct sets *sets, size_t at, const struct stat *it) {
  bool is = false;
  for (int file = 0; file < NUM_DUMP_FILES; file++) {
    struct builder path = {0};
    sets_path(sets, at, (enum dump_file)file, &path);
    is |= !path.failed && is_same(it, path.data);
    builder_free(&path);
  }
  return is;
}

static bool is_of_dump(const struct dump *d, const char *path) {
  const struct sets *sets = dump_sets(d);
  struct stat it;
  bool is = false;
  if (stat(path, &it) != 0) return false;
  for (size_t at = 0; at < sets->num; at++) is |= is_of_set(sets, at, &it);
  return is;
}

/* NULL where it cannot be: why is said. */
static FILE *open_file(const char *command, const struct dump *d, const char *name) {
  if (strcmp(name, "-") == 0) return stdout;
  if (is_of_dump(d, name)) {
    log_line("%s: -o takes a new file, not %s, which is a file of the recording", command, name);
    return NULL;
  }
  FILE *file = fopen(name, "we");
  if (file == NULL) log_line("%s: cannot write %s: %s", command, name, strerror(errno));
  return file;
}

static bool close_file(struct output *o, bool good) {
  if (o->file == stdout || fclose(o->file) == 0) return good;
  if (good) o->error = errno;
  return false;
}

static void say_why(const char *command, const char *name, const struct output *o) {
  if (o->error == 0) {
    log_line("%s: needs more memory than there is", command);
  } else if (o->file != stdout) {
    log_line("%s: cannot write %s: %s", command, name, strerror(o->error));
  }
}

int output_file(const char *command, struct dump *d, const char *name,
                bool (*write)(struct output *o, void *arg), void *arg) {
  struct output o = {.file = open_file(command, d, name)};
  if (o.file == NULL) return MISUSED;
  if (o.file == stdout && isatty(STDOUT_FILENO)) dump_set_read_callback(d, (struct read_callback){NULL, NULL});
  bool good = close_file(&o, write(&o, arg) && output_end(&o));
  if (!good) say_why(command, name, &o);
  output_free(&o);
  return good ? DONE : WRONG;
}
