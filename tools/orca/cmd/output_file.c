#include "tools/orca/cmd/output_file.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent/base/log.h"
#include "tools/orca/cmd/commands.h"

static bool is_file_of_dump(const struct dump *d, const char *name) {
  const struct sets *sets = dump_sets(d);
  struct stat output, recorded;
  bool found = false;
  if (stat(name, &output) != 0) return false;
  if (dump_pack(d) != NULL && stat(dump_pack(d), &recorded) == 0) {
    found = recorded.st_dev == output.st_dev && recorded.st_ino == output.st_ino;
  }
  for (size_t at = 0; at < sets->num; at++) {
    for (int file = 0; file < NUM_DUMP_FILES; file++) {
      struct builder path = {0};
      sets_path(sets, at, (enum dump_file)file, &path);
      found |= !path.failed && stat(path.data, &recorded) == 0 &&
               recorded.st_dev == output.st_dev && recorded.st_ino == output.st_ino;
      builder_free(&path);
    }
  }
  return found;
}

/* Prints the reason and returns NULL on an error. */
static FILE *open_output(const char *command, struct dump *const *dumps, size_t num,
                         const char *name) {
  if (strcmp(name, "-") == 0) return stdout;
  for (size_t i = 0; i < num; i++) {
    if (!is_file_of_dump(dumps[i], name)) continue;
    log_line("%s: the output must not be %s, which is a file of the recording", command, name);
    return NULL;
  }
  FILE *file = fopen(name, "we");
  if (file == NULL) log_line("%s: cannot write %s: %s", command, name, strerror(errno));
  return file;
}

int output_file_write(const char *command, struct dump *const *dumps, size_t num, const char *name,
                      bool (*write)(struct output *o, void *arg), void *arg) {
  struct output o = {.file = open_output(command, dumps, num, name)};
  if (o.file == NULL) return MISUSED;
  for (size_t i = 0; i < num && o.file == stdout && isatty(STDOUT_FILENO); i++) {
    dump_set_read_callback(dumps[i], (struct read_callback){NULL, NULL});
  }
  bool ok = write(&o, arg) && output_end(&o);
  if (o.file != stdout && fclose(o.file) != 0) {
    if (ok) o.error = errno;
    ok = false;
  }
  if (!ok && o.error == 0) {
    log_line("%s: %s", command, o.problem == NULL ? "out of memory" : o.problem);
  } else if (!ok && o.file != stdout) {
    log_line("%s: cannot write %s: %s", command, name, strerror(o.error));
  }
  output_free(&o);
  return ok ? DONE : WRONG;
}
