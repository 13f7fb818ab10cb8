#include "agent/writer/set_files.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "agent/base/memory.h"

static size_t get_prefix_len(const struct dump_file *f, enum file file) {
  return strlen(f->path) - strlen(file_suffixes[file]);
}

/* Writes the path of a file of a finished set, such as "PREFIX.0001.orca". False with errno if it
   is too long. */
static bool format_finished_path(const struct dump_file *f, enum file file, unsigned number,
                                 char *out, size_t size) {
  int n = snprintf(out, size, "%.*s.%04u%s", (int)get_prefix_len(f, file), f->path, number,
                   file_suffixes[file]);
  bool fits = n > 0 && (size_t)n < size;
  if (!fits) errno = ENAMETOOLONG;
  return fits;
}

/* --- the next set ----------------------------------------------------------------------- */

/* Returns NUM_FILES, or the first file that could not be renamed, with errno. */
static enum file rename_files(const struct dump_file files[], unsigned number) {
  char to[sizeof files[0].path];
  for (int i = 0; i < NUM_FILES; i++) {
    enum file file = file_order[i];
    bool fits = format_finished_path(&files[file], file, number, to, sizeof to);
    if (!fits || rename(files[file].path, to) != 0) return file;
  }
  return NUM_FILES;
}

/* Opens all files of the next set, or none. Returns NUM_FILES, or the first file that could not be
   opened, with errno. */
static enum file open_next_files(struct dump_file next[], const struct dump_file files[]) {
  char prefix[sizeof files[0].path];
  snprintf(prefix, sizeof prefix, "%.*s", (int)get_prefix_len(&files[FILE_EVENTS], FILE_EVENTS),
           files[FILE_EVENTS].path);
  for (int i = 0; i < NUM_FILES; i++) {
    enum file file = file_order[i];
    if (dump_file_open(&next[file], prefix, file_suffixes[file])) continue;
    int why = errno;
    bool made = next[file].fd >= 0 && why != EWOULDBLOCK; /* else it belongs to another process */
    for (int j = 0; j <= i; j++) {
      struct dump_file *opened = &next[file_order[j]];
      if (j < i || made) unlink(opened->path);
      dump_file_close(opened);
    }
    errno = why;
    return file;
  }
  return NUM_FILES;
}

enum file set_files_rotate(struct dump_file files[NUM_FILES], unsigned number) {
  struct dump_file *next = memory_new_zeroed(NUM_FILES, sizeof *next);
  if (next == NULL) return FILE_EVENTS; /* errno is ENOMEM */
  enum file failed = rename_files(files, number);
  if (failed == NUM_FILES) failed = open_next_files(next, files);
  int why = errno;
  for (int i = 0; failed == NUM_FILES && i < NUM_FILES; i++) {
    next[i].last_line_time = files[i].last_line_time; /* the times of the next set continue */
    next[i].lines = files[i].lines;
    files[i].lines = (struct builder){0};
    dump_file_close(&files[i]);
    files[i] = next[i];
  }
  free(next);
  errno = why;
  return failed;
}

/* --- deleting ------------------------------------------------------------------------------ */

void set_files_delete(const struct dump_file files[NUM_FILES], unsigned number) {
  char path[sizeof files[0].path];
  for (int i = 0; i < NUM_FILES; i++) {
    if (format_finished_path(&files[i], (enum file)i, number, path, sizeof path)) unlink(path);
  }
}

/* Returns whether `name` is `base`, '.', four or more digits, and the suffix of a file. */
static bool is_finished_name(const char *name, const char *base) {
  size_t len = strlen(base);
  if (strncmp(name, base, len) != 0 || name[len] != '.') return false;
  size_t digits = strspn(name + len + 1, "0123456789");
  const char *suffix = name + len + 1 + digits;
  int file = 0;
  while (file < NUM_FILES && strcmp(suffix, file_suffixes[file]) != 0) file++;
  return digits >= 4 && file < NUM_FILES;
}

void set_files_visit(const char *prefix, bool (*visit)(void *arg, const char *path), void *arg) {
  const char *slash = strrchr(prefix, '/'), *base = slash == NULL ? prefix : slash + 1;
  char path[sizeof((struct dump_file *)NULL)->path];
  int folder_len = snprintf(path, sizeof path, "%.*s", (int)(base - prefix), prefix);
  DIR *dir = opendir(folder_len == 0 ? "." : path);
  if (dir == NULL) return;
  for (struct dirent *entry; (entry = readdir(dir)) != NULL;) {
    if (!is_finished_name(entry->d_name, base)) continue;
    snprintf(path + folder_len, sizeof path - (size_t)folder_len, "%s", entry->d_name);
    if (!visit(arg, path)) break;
  }
  closedir(dir);
}

static bool delete_file(void *arg, const char *path) {
  (void)arg;
  unlink(path);
  return true;
}

void set_files_clear(const struct dump_file files[NUM_FILES]) {
  char prefix[sizeof files[0].path];
  snprintf(prefix, sizeof prefix, "%.*s", (int)get_prefix_len(&files[FILE_EVENTS], FILE_EVENTS),
           files[FILE_EVENTS].path);
  set_files_visit(prefix, delete_file, NULL);
}
