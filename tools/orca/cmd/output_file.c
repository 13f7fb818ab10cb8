#include "tools/orca/cmd/output_file.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent/base/log.h"
#include "tools/orca/cmd/dump_command.h"

static bool is_output_file(const struct stat *output, const char *path) {
  struct stat file;
  return stat(path, &file) == 0 && file.st_dev == output->st_dev && file.st_ino == output->st_ino;
}

static bool is_file_of_set(const struct sets *sets, size_t at, const struct stat *output) {
  bool found = false;
  for (int file = 0; file < NUM_DUMP_FILES; file++) {
    struct builder path = {0};
    sets_path(sets, at, (enum dump_file)file, &path);
    found |= !path.failed && is_output_file(output, path.data);
    builder_free(&path);
  }
  return found;
}

static bool is_file_of_dump(const struct dump *d, const char *path) {
  const struct sets *sets = dump_sets(d);
  struct stat output;
  bool found = false;
  if (stat(path, &output) != 0) return false;
  for (size_t at = 0; at < sets->num; at++) found |= is_file_of_set(sets, at, &output);
  return found;
}

/* Prints the reason and returns NULL on an error. */
static FILE *open_output(const char *command, const struct dump *d, const char *name) {
  if (strcmp(name, "-") == 0) return stdout;
  if (is_file_of_dump(d, name)) {
    log_line("%s: -o must not be %s, which is a file of the recording", command, name);
    return NULL;
  }
  FILE *file = fopen(name, "we");
  if (file == NULL) log_line("%s: cannot write %s: %s", command, name, strerror(errno));
  return file;
}

static bool close_output(struct output *o, bool ok) {
  if (o->file == stdout || fclose(o->file) == 0) return ok;
  if (ok) o->error = errno;
  return false;
}

static void print_error(const char *command, const char *name, const struct output *o) {
  if (o->error == 0) {
    log_line("%s: out of memory", command);
  } else if (o->file != stdout) {
    log_line("%s: cannot write %s: %s", command, name, strerror(o->error));
  }
}

int output_file_write(const char *command, struct dump *d, const char *name,
                      bool (*write)(struct output *o, void *arg), void *arg) {
  struct output o = {.file = open_output(command, d, name)};
  if (o.file == NULL) return MISUSED;
  if (o.file == stdout && isatty(STDOUT_FILENO)) {
    dump_set_read_callback(d, (struct read_callback){NULL, NULL});
  }
  bool ok = close_output(&o, write(&o, arg) && output_end(&o));
  if (!ok) print_error(command, name, &o);
  output_free(&o);
  return ok ? DONE : WRONG;
}
