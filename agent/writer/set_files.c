#include "agent/writer/set_files.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "agent/base/memory.h"

static size_t prefix_len(const struct dump_file *f, enum file file) {
  return strlen(f->path) - strlen(file_suffixes[file]);
}

/* "PREFIX.0001.orca" */
static bool finished_path(const struct dump_file *f, enum file file, unsigned number, char *out,
                          size_t size) {
  int n = snprintf(out, size, "%.*s.%04u%s", (int)prefix_len(f, file), f->path, number,
                   file_suffixes[file]);
  bool fits = n > 0 && (size_t)n < size;
  if (!fits) errno = ENAMETOOLONG;
  return fits;
}

/* --- the next set ----------------------------------------------------------------------- */

static enum file rename_all(const struct dump_file files[], unsigned number) {
  char to[sizeof files[0].path];
  for (int i = 0; i < NUM_FILES; i++) {
    bool named = finished_path(&files[i], (enum file)i, number, to, sizeof to);
    if (!named || rename(files[i].path, to) != 0) return (enum file)i;
  }
  return NUM_FILES;
}

/* Opens them all, or none. */
static enum file open_all(struct dump_file next[], const struct dump_file files[]) {
  char prefix[sizeof files[0].path];
  snprintf(prefix, sizeof prefix, "%.*s", (int)prefix_len(&files[ORCA], ORCA), files[ORCA].path);
  for (int i = 0; i < NUM_FILES; i++) {
    if (dump_file_open(&next[i], prefix, file_suffixes[i])) continue;
    int why = errno;
    bool made = next[i].fd >= 0 && why != EWOULDBLOCK; /* then it is not another process's */
    for (int j = 0; j <= i; j++) {
      if (j < i || made) unlink(next[j].path);
      dump_file_close(&next[j]);
    }
    errno = why;
    return (enum file)i;
  }
  return NUM_FILES;
}

/* Lines of the next set go on from the times of the last. */
static void replace(struct dump_file *f, struct dump_file *next) {
  next->last = f->last;
  next->lines = f->lines;
  f->lines = (struct builder){0};
  dump_file_close(f);
  *f = *next;
}

enum file set_files_turn(struct dump_file files[NUM_FILES], unsigned number) {
  struct dump_file *next = memory_new_zeroed(NUM_FILES, sizeof *next);
  if (next == NULL) return ORCA; /* errno says so */
  enum file failed = rename_all(files, number);
  if (failed == NUM_FILES) failed = open_all(next, files);
  int why = errno;
  for (int i = 0; failed == NUM_FILES && i < NUM_FILES; i++) replace(&files[i], &next[i]);
  free(next);
  errno = why;
  return failed;
}

/* --- deleting ------------------------------------------------------------------------------ */

void set_files_delete(const struct dump_file files[NUM_FILES], unsigned number) {
  char path[sizeof files[0].path];
  for (int i = 0; i < NUM_FILES; i++) {
    if (finished_path(&files[i], (enum file)i, number, path, sizeof path)) unlink(path);
  }
}

static bool is_suffix(const char *text) {
  int file = 0;
  while (file < NUM_FILES && strcmp(text, file_suffixes[file]) != 0) file++;
  return file < NUM_FILES;
}

/* Whether `name` is `base`, a number of four digits or more, and the suffix of a file. */
static bool is_finished(const char *name, const char *base) {
  size_t len = strlen(base), digits;
  if (strncmp(name, base, len) != 0 || name[len] != '.') return false;
  digits = strspn(name + len + 1, "0123456789");
  return digits >= 4 && is_suffix(name + len + 1 + digits);
}

void set_files_clear(const struct dump_file files[NUM_FILES]) {
  char folder[sizeof files[0].path];
  snprintf(folder, sizeof folder, "%.*s", (int)prefix_len(&files[ORCA], ORCA), files[ORCA].path);
  char *slash = strrchr(folder, '/'), *base = slash == NULL ? folder : slash + 1;
  if (slash != NULL) *slash = '\0';
  DIR *dir = opendir(slash == NULL ? "." : slash == folder ? "/" : folder);
  if (dir == NULL) return;
  for (struct dirent *entry; (entry = readdir(dir)) != NULL;) {
    if (is_finished(entry->d_name, base)) unlinkat(dirfd(dir), entry->d_name, 0);
  }
  closedir(dir);
}
